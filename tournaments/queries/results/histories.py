"""The rounds of each entry of an event, from its seats, pairings, games and deductions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db.models import Exists, Q, QuerySet

from tournaments.models import (
    Entry,
    Event,
    Game,
    Pairing,
    Round,
    Sanction,
    Seat,
    TeamBoard,
    statements,
)
from tournaments.pairing import PointSystem, RoundKind, RoundRecord
from tournaments.queries import formats
from tournaments.queries.results import tie_games
from tournaments.queries.results.round_seats import RoundSeat, TeamSeat, TieSeat, deciding_games
from tournaments.round_kinds import Kind


def published_rounds(event: Event) -> list[Any]:
    """Return the rounds without drafts, as far as a history needs them."""
    return _all_rounds.all(event=event.pk)


def of_event(
    event: Event,
    entry_ids: Collection[int] | None = None,
    *,
    rounds: Sequence[Any] | None = None,
) -> Mapping[int, Mapping[int, RoundSeat]]:
    """Return the rounds of every entry (by id), or of the given ones, by number, without drafts.

    `rounds` are those of `published_rounds`, if the caller has read them.
    """
    rounds = published_rounds(event) if rounds is None else rounds
    numbers = {round_.pk: round_.number for round_ in rounds}
    if entry_ids is None:
        seats = _all_seats.all(event=event.pk)
        pairing_rows = _all_pairings.all(event=event.pk)
        event_games = _all_games.all(event=event.pk)
    else:
        seats = list(_seats(event.pk).filter(entry__in=entry_ids))
        is_own = Q(first__in=entry_ids) | Q(second__in=entry_ids)
        pairing_rows = list(_pairings(event.pk).filter(is_own))
        is_own = Q(pairing__first__in=entry_ids) | Q(pairing__second__in=entry_ids)
        event_games = list(_games(event.pk).filter(is_own))
    # A round may have been published since the rounds were read.
    seats = [seat for seat in seats if seat.round_id in numbers]
    ordered = [(game.pairing_id, game) for game in event_games]
    deciding = deciding_games(ordered, event.games_per_pairing)
    is_postponed = any(pairing.is_postponed for pairing in pairing_rows)
    if event.is_over_the_board or is_postponed or any(_waits(round_) for round_ in rounds):
        deciding = {**_unsaved(event), **deciding}
    if event.is_of_teams:
        _add_empty_boards(event, deciding)
    seated = _with_pairings(event, seats, pairing_rows, is_part=entry_ids is not None)
    if ties := [each for each in pairing_rows if each.tie_games is not None]:
        open_rounds = {each.pk for each in rounds if each.state != Round.State.CLOSED}
        _add_ties(ties, ordered, deciding, open_rounds)
    round_seat = round_seats(event)
    # A query only for the few events that have some.
    deductions = _deductions(event) if any(each.has_deductions for each in rounds) else {}
    rounds_by_entry: dict[int, dict[int, RoundSeat]] = {}
    for seat in seated:
        games = deciding.get(seat.pairing_id, ()) if seat.pairing_id else ()
        history = rounds_by_entry.setdefault(seat.entry_id, {})
        number = numbers[seat.round_id]
        history[number] = with_deduction(
            round_seat(seat, games), deductions.get((seat.entry_id, number), 0)
        )
    return rounds_by_entry


def _rounds(event: int) -> QuerySet[Any]:
    """Return the published rounds.

    They are read separately: each contains its pairing input, which must not be fetched with every
    seat.
    """
    rows = Round.objects.filter(event=event).exclude(state=Round.State.DRAFT)
    return rows.annotate(has_deductions=Exists(_deductions_of(event))).only(
        "number", "state", "started_at"
    )


def _seats(event: int) -> QuerySet[Seat]:
    return Seat.objects.filter(round__event=event).exclude(round__state=Round.State.DRAFT)


def _pairings(event: int) -> QuerySet[Pairing]:
    return Pairing.objects.filter(event=event)


def _games(event: int) -> QuerySet[Game]:
    rows = Game.objects.filter(pairing__event=event).order_by("number")
    return rows.only("pairing", "first", "second", "result", "number", "armageddon_percent")


def _entries(event: int) -> QuerySet[Entry]:
    return Entry.objects.filter(event=event).only("event", "player", "tpn")


_all_rounds = statements.query(_rounds)
_all_seats = statements.query(_seats)
_all_pairings = statements.query(_pairings)
_all_games = statements.query(_games)
_all_entries = statements.query(_entries)


def with_deduction(round_seat: RoundSeat, halves: int) -> RoundSeat:
    """Return the round with the half points that the arbiter deducts."""
    return replace(round_seat, penalty_halves=halves) if halves else round_seat


def _deductions_of(event: int) -> QuerySet[Sanction]:
    return Sanction.objects.of_event(event).filter(halves__gt=0).order_by()


def _deductions(event: Event) -> Mapping[tuple[int, int], int]:
    """Return the half points that the arbiter deducts, by the entry and the round."""
    deductions: Counter[tuple[int, int]] = Counter()
    rows = _deductions_of(event.pk).values_list("entry_id", "round_number", "halves")
    for entry_id, number, halves in rows:
        deductions[entry_id, number] += halves
    return deductions


def round_seats(event: Event) -> Callable[[Seat, Sequence[Game | None]], RoundSeat]:
    """Return the function that makes rounds of seats and games: of individuals, or of teams."""
    count, points = event.games_per_pairing, formats.points(event)
    if not event.is_of_teams:
        return partial(_seat_of_individual, points, count)
    worth = formats.match_points(event)
    has_bracket = formats.of(event).has_draw
    return lambda seat, games: TeamSeat(
        seat,
        games,
        worth,
        count,
        game_points=points,
        has_bracket=has_bracket,
        alternates_boards=event.alternates_boards,
    )


def _seat_of_individual(
    points: PointSystem, count: int, seat: Seat, games: Sequence[Game | None]
) -> RoundSeat:
    tie_count = seat.pairing.tie_games if seat.pairing is not None else None
    if tie_count is not None:
        return TieSeat(seat, games, points, tie_count)
    return RoundSeat(seat, games, points, count)


def seat_of(event: Event, seat: Seat) -> RoundSeat:
    """Return the round of a seat without a board."""
    return round_seats(event)(seat, ())


def _add_empty_boards(event: Event, deciding: dict[Any, Sequence[Game | None]]) -> None:
    """Add the forfeits of empty boards, which have no saved game, to the games of each match."""
    boards = TeamBoard.objects.filter(pairing__event=event).exclude(
        first__isnull=False, second__isnull=False
    )
    for board in boards:
        games = list(deciding.get(board.pairing_id, [None] * event.boards))
        games[board.number - 1] = Game(result=board.entered_result, number=board.number)
        deciding[board.pairing_id] = tuple(games)


def _add_ties(
    ties: Iterable[Pairing],
    ordered: Iterable[tuple[int | None, Game]],
    deciding: dict[Any, Sequence[Game | None]],
    open_rounds: Collection[int],
) -> None:
    """Set the games of each tie, whose entries are at hand: the saved ones, or the unsaved in `deciding`."""
    saved: dict[Any, list[Game]] = defaultdict(list)
    for pk, game in ordered:
        saved[pk].append(game)
    for tie in ties:
        unsaved = [game for game in deciding.get(tie.pk, ()) if game is not None]
        deciding[tie.pk] = tie_games.of_seat(
            tie, saved.get(tie.pk, unsaved), is_open=tie.round_id in open_rounds
        )


def _with_pairings(
    event: Event, seats: Sequence[Seat], pairings: Sequence[Pairing], *, is_part: bool
) -> Sequence[Seat]:
    """The seats with their pairings and both entries at hand, each read and built once."""
    if is_part:
        entry_ids = {pk for pairing in pairings for pk in (pairing.first_id, pairing.second_id)}
        entry_ids |= {seat.absent_id for seat in seats if seat.absent_id is not None}
        rows = list(_entries(event.pk).filter(pk__in=entry_ids))
    else:
        rows = _all_entries.all(event=event.pk)
    entries = {entry.pk: entry for entry in rows}
    for pairing in pairings:
        pairing.first, pairing.second = entries[pairing.first_id], entries[pairing.second_id]
    by_id = {pairing.pk: pairing for pairing in pairings}
    for seat in seats:
        seat.pairing = by_id[seat.pairing_id] if seat.pairing_id else None
        seat.absent = entries[seat.absent_id] if seat.absent_id else None
    return seats


def _waits(round_: Round) -> bool:
    """Return whether a round is published whose games have not begun."""
    return round_.state == Round.State.PUBLISHED and round_.started_at is None


def _unsaved(event: Event) -> dict[int | None, Sequence[Game | None]]:
    """Return the unsaved games of the published round, and of postponed boards, by pairing.

    They are saved when the round starts, over the board when it closes, or when the result of a
    postponed board is entered. Until then they have the entered results.
    """
    is_open = Q(round__state=Round.State.PUBLISHED) | Q(is_postponed=True)
    pairings = event.pairings.filter(is_open)
    return {
        pairing.pk: [
            Game(
                pairing=pairing,
                first=line.first.player if line.first else None,
                second=line.second.player if line.second else None,
                result=line.entered_result or None,
                number=line.number,
            )
            for line in pairing.lines(event)
        ]
        for pairing in pairings.with_lines(event)
    }


def pairing_records(history: Mapping[int, RoundSeat], rounds: int) -> tuple[RoundRecord, ...]:
    """Return the history for the pairing system: one record for each closed round."""
    return tuple(_record(history.get(number)) for number in range(1, rounds + 1))


def _game_halves(round_seat: RoundSeat) -> int:
    """Return the half points of the games of a match, whose result is the score of the round."""
    if isinstance(round_seat, TeamSeat):
        return round_seat.game_halves
    is_match = isinstance(round_seat, TieSeat) and round_seat.games_count > 1
    return round_seat.score_so_far_halves if is_match else 0


def _record(round_seat: RoundSeat | None) -> RoundRecord:
    if round_seat is None:
        return RoundRecord(RoundKind.ZERO_BYE, None, 0)
    halves = round_seat.score_halves or 0
    second = _game_halves(round_seat)
    if round_seat.game is None:
        absent = round_seat.seat.absent.tpn if round_seat.seat.absent else None
        return RoundRecord(RoundKind(round_seat.seat.kind), absent, halves, second_halves=second)
    kind = RoundKind(round_seat.seat.kind) if round_seat.is_played else RoundKind.FORFEIT_LOSS
    if round_seat.outcome is Kind.FORFEIT_WIN:
        kind = RoundKind.FORFEIT_WIN
    pairing = round_seat.seat.pairing
    goes_through = pairing is not None and pairing.goes_through_id == round_seat.seat.entry_id
    if (
        isinstance(round_seat, TeamSeat)
        and round_seat.has_bracket
        and pairing is not None
        and pairing.goes_through is None
    ):
        goes_through = round_seat.outcome is Kind.DRAW and round_seat.is_ahead
    return RoundRecord(kind, round_seat.opponent_tpn, halves, goes_through, second)
