"""The standings of an event, computed from its seats and games at each request (law 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

from tournaments.models import Entry, Event
from tournaments.models.events import TieBreakRating
from tournaments.queries import formats
from tournaments.queries.events import seed_chain
from tournaments.queries.results import half_played, histories
from tournaments.queries.results.round_seats import (
    History,
    RoundSeat,
    TeamSeat,
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
    history, rounds = _history(event, rounds)
    return table_of(event, entries, history, rounds, lots_seed)


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
    history, rounds = _history(event, rounds)
    return field_of(event, entries, history, rounds, lots_seed)


def _history(event: Event, rounds: int | None) -> tuple[History, int]:
    """Return the rounds of every entry, and the number of rounds: the given one, or all published ones."""
    published = histories.published_rounds(event)
    history = histories.of_event(event, rounds=published)
    return history, len(published) if rounds is None else rounds


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
