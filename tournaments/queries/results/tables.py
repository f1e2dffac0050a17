"""The tables of an event by format: ranking, groups or divisions, and the draw of a knock-out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from tournaments.models import Entry, Event, Game, Round
from tournaments.pairing import PairingProblem
from tournaments.pairing.brackets import Slot, Tie
from tournaments.pairing.group_table import GroupRow
from tournaments.queries import formats
from tournaments.queries.formats.base import Problem
from tournaments.queries.results import pairing_input, pool_games, standings, ties
from tournaments.queries.results.standings import EventRow, EventTable


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A row of a group's or division's table.

    Attributes:
        rank: shared by players with equal points, Sonneborn-Berger and wins.
        movement: `up`, `down`, `qualified` or empty: the meaning of the place, if the table were
            final now.
        is_by_number: whether others with this rank move elsewhere, as the smaller pairing number
            comes first.
    """

    rank: int
    entry: Entry
    points_halves: int
    sonneborn_quarters: int
    wins: int
    movement: str
    is_by_number: bool


@dataclass(frozen=True, slots=True)
class Section:
    """The table of one group, or of one division in one season. `season` is 0 for groups."""

    number: int
    season: int
    rows: Sequence[SectionRow]


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """One half of a tie on a page.

    Entry, seed and score are given as far as they are known.

    `text` replaces a missing entry: empty, a bye, or the tie whose winner or loser will come.
    """

    entry: Entry | None
    seed: int | None
    score_halves: int | None
    is_winner: bool
    is_bye: bool
    from_tie: int | None
    takes_loser: bool


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie on a page. `number` is its name in other ties.

    `has_armageddon` marks a tie that a drawn armageddon game decided.
    """

    number: int
    upper: DrawnSlot
    lower: DrawnSlot
    is_higher_seed: bool
    has_armageddon: bool = False


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """The ties of one bracket that belong to one round of the event, from the top."""

    bracket: str
    round_number: int
    ties: Sequence[DrawnTie]


def event_table(event: Event, rounds: int | None = None) -> EventTable:
    """All players of the event, best first, by the rules of its format.

    After the first `rounds` rounds, or all that are published.
    """
    if formats.of(event).is_continuous:
        return _pool_table(event)
    table = standings.event_table(event, rounds)
    return placed(event, table, partial(_problem_now, event)) if table.rows else table


def placed(event: Event, table: EventTable, problem: Problem) -> EventTable:
    """The table in the order of the event's format, where points and tie-breaks do not decide."""
    places = formats.of(event).places(event, problem)
    return table if places is None else _in_order(table, places)


def _problem_now(event: Event) -> PairingProblem:
    """The event as the pairing system sees it after its closed rounds."""
    closed_rounds = event.rounds.filter(state=Round.State.CLOSED).count()
    return pairing_input.build(event, closed_rounds + 1).problem


def _in_order(table: EventTable, places: Iterable[Iterable[int]]) -> EventTable:
    """Return the table with its rows in the order of the places, which no tie-break changes."""
    rows = {row.entry.tpn: row for row in table.rows}
    ranked_rows: list[EventRow] = []
    for group in places:
        rank = len(ranked_rows) + 1
        ranked_rows += [_with_rank(rows[tpn], rank) for tpn in group if tpn in rows]
    tpns = {row.entry.tpn for row in ranked_rows}
    for row in table.rows:
        if row.entry.tpn not in tpns:
            ranked_rows.append(_with_rank(row, len(ranked_rows) + 1))
    return EventTable(ranked_rows, table.rounds)


def _with_rank(row: EventRow, rank: int) -> EventRow:
    return replace(row, rank=rank, values=(), separated_by="")


def _pool_table(event: Event) -> EventTable:
    """The table of a format without common rounds."""
    records, _ = pool_games.game_records(event)
    entries = event.entries.exclude(tpn=None).select_related("player")
    rows = formats.of(event).pool_rows(
        event, {entry: records.get(entry.tpn or 0, []) for entry in entries}
    )
    return EventTable(
        [
            EventRow(
                row.entry,
                rank,
                row.points_halves,
                row.wins,
                games=row.games,
                is_on_fire=row.is_on_fire,
                rating_centielo=row.rating_centielo,
            )
            for rank, row in enumerate(rows, start=1)
        ],
        0,
    )


def sections(event: Event) -> list[Section]:
    """The tables of the groups, or of the divisions in every season, the latest first.

    Empty for other formats.
    """
    if not formats.of(event).has_groups or not (entries := _entries_by_tpn(event)):
        return []
    return [
        Section(table.number, table.season, _section_rows(table.rows, entries))
        for table in formats.of(event).group_tables(event, _problem_now(event))
    ]


def _entries_by_tpn(event: Event) -> dict[int | None, Entry]:
    return {e.tpn: e for e in event.entries.exclude(tpn=None).select_related("player")}


def _section_rows(
    rows: Sequence[tuple[GroupRow, str]], entries: Mapping[int | None, Entry]
) -> list[SectionRow]:
    movements: dict[int, set[str]] = {}
    for row, movement in rows:
        if not row.has_left:
            movements.setdefault(row.rank, set()).add(movement)
    return [
        SectionRow(
            row.rank,
            entries[row.tpn],
            row.points_halves,
            row.sonneborn_quarters,
            row.wins,
            "" if movement in {"stays", "leaves"} else movement,
            is_by_number=not row.has_left and len(movements[row.rank]) > 1,
        )
        for row, movement in rows
    ]


def has_draw(event: Event) -> bool:
    """Return whether the format has a draw to show, now or later."""
    return formats.of(event).has_draw


def draw(event: Event) -> list[DrawnRound]:
    """The knock-out of the event, ties to come included, by bracket and round.

    Empty before there is one.
    """
    if not has_draw(event) or not (entries := _entries_by_tpn(event)):
        return []
    bracket_draw = formats.of(event).draw(_problem_now(event))
    if bracket_draw is None:
        return []
    drawn_tie = partial(
        _drawn_tie,
        entries=entries,
        armageddons=_drawn_armageddons(event),
        running=ties.running(event),
    )
    rounds = [
        DrawnRound(
            each.bracket.value,
            each.round_number,
            [drawn_tie(tie) for tie in each.ties if not _is_void(tie)],
        )
        for each in bracket_draw.rounds
    ]
    # A second final that is not needed leaves a round without a tie.
    return [each for each in rounds if each.ties]


def _drawn_armageddons(event: Event) -> Set[tuple[int, int | None]]:
    """Return the round and the number of each player who advanced with a drawn armageddon game."""
    drawn = Game.objects.filter(
        pairing__event=event, armageddon_percent__isnull=False, result=Game.Result.DRAW
    )
    rows = drawn.values_list("pairing__round__number", "second__entries__tpn")
    return set(rows.filter(second__entries__event=event))


def _is_void(tie: Tie) -> bool:
    """Return whether the tie will never have a player."""
    return tie.upper.is_bye and tie.lower.is_bye


def _drawn_tie(
    tie: Tie,
    entries: Mapping[int | None, Entry],
    armageddons: Set[tuple[int, int | None]],
    running: Mapping[int, ties.Running],
) -> DrawnTie:
    is_open = tie.winner is None and not tie.losers and not tie.is_bye

    def slot(half: Slot) -> DrawnSlot:
        own = running.get(half.tpn) if half.tpn and is_open else None
        is_winner = half.tpn is not None and half.tpn == tie.winner and not tie.is_bye
        return DrawnSlot(
            entry=entries.get(half.tpn) if half.tpn else None,
            seed=half.seed,
            score_halves=own.score_halves if own else half.score_halves,
            is_winner=is_winner or (own is not None and own.has_won),
            is_bye=half.is_bye,
            from_tie=None if half.source.tie is None else half.source.tie + 1,
            takes_loser=half.source.takes_loser,
        )

    return DrawnTie(
        tie.index + 1,
        slot(tie.upper),
        slot(tie.lower),
        tie.is_higher_seed,
        has_armageddon=(tie.round_number, tie.winner) in armageddons,
    )


def rounds_total_after(event: Event, closed_rounds: int) -> int:
    """The number of rounds of the event, as it is after `closed_rounds`."""

    def problem() -> PairingProblem:
        return pairing_input.build(event, closed_rounds + 1).problem

    return formats.of(event).rounds_total_after(event, closed_rounds, problem)
