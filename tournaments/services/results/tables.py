"""The tables of an event by format: ranking, groups or divisions, and the draw of a knock-out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments.models import Event, Round
from tournaments.models.events import MAX_ROUNDS_OF_TABLES
from tournaments.pairing import arena, double_knockout, knockout, league, stages
from tournaments.services.ratings import bradley_terry_table, pools
from tournaments.services.results import pairing_input, pool_games, standings
from tournaments.services.results.standings import EventRow, EventTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tournaments.models import Entry
    from tournaments.pairing import PairingProblem
    from tournaments.pairing.brackets import Draw, Slot, Tie
    from tournaments.pairing.group_table import GroupRow


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A row of a group's or division's table.

    Attributes:
        rank: shared by those whom points, Sonneborn-Berger and wins do not separate.
        movement: `up`, `down`, `qualified` or empty: what the place means, or would mean if it
            ended now.
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
    """The table of one group, or of one division in one season; `season` is 0 for groups."""

    number: int
    season: int
    rows: Sequence[SectionRow]


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """One half of a tie as it is shown.

    Entry, seed and score are there as far as they are known.

    `text` says what stands in the place of an entry: nothing, a bye, or which tie's winner or loser
    will be there.
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
    """A tie as it is shown; `number` is how others refer to it."""

    number: int
    upper: DrawnSlot
    lower: DrawnSlot
    is_higher_seed: bool


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
    if event.format == Event.Format.ARENA:
        return _arena_table(event)
    if event.format == Event.Format.LADDER:
        return _ladder_table(event)
    table = standings.event_table(event, rounds)
    if event.format not in _PLACES or not table.rows:
        return table
    return placed(event, table, _problem_now(event))


def placed(event: Event, table: EventTable, problem: PairingProblem) -> EventTable:
    """The table in the order of the event's format, where points and tie-breaks do not decide."""
    places = _PLACES.get(event.format)
    return _in_order(table, places(event, problem)) if places else table


def _league_places(event: Event, problem: PairingProblem) -> list[list[int]]:
    """By division and rank in it, in the latest season that is played."""
    ranked: dict[tuple[int, int], list[int]] = {}
    for division in _seasons(event, problem)[-1].divisions:
        for row in division.rows:
            ranked.setdefault((division.number, row.row.rank), []).append(row.row.tpn)
    return list(ranked.values())


def _seasons(event: Event, problem: PairingProblem) -> list[league.Season]:
    """The seasons of the event; after its last round there is no next one."""
    return [each for each in league.seasons(problem) if each.number <= event.seasons]


_PLACES: Mapping[str, Callable[[Event, PairingProblem], list[list[int]]]] = {
    Event.Format.KNOCKOUT: lambda _, problem: knockout.places(problem),
    Event.Format.DOUBLE_KNOCKOUT: lambda _, problem: double_knockout.places(problem),
    Event.Format.GROUPS_KNOCKOUT: lambda _, problem: stages.places(problem),
    Event.Format.LEAGUE: _league_places,
}


def _problem_now(event: Event) -> PairingProblem:
    """The event as the pairing system sees it after its closed rounds."""
    closed_rounds = event.rounds.filter(state=Round.State.CLOSED).count()
    return pairing_input.build(event, closed_rounds + 1).problem


def _in_order(table: EventTable, places: Iterable[Iterable[int]]) -> EventTable:
    """The same rows in the order of the places, which tie-breaks have no say in."""
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


def _arena_table(event: Event) -> EventTable:
    """By arena points, then wins, then the smaller number."""
    records, _ = pool_games.game_records(event)
    rows = []
    for entry in event.entries.exclude(tpn=None).select_related("player"):
        own = records.get(entry.tpn or 0, [])
        score = arena.arena_points(own)
        wins = sum(r.score_halves == event.win_halves for r in own)
        rows.append((score.points, wins, entry, len(own), score.is_on_fire))
    rows.sort(key=lambda r: (-r[0], -r[1], r[2].tpn))
    return EventTable(
        [
            EventRow(entry, place, 2 * points, wins, games=games, is_on_fire=on_fire)
            for place, (points, wins, entry, games, on_fire) in enumerate(rows, start=1)
        ],
        0,
    )


def _ladder_table(event: Event) -> EventTable:
    """By the published rating of today, which the games of the ladder move; bots without a game come last."""
    records, _ = pool_games.game_records(event)
    strengths = bradley_terry_table.strengths(pools.of_event(event))
    ratings = {row.player: row.centielo for row in strengths.rows} if strengths else {}
    rows = []
    for entry in event.entries.exclude(tpn=None).select_related("player"):
        own = records.get(entry.tpn or 0, [])
        wins = sum(r.score_halves == event.win_halves for r in own)
        points = sum(r.score_halves for r in own)
        rating = ratings.get(entry.player_id)
        rows.append((rating, points, wins, entry, len(own)))
    rows.sort(key=lambda r: (r[0] is None, -(r[0] or 0), r[3].tpn))
    return EventTable(
        [
            EventRow(entry, place, points, wins, games=games, rating_centielo=rating)
            for place, (rating, points, wins, entry, games) in enumerate(rows, start=1)
        ],
        0,
    )


def sections(event: Event) -> list[Section]:
    """The tables of the groups, or of the divisions in every season, the latest first.

    Empty for other formats.
    """
    if event.format not in {Event.Format.GROUPS_KNOCKOUT, Event.Format.LEAGUE}:
        return []
    entries = {
        entry.tpn: entry for entry in event.entries.exclude(tpn=None).select_related("player")
    }
    if not entries:
        return []
    if event.format == Event.Format.GROUPS_KNOCKOUT:
        return [
            Section(
                table.number,
                0,
                _section_rows(
                    [
                        (row, "qualified" if row.tpn in table.qualified else "")
                        for row in table.rows
                    ],
                    entries,
                ),
            )
            for table in stages.tables(_problem_now(event))
        ]
    if event.format == Event.Format.LEAGUE:
        last = event.rounds_total  # after the last season nobody moves
        return [
            Section(
                division.number,
                season.number,
                _section_rows(
                    [
                        (each.row, each.movement.value if season.last_round < last else "")
                        for each in division.rows
                    ],
                    entries,
                ),
            )
            for season in reversed(_seasons(event, _problem_now(event)))
            for division in season.divisions
        ]
    return []


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
    """Whether the format has a draw to show, now or later."""
    return event.format in _DRAWS


_DRAWS: Mapping[str, Callable[[PairingProblem], Draw | None]] = {
    Event.Format.KNOCKOUT: knockout.draw,
    Event.Format.DOUBLE_KNOCKOUT: double_knockout.draw,
    Event.Format.GROUPS_KNOCKOUT: stages.draw,
}


def draw(event: Event) -> list[DrawnRound]:
    """The knock-out of the event, ties to come included, by bracket and round.

    Empty before there is one.
    """
    entries = {
        entry.tpn: entry for entry in event.entries.exclude(tpn=None).select_related("player")
    }
    if not entries or not has_draw(event):
        return []
    bracket_draw = _DRAWS[event.format](_problem_now(event))
    if bracket_draw is None:
        return []
    rounds = [
        DrawnRound(
            each.bracket.value,
            each.round_number,
            [_drawn_tie(tie, entries) for tie in each.ties if not _is_void(tie)],
        )
        for each in bracket_draw.rounds
    ]
    # A second final that is not needed leaves a round without a tie.
    return [each for each in rounds if each.ties]


def _is_void(tie: Tie) -> bool:
    """Whether nobody will ever be in it."""
    return tie.upper.is_bye and tie.lower.is_bye


def _drawn_tie(tie: Tie, entries: Mapping[int | None, Entry]) -> DrawnTie:
    def slot(half: Slot) -> DrawnSlot:
        return DrawnSlot(
            entry=entries.get(half.tpn) if half.tpn else None,
            seed=half.seed,
            score_halves=half.score_halves,
            is_winner=half.tpn is not None and half.tpn == tie.winner and not tie.is_bye,
            is_bye=half.is_bye,
            from_tie=None if half.source.tie is None else half.source.tie + 1,
            takes_loser=half.source.takes_loser,
        )

    return DrawnTie(tie.index + 1, slot(tie.upper), slot(tie.lower), tie.is_higher_seed)


def rounds_total_after(event: Event, closed_rounds: int) -> int:
    """The number of rounds of the event, as it is after `closed_rounds`.

    Leagues whose divisions grow have longer seasons.

    A season that would end after the last round an event can have is not begun.
    """
    if event.format != Event.Format.LEAGUE:
        return event.rounds_total
    season = league.seasons(pairing_input.build(event, closed_rounds + 1).problem)[-1]
    if season.number > event.seasons or season.last_round > MAX_ROUNDS_OF_TABLES:
        return closed_rounds
    length = season.last_round - season.first_round + 1
    seasons = min(
        event.seasons - season.number, (MAX_ROUNDS_OF_TABLES - season.last_round) // length
    )
    return season.last_round + seasons * length
