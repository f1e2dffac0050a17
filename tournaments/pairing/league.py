"""A standing league: divisions that play round robins season by season, with players moving up and down in between."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tournaments.pairing.group_table import group_table, has_left, remaining
from tournaments.pairing.problem import BadProblemError, EventDecidedError, RoundKind
from tournaments.pairing.round_robin import check_cycles, seat_table, table_rounds
from tournaments.pairing.solution import IdleReason
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.pairing.group_table import GroupRow
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution


class League:
    """A league of `groups` divisions.

    `rounds_total` of an event is `rounds` times its initial number of seasons.

    Later seasons are as long as their largest division needs, so an event that accepts late entries
    may take more rounds.
    """

    name = "league"
    version = "league-1"

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Return the rounds of one season with this number of players.

        Raises BadProblemError when a division would have fewer than two, or `movers` would empty a
        division or move a player up and down simultaneously.
        """
        _check(players, options)
        return table_rounds(_sizes(players, options.groups)[0], options.cycles)

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round of every division. A player who waits for the next season is free.

        Raises:
            BadProblemError: also when the options make no sense for the players at the start of the
                event.
            EventDecidedError: when no division has two players left.
            NoPairingError: when a table lets two meet who must not.
        """
        refuse_pool(problem, self.name)
        *_, season = _lineups(problem)
        if all(len(division) < 2 for division in season.divisions):
            raise EventDecidedError("no division has two players left")
        builder = SolutionBuilder(problem)
        for number, division in enumerate(season.divisions, start=1):
            seat_table(
                builder,
                division,
                options=problem.options,
                round_number=problem.round_number - season.first_round + 1,
                details={"season": season.number, "division": number},
            )
        return builder.solution(others=RoundKind.FREE, reason=IdleReason.NEXT_SEASON)


class Movement(StrEnum):
    """Movement of a player after a season."""

    UP = "up"
    DOWN = "down"
    STAYS = "stays"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class DivisionRow:
    """A row of a division's table and its consequence.

    During the season, the consequence of an end now.
    """

    row: GroupRow
    movement: Movement


@dataclass(frozen=True, slots=True)
class Division:
    """A division in one season: its number, 1 at the top, and its table, best first."""

    number: int
    rows: tuple[DivisionRow, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """One season: number from 1, first and last round, whether all of it has been played, divisions with players."""

    number: int
    first_round: int
    last_round: int
    is_over: bool
    divisions: tuple[Division, ...]


def seasons(problem: PairingProblem) -> list[Season]:
    """Return all seasons up to that in which the round of `problem` is played, oldest first.

    A division is ordered by points, Sonneborn-Berger and wins in that season, then by the smaller
    TPN.
    """
    lineups = list(_lineups(problem))
    after = [*lineups[1:], _following(problem, lineups[-1])]
    return [_season(problem, now, then) for now, then in zip(lineups, after, strict=True)]


@dataclass(frozen=True, slots=True)
class _Lineup:
    """The players of a season, each division in the order of its Berger numbers, and the sizes to keep to."""

    number: int
    first_round: int
    last_round: int
    divisions: list[list[int]]
    places: list[int]


def _lineups(problem: PairingProblem) -> Iterator[_Lineup]:
    """Yield the seasons' line-ups up to that of the round to pair.

    At least one. Raises BadProblemError.
    """
    lineup = _first_lineup(problem)
    yield lineup
    while problem.round_number > lineup.last_round:
        lineup = _following(problem, lineup)
        yield lineup


def _first_lineup(problem: PairingProblem) -> _Lineup:
    field = (*problem.contestants, *problem.absent)
    tpns = sorted(c.tpn for c in field if c.joined_round == 1 and not has_left(c, 1))
    _check(len(tpns), problem.options)
    places = _sizes(len(tpns), problem.options.groups)
    divisions = [tpns[begin:end] for begin, end in pairwise(accumulate(places, initial=0))]
    return _Lineup(1, 1, _last_round(1, divisions, problem.options), divisions, places)


def _following(problem: PairingProblem, lineup: _Lineup) -> _Lineup:
    """Return the line-up of the next season, by the records there are."""
    ranked = [remaining(table) for table in _tables(problem, lineup)]
    divisions = moved(ranked, lineup.places, problem.options.movers)
    begin = lineup.last_round + 1
    divisions[-1] += sorted(
        c.tpn
        for c in (*problem.contestants, *problem.absent)
        if lineup.first_round < c.joined_round <= begin and not has_left(c, begin)
    )
    _dissolve_single(divisions)
    last_round = _last_round(begin, divisions, problem.options)
    return _Lineup(lineup.number + 1, begin, last_round, divisions, lineup.places)


def _last_round(
    first_round: int, divisions: Sequence[Sequence[int]], options: FormatOptions
) -> int:
    """Return the last round of a season.

    It has at least one, so that a season without games ends too.
    """
    longest = max(map(len, divisions))
    return first_round + max(1, table_rounds(longest, options.cycles)) - 1


def _tables(problem: PairingProblem, lineup: _Lineup) -> list[list[GroupRow]]:
    return [
        group_table(problem, division, first_round=lineup.first_round, last_round=lineup.last_round)
        for division in lineup.divisions
    ]


def moved(ranked: Sequence[Sequence[int]], places: Sequence[int], movers: int) -> list[list[int]]:
    """Return the divisions after moving up and down, from those who stay in the league, best first.

    From the top: the last `movers` of a division change places with the first of the next. If a
    division has fewer than its `places`, because a player left, a corresponding number more go up.
    If the division below has fewer players, fewer go down. No player moves by more than one
    division. The lowest has the rest.
    """
    rest = [list(division) for division in ranked]
    divisions: list[list[int]] = []
    from_above: list[int] = []
    for division in range(len(rest) - 1):
        staying, below = rest[division], rest[division + 1]
        vacant = places[division] - len(staying) - len(from_above)
        swapped = min(movers, len(staying), len(below))
        up = below[: swapped + max(0, vacant)]
        going = min(max(0, len(up) - vacant), len(staying))
        split = len(staying) - going
        divisions.append(from_above + staying[:split] + up)
        from_above = staying[split:]
        rest[division + 1] = below[len(up) :]
    return [*divisions, from_above + rest[-1]]


def _dissolve_single(divisions: list[list[int]]) -> None:
    """Send a player alone in the lowest division that has players to the one above, for lack of an opponent."""
    for upper, lower in reversed(list(pairwise(divisions))):
        if len(lower) > 1:
            return
        upper += lower
        lower.clear()


def _season(problem: PairingProblem, lineup: _Lineup, after: _Lineup) -> Season:
    goes_to = {tpn: number for number, d in enumerate(after.divisions) for tpn in d}
    divisions = tuple(
        Division(
            number + 1,
            tuple(DivisionRow(row, _movement(number, goes_to.get(row.tpn))) for row in table),
        )
        for number, table in enumerate(_tables(problem, lineup))
        if table
    )
    is_over = problem.round_number > lineup.last_round
    return Season(lineup.number, lineup.first_round, lineup.last_round, is_over, divisions)


def _movement(before: int, after: int | None) -> Movement:
    if after is None:
        return Movement.LEAVES
    if after == before:
        return Movement.STAYS
    return Movement.UP if after < before else Movement.DOWN


def _sizes(players: int, divisions: int) -> list[int]:
    """Return sizes that are as equal as possible.

    The upper divisions have one more if it does not come out even.
    """
    size, extra = divmod(players, divisions)
    return [size + (number < extra) for number in range(divisions)]


def _check(players: int, options: FormatOptions) -> None:
    check_cycles(options)
    if not 1 <= options.groups <= players // 2:
        raise BadProblemError(
            f"{options.groups} divisions of {players} players: a division needs two"
        )
    smallest = players // options.groups
    # From a division in the middle equal numbers go up and down.
    room = smallest // 2 if options.groups > 2 else smallest - 1
    if options.groups > 1 and not 0 <= options.movers <= room:
        raise BadProblemError(f"{options.movers} movers: a division of {smallest} spares {room}")
