"""Common parts of all operations on events: the access code, drafts, and names of players."""

from __future__ import annotations

from typing import Annotated

from ninja import Router
from pydantic import Field

from tournaments.api import callers, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body
from tournaments.edges import access
from tournaments.errors import NotAllowedError
from tournaments.models import Entry, Event, Round
from tournaments.models.events import MAX_BOARDS
from tournaments.queries.events import staff
from tournaments.services.reasons import LONGEST_REASON

# One for all: an address with several methods is one of a router.
ROUTER = Router()

RoundNumber = Annotated[int, Field(ge=1, le=400)]
BoardNumber = Annotated[int, Field(ge=1, le=5_000)]
PairingNumber = Annotated[int, Field(ge=1, le=5_000, description="The pairing number.")]
GameNumber = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_BOARDS,
        description="2 for the second of a mini-match, the game of a tie, or the board of a team.",
    ),
]
Reason = Annotated[str, Field(max_length=LONGEST_REASON, description="For the public log.")]


class Because(Body):
    """The reason for an action or for undoing it."""

    reason: Reason


class EntryName(shapes.Shape):
    """A player of an event. `number` is the pairing number, null before the start."""

    entry: int
    number: int | None
    player: shapes.PlayerName


def event_of(request: ApiRequest, slug: str) -> Event:
    """The event, for whom it lets look. Raises Http404."""
    return access.get_event_for(request.caller.user, slug, callers.code_of(request))


def round_of(request: ApiRequest, event: Event, number: int) -> Round:
    """The round, a draft for the staff only. Raises Http404."""
    return access.get_round_for(request.caller.user, event, number)


def entry_name(entry: Entry) -> EntryName:
    """The player, who is at hand."""
    player = shapes.player_name(entry.player)
    return EntryName(entry=entry.pk, number=entry.tpn, player=player)


def is_staff(request: ApiRequest, event: Event) -> bool:
    """Return whether the caller has a task at the desk of the event."""
    user = request.caller.user
    return user is not None and bool(staff.tasks_of(event, user))


def require_staff(request: ApiRequest, event: Event) -> None:
    """Raise NotAllowedError `not-organiser` for all but the staff of the event."""
    if not is_staff(request, event):
        raise NotAllowedError("not-organiser", event.slug)
