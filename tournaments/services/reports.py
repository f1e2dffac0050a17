"""An event as a FIDE report file, from which any arbiter's program can pair its rounds again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.models import ByeRequest, Event, Game, Round, Seat
from tournaments.services.rounds import odd_tpn_is_first
from tournaments.services.standings import event_table, histories, opponent_tpn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tournaments.services.standings import EventRow, SeatedRound

_BYES = {
    Seat.Kind.PAIRING_BYE: trf.Code.PAIRING_BYE,
    Seat.Kind.HALF_BYE: trf.Code.HALF_BYE,
    Seat.Kind.ZERO_BYE: trf.Code.ZERO_BYE,
}
_CODES = (trf.Code.LOSS, trf.Code.DRAW, trf.Code.WIN)
_SYSTEMS = {Event.Format.DUTCH: "FIDE_DUTCH_2026"}


def trf_of(event: Event) -> str:
    """The event's closed rounds as TRF-2026 text; the side with the first ply is the file's White.

    Requested byes of rounds to come are in it, so that it can be given to another program to pair the next.
    """
    closed = event.rounds.filter(state=Round.State.CLOSED).count()
    history = histories(event)
    rows = sorted(event_table(event).rows, key=lambda row: row.standing.number)
    report = trf.Report(
        players=tuple(_player(row, history.get(row.entry.pk, {}), closed) for row in rows),
        headers=tuple(_headers(event, len(rows))),
        rounds_total=event.rounds_total,
        odd_is_white=odd_tpn_is_first(event),
        system=_SYSTEMS.get(Event.Format(event.format)),
        absences=tuple(_absences(event, closed)),
    )
    return trf.write(report)


def _headers(event: Event, players: int) -> Iterator[trf.Header]:
    yield trf.Header("012", event.name)
    if event.started_at is not None:
        yield trf.Header("042", f"{event.started_at:%Y/%m/%d}")
    if event.finished_at is not None:
        yield trf.Header("052", f"{event.finished_at:%Y/%m/%d}")
    yield trf.Header("062", str(players))
    yield trf.Header("092", f"Swiss, {event.ruleset}")
    yield trf.Header("122", f"{event.clock_initial_ms // 1000}+{event.clock_increment_ms / 1000:g}")


def _player(row: EventRow, history: Mapping[int, SeatedRound], closed: int) -> trf.Player:
    results = tuple(_result(history.get(number)) for number in range(1, closed + 1))
    halves = sum(history[n].score_halves or 0 for n in range(1, closed + 1) if n in history)
    return trf.Player(
        id=row.standing.number,
        name=row.entry.player.name,
        results=results,
        points_halves=halves,
        place=row.standing.rank,
        rating=round((row.entry.seed_centielo or 0) / 100) or None,
    )


def _result(seated: SeatedRound | None) -> trf.Result | None:
    if seated is None:
        return None
    seat, game = seated.seat, seated.game
    if game is None:
        return trf.Result(_BYES[Seat.Kind(seat.kind)])
    # A void game was not played; it counts for nobody.
    is_void = game.result == Game.Result.VOID
    code = trf.Code.FORFEIT_LOSS if is_void else _CODES[seated.score_halves or 0]
    return trf.Result(code, opponent_tpn(seat), seat.kind == Seat.Kind.FIRST)


def _absences(event: Event, closed: int) -> Iterator[trf.Absence]:
    asked = ByeRequest.objects.filter(entry__event=event, entry__tpn__isnull=False)
    for request in asked.filter(round_number__gt=closed).select_related("entry"):
        code = trf.Code.HALF_BYE if request.kind == "half" else trf.Code.ZERO_BYE
        yield trf.Absence(code, request.round_number, (request.entry.tpn or 0,))
