"""The chat of events: its lines, and its moderation."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.models import ChatLine
from tournaments.models.chat import LINE_LENGTH
from tournaments.queries.events import event_chat
from tournaments.services.events import event_chat as service
from tournaments.services.events.event_chat import CHAT_ACTS, MOST_HOURS, ChatArguments

operations = Operations("Chat of events", shared.ROUTER)


class ChatLineShape(BaseModel):
    """A line of the chat. A deleted one has no text."""

    id: int
    player: shapes.PlayerName
    text: str
    is_deleted: bool
    made_at: datetime


class NewLine(Body):
    """The text of a new line."""

    text: Annotated[str, Field(min_length=1, max_length=LINE_LENGTH)]


class ChatAct(Body):
    """An action of a moderator.

    `chat-delete` takes the line. `chat-mute` takes the player and the hours, 0 for a mute without an end.
    `chat-unmute` takes the player.
    """

    act: Annotated[str, shapes.one_of(CHAT_ACTS.by_code)]
    line: shapes.Id | None = None
    player: shapes.Id | None = None
    hours: Annotated[int, Field(ge=0, le=MOST_HOURS)] = 0


class ChatState(BaseModel):
    """The number of lines that can be read."""

    lines: int


@operations.get("/events/{slug:event}/chat", "event-chat", routes.OPEN, answer=Page[ChatLineShape])
def lines(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the lines of the chat, the latest first. 404 if the caller cannot read it."""
    row = shared.event_of(request, event)
    if not event_chat.may_read(row, request.caller.user):
        raise Http404
    rows = row.chat_lines.select_related("author")
    return paging.answer(request, rows, ["-pk"], query, _shape)


@operations.post(
    "/events/{slug:event}/chat",
    "event-say",
    routes.EVENT_LINE,
    answer=ChatLineShape,
    status=201,
    body='{"text": "Good luck!"}',
)
def say(request: ApiRequest, event: str, body: NewLine) -> ChatLineShape:
    """Write a line in the chat."""
    row = shared.event_of(request, event)
    line = service.say(event_id=row.pk, player=request.caller.seat, text=body.text)
    return _shape(line)


@operations.post(
    "/events/{slug:event}/chat/acts",
    "event-chat-act",
    routes.DESK,
    answer=ChatState,
    status=200,
    body='{"act": "chat-mute", "player": $OPPONENT, "hours": 24}',
)
def act(request: ApiRequest, event: str, body: ChatAct) -> ChatState:
    """Moderate the chat, as a member of the staff."""
    row = shared.event_of(request, event)
    arguments = ChatArguments(line_id=body.line or 0, player_id=body.player or 0, hours=body.hours)
    CHAT_ACTS.run(body.act, row.pk, request.caller.account, arguments)
    return ChatState(lines=row.chat_lines.filter(is_hidden=False).count())


def _shape(line: ChatLine) -> ChatLineShape:
    return ChatLineShape(
        id=line.pk,
        player=shapes.player_name(line.author),
        text="" if line.is_hidden else line.text,
        is_deleted=line.is_hidden,
        made_at=line.made_at,
    )
