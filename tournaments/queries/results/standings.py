"""The standings of an event, computed from its seats and games at each request (law 4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import groupby, islice
from typing import Any

from django.db.models import Exists, Q, QuerySet

from tournaments.models import Entry, Event, Game, Pairing, Round, Sanction, Seat, TeamBoard
from tournaments.models.events import TieBreakRating
from tournaments.pairing import PointSystem, RoundKind, RoundRecord
from tournaments.queries import formats
from tournaments.queries.events import seed_chain
from tournaments.queries.results import half_played, tie_games
from tournaments.queries.results.round_seats import (
    History,
    RoundSeat,
    TeamSeat,
    TieSeat,
    deciding_games,
)
from tournaments.round_kinds import Kind
from tournaments.standings import (
    Breakdown,
    Combination,
    Field,
    Participant,
    RatingFrom,
    Scoring,
    System,
    TieBreak,
    breakdown,
    decimal_text,
    edition_at,
    encounter_breakdown,
    ranking,
    tie_break,
)
from tournaments.standings import field as tie_break_field

# The name in place of a tie-break for players whom the arbiter ordered.
BY_HAND = "hand"


@dataclass(frozen=True, slots=True)
class EventRow:
    """A row of an event's standings.

    Attributes:
        rank: the place, from 1; shared by equal players.
        points_halves: the score in half points; in an arena its own points, doubled.
        wins: rounds won, forfeits included.
        values: the value of each tie-break of the table, as text; empty if it is undefined or was
            not needed.
        separated_by: the tie-break that put the row behind the one above it; empty if points did,
            or if they are equal.
        games: the number of games in formats without common rounds; else None.
        is_on_fire: in an arena whether the next game counts double.
        rating_centielo: in a ladder the current rating, None before the first rated game; else
            None.
        is_annulled: whether the player left a round robin with less than half of the games
            completed, so that they do not count (C.05).
    """

    entry: Entry
    rank: int
    points_halves: int
    wins: int
    values: Sequence[str] = ()
    separated_by: str = ""
    games: int | None = None
    is_on_fire: bool = False
    rating_centielo: int | None = None
    is_annulled: bool = False

    @property
    def place(self) -> int | None:
        """The rank in tables and files. An expelled player has none."""
        return None if self.entry.is_expelled else self.rank


@dataclass(frozen=True, slots=True)
class EventTable:
    """An event's standings, best first, over the rounds that are published or closed.

    `tie_breaks` in their order.
    """

    rows: Sequence[EventRow]
    rounds: int
    tie_breaks: Sequence[TieBreak] = ()

    @property
    def ranks(self) -> Sequence[int]:
        """The ranks of the rows, from the first."""
        ranks: Sequence[int] | None = getattr(self.rows, "ranks", None)
        return [row.rank for row in self.rows] if ranks is None else ranks

    @property
    def entry_ids(self) -> Sequence[int]:
        """Return the ids of the entries of the rows, in their order."""
        ids: Sequence[int] | None = getattr(self.rows, "entry_ids", None)
        return [row.entry.pk for row in self.rows] if ids is None else ids

    @property
    def hand_orders(self) -> list[list[Entry]]:
        """Return the players of each shared place that the arbiter has ordered, the best first."""
        groups: list[list[Entry]] = []
        for row in self.rows:
            if row.separated_by == BY_HAND:
                groups[-1].append(row.entry)
            else:
                groups.append([row.entry])
        return [group for group in groups if len(group) > 1]

    def ties(self, most: int | None = None) -> list[list[Entry]]:
        """Return the players of the first `most` places that several share. An order by hand ends a tie."""
        ranks = self.ranks
        groups = (list(each) for _, each in groupby(range(len(ranks)), key=ranks.__getitem__))
        shared = islice((each for each in groups if len(each) > 1), most)
        tied = [[row.entry for row in self.rows_at(each) if row.place] for each in shared]
        return [each for each in tied if len(each) > 1]

    def rows_at(self, indices: Sequence[int]) -> Sequence[EventRow]:
        """Return the rows with these indices."""
        at: Callable[[Sequence[int]], list[EventRow]] | None = getattr(self.rows, "at", None)
        return [self.rows[index] for index in indices] if at is None else at(indices)


def event_table(event: Event, rounds: int | None = None) -> EventTable:
    """Return the standings of `event` by points and its tie-breaks, without games in progress.

    They are those after the first `rounds` rounds, or after all published ones. Expelled players, and
    players whose games are annulled, come last.
    """
    entries = list(event.entries.exclude(tpn=None).select_related("player"))
    lots_seed = seed_chain.lots_seed(event)
    return table_of(event, entries, histories(event), _rounds(event, rounds), lots_seed)


def table_of(
    event: Event, entries: Sequence[Entry], history: History, rounds: int, lots_seed: str
) -> EventTable:
    """Return the standings from entries with TPN and player, and rounds, without the database.

    The order of the arbiter separates players if it names exactly those who share a place.
    """
    table = _by_rules(event, entries, history, rounds, lots_seed)
    rows = list(table.rows)
    for order in event.tie_orders:
        start = next((n for n, row in enumerate(rows) if row.entry.tpn in order), 0)
        tied = {row.entry.tpn: row for row in rows if row.rank == rows[start].rank} if rows else {}
        if len(order) != len(tied) or tied.keys() != set(order):
            continue
        for number, tpn in enumerate(order):
            row = tied[tpn]
            separator = BY_HAND if number else rows[start].separated_by
            rows[start + number] = replace(row, rank=row.rank + number, separated_by=separator)
    return replace(table, rows=rows)


def _by_rules(
    event: Event, entries: Sequence[Entry], history: History, rounds: int, lots_seed: str
) -> EventTable:
    by_tpn = {entry.tpn: entry for entry in entries}
    field = field_of(event, entries, history, rounds, lots_seed)
    ranks = ranking(field, tie_break_names(event))
    names = [each for each in ranks.tie_breaks if each.name != "PTS"]
    wins = {p.id: p.values["WIN"] for p in ranking(field, ["WIN"]).places}
    out = half_played.annulled_tpns(event, entries, history)
    last = {*out, *(entry.tpn for entry in entries if entry.is_expelled)}
    counting = len(entries) - len(last)
    rows = [
        EventRow(
            by_tpn[place.id],
            place.rank if place.id not in last else counting + 1,
            place.points_halves,
            int(wins[place.id] or 0),
            [_value_text(place.values[each.name]) for each in names],
            place.separated_by if place.separated_by not in (None, "PTS") else "",
            is_annulled=place.id in out,
        )
        for place in sorted(ranks.places, key=lambda place: place.id in last)
    ]
    return EventTable(_closed_up(rows) if last else rows, rounds, names)


def _closed_up(rows: Sequence[EventRow]) -> list[EventRow]:
    """The rows with ranks that take no notice of those who come last."""
    closed_up: list[EventRow] = []
    for number, row in enumerate(rows):
        shares = number > 0 and row.rank == rows[number - 1].rank
        closed_up.append(replace(row, rank=closed_up[-1].rank if shares else number + 1))
    return closed_up


def value_breakdown(
    event: Event, tpn: int, name: str, *, field: Field | None = None
) -> Breakdown | None:
    """Return the terms of one value of the standings.

    None if the number or the tie-break is not in the event. `field` is the event's (`event_field`)
    if the caller has it already.
    """
    field = event_field(event) if field is None else field
    names = tie_break_names(event)
    if tpn not in field.position or name not in {*names, "PTS"}:
        return None
    if tie_break(name, of_teams=event.is_of_teams).entry.combination is Combination.ENCOUNTER:
        return encounter_breakdown(ranking(field, names), name, tpn)
    return breakdown(field, name, tpn)


def _value_text(value: Fraction | None) -> str:
    return "" if value is None else decimal_text(value)


def tie_break_names(event: Event) -> Sequence[str]:
    """The event's tie-breaks in their order, or the usual ones of the format."""
    return formats.of(event).tie_breaks(event)


def system_of(event: Event) -> System:
    """Return the system of the event for C.07: pairings known beforehand, or a Swiss."""
    return formats.of(event).tie_break_system


def event_field(event: Event, rounds: int | None = None) -> Field:
    """The event as tie-breaks see it, over its first `rounds` rounds, or all published ones.

    By the edition of C.07 at its start.
    """
    entries = list(event.entries.exclude(tpn=None))
    lots_seed = seed_chain.lots_seed(event)
    return field_of(event, entries, histories(event), _rounds(event, rounds), lots_seed)


def _rounds(event: Event, rounds: int | None) -> int:
    if rounds is not None:
        return rounds
    return Round.objects.filter(event=event).exclude(state=Round.State.DRAFT).count()


def field_of(
    event: Event, entries: Sequence[Entry], history: History, rounds: int, lots_seed: str
) -> Field:
    """Return the field from entries and rounds, without the database.

    Each game of a mini-match is a round of the field, as in the event's report file.
    """
    begin = event.started_at or event.created_at
    # A match of teams is one round.
    games_count = 1 if event.is_of_teams else event.games_per_pairing
    worth = formats.match_points(event) if event.is_of_teams else formats.points(event)
    out = half_played.annulled_tpns(event, entries, history)
    by_round = event.tie_break_rating == TieBreakRating.ROUND

    def participant(entry: Entry) -> Participant:
        own = history.get(entry.pk, {})
        games = [
            _tie_break_game(own[number].of_game(game) if number in own else None)
            for number in range(1, rounds + 1)
            for game in range(games_count)
        ]
        if out:
            # C.05: points scored by or against who left before half of the games do not count.
            annulled = tie_break_field.Game(Kind.FREE)
            games = [annulled if {entry.tpn, game.opponent} & out else game for game in games]
        later = tuple(
            RatingFrom(games_count * (each.from_round - 1) + 1, each.centielo // 100)
            for each in (entry.ratings_by_round if by_round else ())
        )
        return Participant(entry.tpn or 0, tuple(games), entry.seed_elo, later)

    return Field(
        map(participant, entries),
        system=system_of(event),
        edition=edition_at(begin.date()),
        scoring=Scoring(worth.win, worth.draw, worth.loss),
        rounds_total=event.rounds_total * games_count,
        house_rules=formats.house_rules(event),
        lots_seed=lots_seed,
        **_of_teams(event),
    )


def _of_teams(event: Event) -> dict[str, Any]:
    """Return the scores of a field of teams: match points first, then game points."""
    if not event.is_of_teams:
        return {}
    each, boards = formats.points(event), event.boards
    game_points = Scoring(boards * each.win, boards * each.draw, boards * each.loss)
    return {"primary": "MP", "second_scoring": game_points}


def _tie_break_game(round_seat: RoundSeat | None) -> tie_break_field.Game:
    if (
        round_seat is None
    ):  # a late entry was not there yet, somebody withdrawn was not there any more
        return tie_break_field.Game(Kind.ZERO_BYE)
    seat, halves = round_seat.seat, round_seat.score_halves or 0
    second, boards = 0, tuple[int, ...]()
    if isinstance(round_seat, TeamSeat):
        second, boards = round_seat.game_halves, round_seat.board_halves
    kind = round_seat.kind.counting
    if round_seat.game is None and seat.pairing_id is None:
        absent = seat.absent.tpn if seat.absent else None
        return tie_break_field.Game(kind, halves, absent, second_halves=second, boards=boards)
    return tie_break_field.Game(
        kind, halves, round_seat.opponent_tpn, round_seat.is_first, second, boards
    )


def histories(
    event: Event, entry_ids: Collection[int] | None = None
) -> Mapping[int, Mapping[int, RoundSeat]]:
    """Return the rounds of every entry (by id), or of the given ones, by number, without drafts."""
    # Rounds are read separately: each carries its pairing input, which must not be fetched with
    # every seat.
    rounds = list(
        Round.objects.filter(event=event)
        .exclude(state=Round.State.DRAFT)
        .annotate(has_deductions=Exists(_deductions_of(event)))
        .only("number", "state", "started_at")
    )
    numbers = {round_.pk: round_.number for round_ in rounds}
    seats = Seat.objects.filter(round__in=numbers)
    pairings = Pairing.objects.filter(event=event)
    event_games = Game.objects.filter(pairing__event=event).only(
        "pairing", "first", "second", "result", "number"
    )
    if entry_ids is not None:
        seats = seats.filter(entry__in=entry_ids)
        pairings = pairings.filter(Q(first__in=entry_ids) | Q(second__in=entry_ids))
        event_games = event_games.filter(
            Q(pairing__first__in=entry_ids) | Q(pairing__second__in=entry_ids)
        )
    ordered = [(game.pairing_id, game) for game in event_games.order_by("number")]
    deciding = deciding_games(ordered, event.games_per_pairing)
    pairing_rows = list(pairings)
    is_postponed = any(pairing.is_postponed for pairing in pairing_rows)
    if event.is_over_the_board or is_postponed or any(_waits(round_) for round_ in rounds):
        deciding = {**_unsaved(event), **deciding}
    if event.is_of_teams:
        _add_empty_boards(event, deciding)
    seated = _with_pairings(event, list(seats), pairing_rows, is_part=entry_ids is not None)
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


def with_deduction(round_seat: RoundSeat, halves: int) -> RoundSeat:
    """Return the round with the half points that the arbiter deducts."""
    return replace(round_seat, penalty_halves=halves) if halves else round_seat


def _deductions_of(event: Event) -> QuerySet[Sanction]:
    return Sanction.objects.of_event(event.pk).filter(halves__gt=0).order_by()


def _deductions(event: Event) -> Mapping[tuple[int, int], int]:
    """Return the half points that the arbiter deducts, by the entry and the round."""
    deductions: Counter[tuple[int, int]] = Counter()
    rows = _deductions_of(event).values_list("entry_id", "round_number", "halves")
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
        seat, games, worth, count, game_points=points, has_bracket=has_bracket
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
    rows = Entry.objects.filter(event=event).only("event", "player", "tpn")
    if is_part:
        entry_ids = {pk for pairing in pairings for pk in (pairing.first_id, pairing.second_id)}
        entry_ids |= {seat.absent_id for seat in seats if seat.absent_id is not None}
        rows = rows.filter(pk__in=entry_ids)
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
