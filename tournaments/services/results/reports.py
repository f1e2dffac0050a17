"""Events as FIDE report files (TRF), from which any program can pair the rounds again."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Round, Seat
from tournaments.pairing.baku import baku_halves
from tournaments.services.clocks import game_clocks
from tournaments.services.events import formats
from tournaments.services.results import standings
from tournaments.services.results.standings import Outcome, histories, opponent_tpn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tournaments.services.results.standings import RoundSeat

_BYES = {
    Seat.Kind.PAIRING_BYE: trf.Code.PAIRING_BYE,
    Seat.Kind.HALF_BYE: trf.Code.HALF_BYE,
    Seat.Kind.FULL_BYE: trf.Code.FULL_BYE,
    Seat.Kind.ZERO_BYE: trf.Code.ZERO_BYE,
    Seat.Kind.FREE: trf.Code.ZERO_BYE,
    Seat.Kind.THROUGH: trf.Code.ZERO_BYE,
    Seat.Kind.OUT: trf.Code.ZERO_BYE,
    Seat.Kind.FORFEIT_WIN: trf.Code.FULL_BYE,
}
_REQUESTS = {
    ByeRequest.Kind.HALF: trf.Code.HALF_BYE,
    ByeRequest.Kind.ZERO: trf.Code.ZERO_BYE,
    ByeRequest.Kind.FULL: trf.Code.FULL_BYE,
}
_CODES = {
    Outcome.WIN: trf.Code.WIN,
    Outcome.DRAW: trf.Code.DRAW,
    Outcome.LOSS: trf.Code.LOSS,
    Outcome.FORFEIT_WIN: trf.Code.FORFEIT_WIN,
    Outcome.FORFEIT_LOSS: trf.Code.FORFEIT_LOSS,
    # A void game was not played; it counts for nobody.
    Outcome.VOID: trf.Code.FORFEIT_LOSS,
}
_SYSTEMS = {
    Event.Format.DUTCH: "FIDE_DUTCH_2026",
    Event.Format.SWISS: "CUSTOM_SWISS",
    Event.Format.ROUND_ROBIN: "BERGER_ROUNDROBIN",
}


def trf_of(event: Event) -> str:
    """The event's rounds that have all their results as TRF-2026 text; the side with the first ply is the file's White.

    Requested byes of rounds to come are in it, so that it can be given to another program to pair
    the next.
    """
    closed_rounds = _rounds_with_results(event)
    places = {row.entry.pk: row.rank for row in standings.event_table(event).rows}
    bye_requests = ByeRequest.objects.filter(entry__event=event, entry__tpn__isnull=False)
    return trf.write(
        _report(
            event, closed_rounds, places, list(bye_requests.filter(round_number__gt=closed_rounds))
        )
    )


def _rounds_with_results(event: Event) -> int:
    """The closed rounds, and the one over the board whose results have all been entered."""
    closed_rounds = _rounds_with_results(event)
    if not event.is_over_the_board:
        return closed_rounds
    last = event.rounds.filter(state=Round.State.PUBLISHED).first()
    is_complete = last is not None and not last.pairings.filter(entered_result="").exists()
    return closed_rounds + is_complete


def trf_before(event: Event, number: int) -> str:
    """The report from which a program can pair round `number`, the one after the closed ones."""
    bye_requests = ByeRequest.objects.filter(entry__event=event, round_number=number)
    return trf.write(_report(event, number - 1, {}, list(bye_requests)))


def _report(
    event: Event, closed_rounds: int, places: Mapping[int, int], bye_requests: Sequence[ByeRequest]
) -> trf.Report:
    entries = list(event.entries.exclude(tpn=None).select_related("player").order_by("tpn"))
    history = histories(event)
    return trf.Report(
        players=tuple(
            _player(entry, history.get(entry.pk, {}), closed_rounds, places.get(entry.pk))
            for entry in entries
        ),
        headers=tuple(_headers(event, len(entries))),
        rounds_total=event.rounds_total,
        odd_is_white=odd_tpn_is_first(event),
        points=formats.points(event),
        system=_SYSTEMS.get(Event.Format(event.format)),
        absences=tuple(_absences(entries, closed_rounds + 1, bye_requests)),
        virtual=tuple(_virtual(event)),
        forbidden=tuple(_forbidden(event)),
    )


def odd_tpn_is_first(event: Event) -> bool:
    """Whether odd TPNs begin with the first side (C.04.3 5.1), as the event's seed decides."""
    return bool(random.Random(event.seed).getrandbits(1))


def _headers(event: Event, players: int) -> Iterator[trf.Header]:
    yield trf.Header("012", event.name)
    if event.started_at is not None:
        yield trf.Header("042", f"{event.started_at:%Y/%m/%d}")
    if event.finished_at is not None:
        yield trf.Header("052", f"{event.finished_at:%Y/%m/%d}")
    yield trf.Header("062", str(players))
    yield trf.Header("092", f"{event.get_format_display()}, {event.ruleset}")
    time_control = event.board_time or game_clocks.clock_of(event).text()
    yield trf.Header("122", time_control)


def _player(
    entry: Entry, history: Mapping[int, RoundSeat], closed_rounds: int, place: int | None
) -> trf.Player:
    return trf.Player(
        id=entry.tpn or 0,
        name=entry.player.name,
        results=tuple(_result(history.get(number)) for number in range(1, closed_rounds + 1)),
        points_halves=sum(
            history[n].score_halves or 0 for n in range(1, closed_rounds + 1) if n in history
        ),
        place=place,
        rating=round((entry.seed_centielo or 0) / 100) or None,
        federation=entry.federation,
        fide_id=entry.fide_id,
    )


def _result(round_seat: RoundSeat | None) -> trf.Result | None:
    if round_seat is None:
        return None
    seat = round_seat.seat
    if round_seat.game is None:
        return trf.Result(_BYES[Seat.Kind(seat.kind)])
    code = _CODES[round_seat.outcome or Outcome.VOID]
    return trf.Result(code, opponent_tpn(seat), seat.kind == Seat.Kind.FIRST)


def _absences(
    entries: Iterable[Entry], following: int, bye_requests: Sequence[ByeRequest]
) -> Iterator[trf.Absence]:
    """The absences: withdrawn players in the following round, and requested byes."""
    here = {entry.pk: entry.tpn or 0 for entry in entries if entry.state == Entry.State.ACTIVE}
    away = [entry.tpn or 0 for entry in entries if entry.state != Entry.State.ACTIVE]
    if away:
        yield trf.Absence(trf.Code.ZERO_BYE, following, tuple(away))
    for request in bye_requests:
        if request.entry_id in here:
            code = _REQUESTS[ByeRequest.Kind(request.kind)]
            yield trf.Absence(code, request.round_number, (here[request.entry_id],))


def _virtual(event: Event) -> Iterator[trf.VirtualPoints]:
    """The virtual points of group A, which the start of the event has fixed (C.04.7 1.2)."""
    if event.accelerated_upto_tpn is None:
        return
    for number in range(1, event.rounds_total + 1):
        halves = baku_halves(
            rank=1,
            players=event.accelerated_upto_tpn,
            round_number=number,
            rounds_total=event.rounds_total,
            win_halves=event.win_halves,
        )
        if halves:
            yield trf.VirtualPoints(halves, number, number, 1, event.accelerated_upto_tpn)


def _forbidden(event: Event) -> Iterator[trf.Forbidden]:
    if event.keeps_clubs_apart:
        yield from _clubs_apart(event)
    for group in event.prohibitions.prefetch_related("entries"):
        tpns = sorted(entry.tpn for entry in group.entries.all() if entry.tpn is not None)
        if len(tpns) > 1:
            yield trf.Forbidden(group.first_round, group.last_round, tuple(tpns))


def _clubs_apart(event: Event) -> Iterator[trf.Forbidden]:
    clubs: dict[str, list[int]] = defaultdict(list)
    named = event.entries.exclude(tpn=None).exclude(club="").order_by("tpn")
    for club, tpn in named.values_list("club", "tpn"):
        clubs[club.casefold()].append(tpn or 0)
    for tpns in clubs.values():
        if len(tpns) > 1:
            yield trf.Forbidden(1, None, tuple(tpns))
