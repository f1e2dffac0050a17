"""The chat of events: its lines, and its moderation."""

from __future__ import annotations

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
from tournaments.queries.events import event_chat
from tournaments.services.events import event_chat as service
from tournaments.services.events.event_chat import CHAT_ACTS, MOST_HOURS, ChatArguments

operations = Operations("Chat of events", shared.ROUTER)


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


@operations.get(
    "/events/{slug:event}/chat", "event-chat", routes.OPEN, answer=Page[shapes.ChatLineShape]
)
def lines(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the lines of the chat without those of players whom you have muted, the latest first.

    404 if the caller cannot read it.
    """
    row = shared.event_of(request, event)
    if not event_chat.may_read(row, request.caller.user):
        raise Http404
    player = request.caller.player
    rows = event_chat.for_reader(row.chat_lines.all(), player.pk if player else None)
    return paging.answer(request, rows, ["-pk"], query, shapes.chat_line)


@operations.post(
    "/events/{slug:event}/chat",
    "event-say",
    routes.EVENT_LINE,
    status=201,
    body='{"text": "Good luck!"}',
)
def say(request: ApiRequest, event: str, body: shapes.NewLine) -> shapes.ChatLineShape:
    """Write a line in the chat."""
    row = shared.event_of(request, event)
    line = service.say(event_id=row.pk, player=request.caller.seat, text=body.text)
    return shapes.chat_line(line)


@operations.post(
    "/events/{slug:event}/chat/acts",
    "event-chat-act",
    routes.DESK,
    status=200,
    body='{"act": "chat-mute", "player": $OPPONENT, "hours": 24}',
)
def act(request: ApiRequest, event: str, body: ChatAct) -> ChatState:
    """Moderate the chat, as a member of the staff."""
    row = shared.event_of(request, event)
    arguments = ChatArguments(line_id=body.line or 0, player_id=body.player or 0, hours=body.hours)
    CHAT_ACTS.run(body.act, row.pk, request.caller.account, arguments)
    return ChatState(lines=row.chat_lines.filter(is_hidden=False).count())
