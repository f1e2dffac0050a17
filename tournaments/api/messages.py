"""Private messages of the account's player."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import ChatLine
from tournaments.models.chat import MESSAGE_LENGTH
from tournaments.queries.accounts import private_messages
from tournaments.services.games import private_messages as services

operations = Operations("Messages")


class Message(shapes.Shape):
    """A private message. One that a moderator has hidden has no text."""

    id: int
    author: shapes.PlayerName
    recipient: shapes.PlayerName
    text: str
    is_read: Annotated[
        bool, Field(description="True when the recipient has read it. Always true for your own.")
    ]
    is_hidden: bool
    made_at: datetime


class NewMessage(Body):
    """A message to a player."""

    player: shapes.Id
    text: Annotated[str, Field(min_length=1, max_length=MESSAGE_LENGTH)]


class MessageQuery(PageQuery):
    """Filters of the messages."""

    player: Annotated[int | None, Field(ge=1, description="Messages with this player alone.")] = (
        None
    )
    unread: Annotated[bool, Field(description="Messages that you have not read alone.")] = False


class Unread(BaseModel):
    """The number of unread messages that remain."""

    unread: int


@operations.get("/me/messages", "messages", routes.MESSAGES, answer=Page[Message])
def messages(request: ApiRequest, query: Query[MessageQuery]) -> HttpResponseBase:
    """Return the messages to and from you, the latest first. They do not count as read."""
    seat = request.caller.seat
    rows = ChatLine.objects.private_of(seat).select_related("author", "recipient")
    if query.player is not None:
        rows = rows.with_player(access.get_player(query.player))
    if query.unread:
        rows = rows.filter(recipient=seat, is_read=False)
    return paging.answer(request, rows, ["-pk"], query, lambda line: _shape(line, seat.pk))


@operations.post(
    "/me/messages",
    "message-write",
    routes.MESSAGE,
    status=201,
    body='{"player": $OPPONENT, "text": "Thank you for the game."}',
)
def write(request: ApiRequest, body: NewMessage) -> Message:
    """Write to a player."""
    seat = request.caller.seat
    line = services.write(author=seat, recipient=access.get_player(body.player), text=body.text)
    return _shape(line, seat.pk)


@operations.post(
    "/me/messages/{int:player_id}/read",
    "messages-read",
    routes.MESSAGE,
    status=200,
    example="/me/messages/$OPPONENT/read",
)
def mark_read(request: ApiRequest, player_id: int) -> Unread:
    """Note that you have read the messages of a player."""
    seat = request.caller.seat
    services.mark_read(player=seat, other=access.get_player(player_id))
    return Unread(unread=private_messages.unread(seat))


@operations.delete(
    "/me/messages/{int:player_id}",
    "messages-delete",
    routes.MESSAGE,
    example="/me/messages/$OPPONENT",
)
def delete(request: ApiRequest, player_id: int) -> None:
    """Delete the messages with a player, for you alone."""
    services.delete(player=request.caller.seat, other=access.get_player(player_id))


def _shape(line: ChatLine, reader: int) -> Message:
    text = "" if line.is_hidden else line.text
    return Message.of(line, text=text, is_read=line.is_read or line.author_id == reader)
