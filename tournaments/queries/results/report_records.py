"""An event as the records of a FIDE report file (TRF): players, settings, byes and absences."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Round, Seat
from tournaments.models.events import NumberRating
from tournaments.pairing.baku import baku_halves
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.results import half_played, histories
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.queries.results.team_reports import TeamReport

# The words of record 172.
RATING_CODES = {
    NumberRating.LIST: "FIDE",
    NumberRating.NATIONAL: "NRO",
    NumberRating.LIST_FIRST: "FIDON",
    NumberRating.NATIONAL_FIRST: "NIDOF",
    NumberRating.HIGHER: "HBFN",
    NumberRating.LOWER: "LBFN",
    NumberRating.SITE: "OTHER",
}


@dataclass(frozen=True, slots=True)
class Final:
    """The parts of a report beside the rounds, once they are ranked.

    Attributes:
        ranks: the rank of each entry, by its id.
        headers: further records of the tournament section.
    """

    ranks: Mapping[int, int] = field(default_factory=dict)
    headers: Sequence[trf.Header] = ()


def trf_before(event: Event, number: int) -> str:
    """The report from which any program can pair round `number`, the one after the closed ones."""
    bye_requests = ByeRequest.objects.filter(entry__event=event, round_number=number)
    by_game = formats.of(event).has_matches
    before = report(event, number - 1, list(bye_requests), Final(), by_game=by_game)
    return trf.write(before, is_code_2025=True)


def report(
    event: Event,
    closed_rounds: int,
    bye_requests: Sequence[ByeRequest],
    final: Final,
    *,
    by_game: bool = True,
) -> trf.Report:
    """Return the first `closed_rounds` rounds of the event, and the byes of rounds to come.

    Each game of a mini-match is a round of the report. Not `by_game` each mini-match is one, as it
    is paired: the colour is that of the first game, and points that are neither those of a match
    won, drawn or lost are in records 299.
    """
    format_ = formats.of(event)
    if event.is_of_teams:
        return _of_teams(event, closed_rounds, bye_requests, final)
    columns = event.games_per_pairing if by_game else 1
    # In the file of a Double-Swiss two columns are a round.
    rounds = 1 if format_.has_matches else columns
    entries = list(event.entries.exclude(tpn=None).select_related("player").order_by("tpn"))
    history = histories.of_event(event)
    forfeits = _forfeits(history, {entry.pk: entry.tpn or 0 for entry in entries})
    annulled = tuple(_annulled(event, entries, history, closed_rounds))
    worthless = {(p.round_number, p.code, i) for p in annulled for i in p.ids}
    uneven = () if by_game else tuple(_uneven(event, entries, history, closed_rounds))

    def player(entry: Entry) -> trf.Player:
        own = history.get(entry.pk, {})
        tpn = entry.tpn or 0
        results = [
            _result(seat, forfeits.get((number, tpn)))
            for number in range(1, closed_rounds + 1)
            for seat in _columns(own.get(number), columns)
        ]
        return trf.Player(
            id=tpn,
            name=entry.player.name,
            results=tuple(results),
            points_halves=sum(
                own[number].score_halves or 0
                for number, result in enumerate(results[::columns], start=1)
                if result and number in own and (number, result.code, tpn) not in worthless
            ),
            place=final.ranks.get(entry.pk),
            rating=entry.seed_elo,
            federation=entry.federation,
            fide_id=entry.fide_id,
        )

    return trf.Report(
        players=tuple(map(player, entries)),
        headers=(*_headers(event, entries), *final.headers),
        rounds_total=event.rounds_total * rounds,
        odd_is_white=odd_tpn_is_first(event),
        points=formats.points(event) if by_game else formats.pairing_points(event),
        # No system pairs the games of mini-matches as rounds.
        system=format_.report_type(event) if rounds == 1 else "CUSTOM_SWISS",
        absences=tuple(
            each._replace(round_number=rounds * (each.round_number - 1) + number)
            for each in _absences(event, entries, closed_rounds + 1, bye_requests)
            for number in range(1, rounds + 1)
        ),
        virtual=tuple(_virtual(event)),
        forbidden=tuple(
            each._replace(
                first_round=rounds * (each.first_round - 1) + 1,
                last_round=each.last_round and rounds * each.last_round,
            )
            for each in _forbidden(event)
        ),
        abnormal=(*annulled, *uneven, *_deductions(entries, history, closed_rounds)),
    )


def _of_teams(
    event: Event, closed_rounds: int, bye_requests: Sequence[ByeRequest], final: Final
) -> trf.Report:
    teams = list(event.entries.exclude(tpn=None).select_related("player").order_by("tpn"))
    history = histories.of_event(event)
    part = TeamReport(event, teams, history, closed_rounds)
    players = part.players()
    return trf.Report(
        players=players,
        headers=(*_headers(event, players, len(teams)), *final.headers),
        rounds_total=event.rounds_total,
        odd_is_white=odd_tpn_is_first(event),
        points=formats.points(event),
        system=formats.of(event).report_type(event),
        absences=(
            *part.absences(),
            *_absences(event, teams, closed_rounds + 1, bye_requests),
        ),
        forbidden=tuple(_forbidden(event)),
        abnormal=tuple(_deductions(teams, history, closed_rounds, of_teams=True)),
        team_records=part.records(final.ranks),
    )


def _columns(round_seat: RoundSeat | None, columns: int) -> Sequence[RoundSeat | None]:
    """Return a round in the form of the report, column by column."""
    if round_seat is None or columns == 1:
        return [round_seat] * columns
    return round_seat.by_game


def odd_tpn_is_first(event: Event) -> bool:
    """Return whether odd TPNs begin with the first side (C.04.3 5.1), as the event's seed decides."""
    return bool(random.Random(event.seed).getrandbits(1))


def _headers(
    event: Event, players: Sequence[Entry] | Sequence[trf.Player], teams: int = 0
) -> Iterator[trf.Header]:
    """Return the head, without records that the event has no text for."""
    first, last = _days(event)
    ratings = [each.seed_elo if isinstance(each, Entry) else each.rating for each in players]
    clock = "" if event.is_over_the_board else game_clocks.clock_of(event).text()
    texts = {
        "012": event.name,
        "022": event.place,
        "032": event.federation,
        "042": f"{first:%Y/%m/%d}" if first else "",
        "052": f"{last:%Y/%m/%d}" if last else "",
        "062": str(len(players)),
        "072": str(sum(map(bool, ratings))),
        "082": str(teams or ""),
        "092": f"{event.get_format_display()}, {event.ruleset}",
        "102": event.chief_arbiter,
    }
    yield from (trf.Header(code, text) for code, text in texts.items() if text)
    yield from (trf.Header("112", name.strip()) for name in event.arbiters.split(";") if name)
    if time := event.board_time or clock:
        yield trf.Header("122", time)
    if event.is_over_the_board:
        code = RATING_CODES[NumberRating(event.number_rating)]
        yield trf.Header("172", f"{event.federation:3} {code}")


def _days(event: Event) -> tuple[date | None, date | None]:
    """Return the first and the last day, as far as they are known of an event that began or ended elsewhere."""
    engines = list(event.rounds.order_by("number").values_list("engine", flat=True))
    began_here, ended_here = (
        Round.PAIRED_ELSEWHERE not in engine for engine in (engines[:1], engines[-1:])
    )
    started = event.started_at.date() if event.started_at and began_here else None
    finished = event.finished_at.date() if event.finished_at and ended_here else None
    return event.first_day or started, event.last_day or finished


def _forfeits(
    history: Mapping[int, Mapping[int, RoundSeat]], tpns: Mapping[int, int]
) -> dict[tuple[int, int], int]:
    """Return the opponents that players who had left would have met, by round and TPN of the absent player."""
    return {
        (number, one.seat.absent.tpn or 0): tpns[pk]
        for pk, rounds in history.items()
        for number, one in rounds.items()
        if one.seat.kind == Seat.Kind.FORFEIT_WIN and one.seat.absent is not None
    }


def _result(round_seat: RoundSeat | None, waiting: int | None) -> trf.Result | None:
    """Return the round of one player.

    `waiting` is the opponent to whom an absent player loses by forfeit.
    """
    if waiting is not None and (round_seat is None or round_seat.game is None):
        return trf.Result(trf.Code.FORFEIT_LOSS, waiting)
    if round_seat is None:
        return None
    seat = round_seat.seat
    if seat.kind == Seat.Kind.FORFEIT_WIN and seat.absent is not None:
        return trf.Result(trf.Code.FORFEIT_WIN, seat.absent.tpn)
    if round_seat.game is None:
        return trf.Result(trf.Code.of(round_seat.kind.without_opponent))
    code = trf.Code.of(round_seat.kind)
    is_decided_early = round_seat.counts_as_played and round_seat.kind is not round_seat.outcome
    if round_seat.is_short or is_decided_early:
        # It was decided before a move, and is not rated.
        code = code.short
    return trf.Result(code, round_seat.opponent_tpn, round_seat.is_first)


def _uneven(
    event: Event,
    entries: Iterable[Entry],
    history: Mapping[int, Mapping[int, RoundSeat]],
    closed_rounds: int,
) -> Iterator[trf.AbnormalPoints]:
    """Mini-matches whose points are not those of the result, such as 1½ for one that was won."""
    points = formats.pairing_points(event)
    ids: dict[tuple[int, trf.Code, int], list[int]] = defaultdict(list)
    for entry in entries if event.games_per_pairing > 1 else ():
        for number, one in sorted(history.get(entry.pk, {}).items()):
            result = _result(one, None)
            if number > closed_rounds or not one.games or result is None:
                continue
            halves = one.score_halves or 0
            if halves != points.worth(result.code.kind):
                ids[number, result.code, halves].append(entry.tpn or 0)
    for (number, code, halves), tpns in sorted(ids.items()):
        yield trf.AbnormalPoints(code, halves, number, tuple(tpns))


def _annulled(
    event: Event,
    entries: Sequence[Entry],
    history: Mapping[int, Mapping[int, RoundSeat]],
    closed_rounds: int,
) -> Iterator[trf.AbnormalPoints]:
    """Return the games that do not count, because one of the two played less than half of his."""
    out = half_played.annulled_tpns(event, entries, history)
    ids: dict[tuple[int, trf.Code], list[int]] = defaultdict(list)
    for entry in entries if out else ():
        for number, one in sorted(history.get(entry.pk, {}).items()):
            opponent = one.opponent_tpn
            if number > closed_rounds or not one.score_halves or opponent is None:
                continue
            result = _result(one, None)
            if result is not None and (entry.tpn in out or opponent in out):
                ids[number, result.code].append(entry.tpn or 0)
    for (number, code), tpns in sorted(ids.items()):
        yield trf.AbnormalPoints(code, 0, number, tuple(tpns))


def _deductions(
    entries: Iterable[Entry],
    history: Mapping[int, Mapping[int, RoundSeat]],
    closed_rounds: int,
    *,
    of_teams: bool = False,
) -> Iterator[trf.AbnormalPoints]:
    """Return the points that the arbiter deducted, of teams match points."""
    for entry in entries:
        for number, one in sorted(history.get(entry.pk, {}).items()):
            if number <= closed_rounds and one.deducted_halves:
                halves, ids = -one.deducted_halves, (entry.tpn or 0,)
                scores = (0, halves) if of_teams else (halves, 0)
                yield trf.AbnormalPoints(None, scores[0], number, ids, match_halves=scores[1])


def _absences(
    event: Event, entries: Iterable[Entry], following: int, bye_requests: Sequence[ByeRequest]
) -> Iterator[trf.Absence]:
    """The absences of rounds to come: withdrawn players in the following one, requested byes."""
    if event.state == Event.State.FINISHED or following > event.rounds_total:
        return
    here = {entry.pk: entry.tpn or 0 for entry in entries if entry.state == Entry.State.ACTIVE}
    away = [entry.tpn or 0 for entry in entries if entry.state != Entry.State.ACTIVE]
    if away:
        yield trf.Absence(trf.Code.ZERO_BYE, following, tuple(away))
    for request in bye_requests:
        if request.entry_id in here:
            code = trf.Code.of(ByeRequest.Kind(request.kind).round_kind)
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
