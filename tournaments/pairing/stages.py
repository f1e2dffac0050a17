"""Two stages: groups by serpentine seeding that play round robins, then a knock-out of the best of each group."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tournaments.pairing.brackets import bracket_size, places_by_exit, seeding_order
from tournaments.pairing.group_table import group_table, remaining
from tournaments.pairing.knockout import elimination, rounds_of_elimination, seat_ties
from tournaments.pairing.problem import BadProblemError, EventDecidedError, RoundKind
from tournaments.pairing.round_robin import check_cycles, seat_table, table_rounds
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool, starters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tournaments.pairing.brackets import Draw
    from tournaments.pairing.group_table import GroupRow
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution


class GroupsKnockout:
    """Round robins in groups, then a single elimination of the first `qualifiers` of each."""

    name = "groups-knockout"
    version = "groups-knockout-2"

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Return rounds of the largest group and of the knock-out.

        Raises BadProblemError when a group would have fewer than two, or fewer than qualify, or
        only one qualifies at all.
        """
        _check(players, options)
        return _group_rounds(players, options) + rounds_of_elimination(
            options.groups * options.qualifiers
        )

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round of all groups, or of the knock-out.

        Raises:
            BadProblemError: also when the options make no sense.
            EventDecidedError: when the knock-out has a champion, or has ended without any player.
            NoPairingError: when table or draw let two meet who must not.
        """
        refuse_pool(problem, self.name)
        tpns = starters(problem)
        rounds = self.rounds(len(tpns), problem.options)
        builder = SolutionBuilder(problem)
        drawn = draw(problem)
        if drawn is not None:
            seat_ties(builder, problem, drawn, losses=1)
        if problem.round_number > rounds:
            raise EventDecidedError(f"all {rounds} rounds have been played")
        if drawn is None:
            for number, group in enumerate(groups(problem), start=1):
                seat_table(
                    builder,
                    group,
                    options=problem.options,
                    round_number=problem.round_number,
                    details={"group": number},
                )
        return builder.solution(others=RoundKind.OUT)


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A group's number from 1 and its rows.

    `qualified` are the TPNs that qualify, or would if it ended now.
    """

    number: int
    rows: tuple[GroupRow, ...]
    qualified: tuple[int, ...]


def groups(problem: PairingProblem) -> list[list[int]]:
    """TPNs of each group, dealt out from the first group to the last and back again, and so on."""
    count = problem.options.groups
    members: list[list[int]] = [[] for _ in range(count)]
    for place, tpn in enumerate(starters(problem)):
        row, column = divmod(place, count)
        members[count - 1 - column if row % 2 else column].append(tpn)
    return members


def tables(problem: PairingProblem) -> list[GroupTable]:
    """Return the table of each group after the records of `problem`, knock-out rounds left out.

    A player who has left by the first round of the knock-out does not qualify. The next of the
    group does.
    """
    last = _group_rounds(len(starters(problem)), problem.options)
    tables_of_groups = []
    for number, group in enumerate(groups(problem), start=1):
        rows = group_table(problem, group, first_round=1, last_round=last)
        qualified = remaining(rows)[: problem.options.qualifiers]
        tables_of_groups.append(GroupTable(number, tuple(rows), tuple(qualified)))
    return tables_of_groups


def draw(problem: PairingProblem) -> Draw | None:
    """Return the draw of the knock-out, or None before all rounds of the groups have been played."""
    before = _group_rounds(len(starters(problem)), problem.options)
    if problem.round_number <= before:
        return None
    options = problem.options
    qualified = [table.qualified for table in tables(problem)]
    seeds: list[int | None] = [None] * (options.groups * options.qualifiers)
    for group, own in enumerate(seeds_of_groups(options.groups, options.qualifiers)):
        for seed, tpn in zip(own, qualified[group], strict=False):
            seeds[seed - 1] = tpn
    return elimination(problem, seeds, rounds_before=before)


def places(problem: PairingProblem) -> list[list[int]]:
    """Return the TPNs that share a place, best first: by the knock-out, then the others by rank in the group.

    Players who share a rank with qualified ones come after them.
    """
    drawn = draw(problem)
    exits = [] if drawn is None else places_by_exit(drawn, losses=1)
    named = {tpn for group in exits for tpn in group}
    ranks: dict[int, list[int]] = {}
    for table in tables(problem):
        passed = Counter(row.rank for row in table.rows if row.tpn in named)
        for row in table.rows:
            if row.tpn not in named:
                ranks.setdefault(row.rank + passed[row.rank], []).append(row.tpn)
    return exits + [ranks[rank] for rank in sorted(ranks)]


@lru_cache(maxsize=64)
def seeds_of_groups(count: int, qualifiers: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each of `count` groups, the seeds in the knock-out of its first, second, ... qualifiers.

    Winners have the first seeds, in the order of the groups, runners-up the next, and so on. Within
    that the players of a group are in different halves, quarters, ... of the draw as far as there
    are enough, so that they cannot meet again before they must. Halves and quarters are always
    shared out evenly, and eighths too up to five of a group. Beyond that most numbers of groups
    allow it too, but places are given tier by tier and not taken back.
    """
    size = bracket_size(count * qualifiers)
    place = {seed: n for n, seed in enumerate(seeding_order(size))}
    depth_of_draw = size.bit_length() - 1
    own: list[list[int]] = [[] for _ in range(count)]
    for tier in range(qualifiers):
        open_seeds = range(tier * count + 1, (tier + 1) * count + 1)
        depths = range(min(tier.bit_length(), depth_of_draw), -1, -1)
        # At depth 0 every seed may be any player's, so there is always an answer.
        stage_index = next(
            seeds
            for depth in depths
            if (seeds := _assigned(open_seeds, _apart(own, place, depth_of_draw, depth)))
        )
        for group, seed in enumerate(stage_index):
            own[group].append(seed)
    return tuple(map(tuple, own))


def _apart(
    own: Sequence[Sequence[int]], place: dict[int, int], depth_of_draw: int, depth: int
) -> Callable[[int, int], bool]:
    """Return whether a group may have one more in a seed's half, quarter, ... down to that depth and stay evenly spread."""

    def allowed(group: int, seed: int) -> bool:
        mine = [place[s] for s in own[group]]
        for shift in range(depth_of_draw - depth, depth_of_draw):
            block = place[seed] >> shift
            most = -(-(len(mine) + 1) // (1 << (depth_of_draw - shift)))
            if sum(p >> shift == block for p in mine) >= most:
                return False
        return True

    return allowed


def _assigned(seeds: range, allowed: Callable[[int, int], bool]) -> list[int] | None:
    """Return a seed for each group, near its own order if that is allowed, or None when not all can have one.

    A bipartite matching by augmenting paths (Kuhn 1955, in Munkres' breadth-first form).
    """
    holder: dict[int, int] = {}
    for group in range(len(seeds)):
        taken_by: dict[int, int] = {}
        queue = deque([group])
        free = None
        while queue and free is None:
            asking = queue.popleft()
            for seed in _outwards(seeds, asking):
                if seed in taken_by or not allowed(asking, seed):
                    continue
                taken_by[seed] = asking
                if seed not in holder:
                    free = seed
                    break
                queue.append(holder[seed])
        if free is None:
            return None
        _hand_over(holder, taken_by, free, group)
    return [seed for _, seed in sorted((group, seed) for seed, group in holder.items())]


def _outwards(seeds: range, group: int) -> Iterator[int]:
    """Return the seeds by distance from the one that has the group's own place, the smaller first."""
    return iter(sorted(seeds, key=lambda seed: (abs(seed - seeds[group]), seed)))


def _hand_over(holder: dict[int, int], taken_by: dict[int, int], free: int, group: int) -> None:
    """Give each seed on the path back from `free` to the group that asked for it."""
    held = {asking: seed for seed, asking in holder.items()}
    seed: int = free
    while True:
        asking = taken_by[seed]
        holder[seed] = asking
        if asking == group:
            return
        seed = held[asking]


def _group_rounds(players: int, options: FormatOptions) -> int:
    return table_rounds(-(-players // options.groups), options.cycles)


def _check(players: int, options: FormatOptions) -> None:
    check_cycles(options)
    if not 1 <= options.groups <= players // 2:
        raise BadProblemError(f"{options.groups} groups of {players} players: a group needs two")
    if not 1 <= options.qualifiers <= players // options.groups:
        raise BadProblemError(
            f"{options.qualifiers} qualifiers: the smallest group has {players // options.groups}"
        )
    if options.groups * options.qualifiers < 2:
        raise BadProblemError("one qualifier of one group: a knock-out needs two")
