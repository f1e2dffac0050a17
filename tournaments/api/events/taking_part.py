"""Actions of players in events: enter, leave, check in, miss a round, and report a result."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import callers, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import overview, shared
from tournaments.api.events.overview import EntryRow
from tournaments.api.operations import Body, Operations
from tournaments.edges import access
from tournaments.models import Entry, Event, Player
from tournaments.services.arbiter import entry_acts, player_reports
from tournaments.services.events import check_in as check_in_services
from tournaments.services.events import entries

operations = Operations("Taking part in events", shared.ROUTER)


class Participant(Body):
    """The participant: you, or a bot of yours. The staff may name any player with an account."""

    player: shapes.Id | None = None


class Entering(Participant):
    """The participant, with the access code if the event has one.

    `club` names a club of the player, or is empty for none. If it is left out, it is the first club.
    """

    code: Annotated[str, Field(max_length=80)] = ""
    club: Annotated[str | None, Field(max_length=60)] = None


class ByeWish(Participant):
    """An announced absence: for half a point as often as the event allows, or for no points."""

    round: shared.RoundNumber
    kind: Literal["half", "zero"] = "half"


@operations.post(
    "/events/{slug:event}/enter", "event-enter", routes.TAKING_PART, status=200, body="{}"
)
def enter(request: ApiRequest, event: str, body: Entering) -> EntryRow:
    """Enter an event, or return to it.

    `state` says whether you play (active), wait for the organiser's approval (requested), or for a
    place (waiting).
    """
    row, code = _event(request, event, body.code)
    entry = entries.enter(
        event_id=row.pk,
        player=_player(request, body),
        actor=request.caller.account,
        code=code,
        club=body.club,
    )
    return _shape(entry)


@operations.post(
    "/events/{slug:event}/leave", "event-leave", routes.TAKING_PART, status=200, body="{}"
)
def leave(request: ApiRequest, event: str, body: Participant) -> EntryRow:
    """Leave an event. A game in progress continues."""
    row = shared.event_of(request, event)
    entry = entries.withdraw(
        event_id=row.pk, player=_player(request, body), actor=request.caller.account
    )
    return _shape(entry)


@operations.post(
    "/events/{slug:event}/check-in", "event-check-in", routes.TAKING_PART, status=200, body="{}"
)
def check_in(request: ApiRequest, event: str, body: Participant) -> EntryRow:
    """Check in while the check-in is open."""
    row = shared.event_of(request, event)
    entry = check_in_services.check_in(
        event_id=row.pk,
        entry_id=_entry_id(row, _player(request, body)),
        actor=request.caller.account,
    )
    return _shape(entry)


@operations.post(
    "/events/{slug:event}/byes",
    "event-bye",
    routes.TAKING_PART,
    body='{"round": 3, "kind": "zero"}',
)
def request_bye(request: ApiRequest, event: str, body: ByeWish) -> EntryRow:
    """Announce that you do not play in a round that is not published yet."""
    row = shared.event_of(request, event)
    requested_bye = entries.request_bye(
        event_id=row.pk,
        player=_player(request, body),
        actor=request.caller.account,
        round_number=body.round,
        kind=body.kind,
    )
    return _shape(requested_bye.entry)


class ResultReport(Body):
    """The result of your own game over the board, of its first side."""

    result: Annotated[str, shapes.one_of(each.value for each in player_reports.REPORTED)]
    game: shared.GameNumber = 1


class Reported(BaseModel):
    """Your report, and whether it is entered now: both accounts have reported it."""

    board: int
    game: int
    result: str
    is_entered: bool


@operations.post(
    "/events/{slug:event}/rounds/{int:number}/boards/{int:board}/report",
    "board-report",
    routes.TAKING_PART,
    status=200,
    body='{"result": "draw"}',
)
def report_result(
    request: ApiRequest, event: str, number: int, board: int, body: ResultReport
) -> Reported:
    """Report the result of your game over the board, if the event takes reports of players.

    A result that both accounts report is entered. Without the opponent's account the staff confirms it. A
    second report replaces your first one.
    """
    row = shared.event_of(request, event)
    is_entered = player_reports.report_by_account(
        event_id=row.pk,
        account=request.caller.account,
        round_number=number,
        board=board,
        game=body.game,
        result=body.result,
    )
    return Reported(board=board, game=body.game, result=body.result, is_entered=is_entered)


@operations.delete("/events/{slug:event}/byes/{int:number}", "event-bye-cancel", routes.TAKING_PART)
def cancel_bye(request: ApiRequest, event: str, number: int, query: Query[Participant]) -> None:
    """Take a bye back: you play in that round."""
    row = shared.event_of(request, event)
    entry_id = _entry_id(row, _player(request, query))
    entry_acts.cancel_bye(
        event_id=row.pk, actor=request.caller.account, entry_id=entry_id, round_number=number
    )


def _event(request: ApiRequest, slug: str, code: str) -> tuple[Event, str]:
    """The event, and the code that opens it, which is in the body or came with the request."""
    code = code or callers.code_of(request)
    return access.get_event_for(request.caller.user, slug, code), code


def _player(request: ApiRequest, body: Participant) -> Player:
    return request.caller.seat if body.player is None else access.get_player(body.player)


def _entry_id(event: Event, player: Player) -> int:
    """Return the number of the player's entry, or 0 without one."""
    entry = event.entries.filter(player=player).first()
    return entry.pk if entry else 0


def _shape(entry: Entry) -> EntryRow:
    rows = Entry.objects.select_related("player").prefetch_related("bye_requests")
    return overview.entry_row(rows.get(pk=entry.pk))
