"""Completion of the round (C4), and the score of the bye (C5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bye import bye_choices
from tournaments.pairing.dutch.search.bits import augment, bits, exchangeable, left_free, matching
from tournaments.pairing.problem import NoPairingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.rules.field import DutchField

BYE = -1  # the vertex of the pairing-allocated bye; no place


def bye_candidates(field: DutchField) -> frozenset[int]:
    """Return the places that may have the pairing-allocated bye (2.1.2, 2.3.1), empty in an even field.

    Raises:
        NoPairingError: when no player can have it, or the field cannot be paired at all.
    """
    n = len(field.players)
    mate = matching(field.legal)
    free = [v for v, other in enumerate(mate) if other < 0]
    if len(free) > n % 2:
        raise NoPairingError(
            f"{n} contestants cannot all be paired: at most {(n - len(free)) // 2} boards are possible without"
            " a rematch, a forbidden pair or two equal absolute colour preferences"
        )
    if not free:
        return frozenset()
    for choice in bye_choices(field):
        if any(can_be_left_out(field, mate, free[0], place) for place in choice):
            return frozenset(choice)
    raise NoPairingError(
        f"{n} contestants cannot all be paired: all who could be left over have had a bye or a win without playing"
    )


def can_be_left_out(field: DutchField, mate: list[int], free: int, place: int) -> bool:
    """Return whether all but this one can be paired.

    `mate` is a largest matching that leaves only `free` over.
    """
    if place == free:
        return True
    rest = (1 << len(mate)) - 1 & ~(1 << place)
    mates = list(mate)
    mates[mates[place]] = -1
    mates[place] = -1
    return augment([mask & rest for mask in field.legal], mates, free)


class Completion:
    """The pairing of a bracket's remaining players further down.

    The matching that answered last is kept: from one bracket to the next only little of it has to
    change.
    """

    def __init__(self, field: DutchField, bye: frozenset[int]) -> None:
        self._field = field
        self._bye = bye
        self._candidates = sum(1 << place for place in bye)
        self._bye_vertex = len(field.players)
        self._rows = [
            near | (self._candidates >> v & 1) << self._bye_vertex
            for v, near in enumerate(field.legal)
        ]
        self._rows.append(self._candidates)
        self._mate = [-1] * (self._bye_vertex + 1)
        self._needed: dict[int, tuple[int, int]] = {}
        self._matched = 0  # who has a mate in it

    def takes(self, floaters: int, below: Sequence[range]) -> bool:
        """Return whether these, as bits, can be paired with the groups below so that all are paired, one of them with the bye if there is one to give.

        Floaters do not meet each other.
        """
        return self._pairs_up(floaters | self._tail(below), floaters)

    def takes_floater(self, bracket: Bracket, floater: int) -> bool:
        """Return whether the next bracket has its best C6 and C7 with this floater, and all below can be paired (C4, C8)."""
        if bracket.bye_falls_here:
            return self.takes(1 << floater, bracket.below)
        if not bracket.below:
            return False
        group, rest = bracket.below[0], bracket.below[1:]
        if len(group) % 2 == 1:
            return self._is_perfect([floater, *group]) and self.takes(0, rest)
        # One resident has to float further. C7 wants no other.
        near = induced(self._field.legal, [floater, *group])
        left = left_free(near) >> 1 << group.start
        if not left:
            return False
        last = 1 << left.bit_length() - 1
        return self.takes(last, rest) or bool(left & self._completers(rest))

    def floaters_taken(self, bracket: Bracket) -> int:
        """Return all places, as bits, with which as floaters `takes_floater` is true.

        The bye falls below the bracket.
        """
        group, rest = bracket.below[0], bracket.below[1:]
        near = induced(self._field.legal, group)
        if len(group) % 2 == 1:
            if not self.takes(0, rest):
                return 0
        else:
            # The one who has to float on has a seat for it.
            on = self._completers(rest) >> group.start & (1 << len(group)) - 1
            near = [mask | (on >> v & 1) << len(group) for v, mask in enumerate(near)]
            near.append(on)
        left = left_free(near) & (1 << len(group)) - 1
        return self._beside(left << group.start)

    def _completers(self, below: Sequence[range]) -> int:
        """Return the places, as bits, any one of which can be paired with the groups below so that all there are paired."""
        needed, useful = self.needed_above(below)
        return useful if needed == 1 else 0

    def needed_above(self, below: Sequence[range]) -> tuple[int, int]:
        """Return the least number of floaters with whom the groups below can be paired, and the places, as bits, that may be among so few."""
        tail = self._tail(below)
        if tail not in self._needed:
            first, graph, mate = self._largest(tail, 0)
            free = [v for v, other in enumerate(mate) if other < 0]
            left = exchangeable(graph, mate, free) << first
            self._needed[tail] = len(free), self._beside(left)
        return self._needed[tail]

    def _tail(self, below: Sequence[range]) -> int:
        """Return the groups below and the bye."""
        tail = 1 << self._bye_vertex if self._bye else 0
        return tail | (1 << below[-1].stop) - (1 << below[0].start) if below else tail

    def _beside(self, places: int) -> int:
        """Return the neighbours of any of these."""
        beside = 0
        for v in bits(places):
            beside |= self._rows[v]
        return beside

    def mates(self, floaters: Sequence[int], bracket: Bracket) -> dict[int, int]:
        """Return a way to complete the round after these float, mate by place, or an empty mapping without one (C4)."""
        if not self.takes(_mask(floaters), bracket.below):
            return {}
        return {place: self._mate[place] for place in (*floaters, *bracket.below[0])}

    def takes_left(self, left: Sequence[int], bracket: Bracket) -> bool:
        """Return whether those left over by bracket and next group can be paired with the groups after the next."""
        return self.takes(_mask(left), bracket.below[1:])

    def can_be_paired(self, bracket: Bracket) -> bool:
        """Return whether all players from this bracket down can be paired, MDPs not with each other."""
        return self.takes(_mask(bracket.mdps), (bracket.residents, *bracket.below))

    def least_left(self, bracket: Bracket) -> tuple[int, ...] | None:
        """Return the floaters that are as good in C6 and C7 as the bracket's size allows, None if there are none (C4)."""
        if len(bracket.members) % 2 == 0:
            fits = self.takes(0, bracket.below) and self._pairs_all_but(bracket, 0)
            return () if fits else None
        for place in reversed(bracket.members):
            # C7 wants no MDP to move on.
            may_float = bracket.bye_falls_here or place in bracket.residents
            if (
                may_float
                and self.takes(1 << place, bracket.below)
                and self._pairs_all_but(bracket, 1 << place)
            ):
                return (place,)
        return None

    def _pairs_all_but(self, bracket: Bracket, without: int) -> bool:
        """Return whether the members can all be paired with each other, except those in `without`, MDPs not with each other."""
        mdps = _mask(bracket.mdps) & ~without
        return self._pairs_up(mdps | _mask(bracket.residents) & ~without, mdps)

    def _is_perfect(self, places: Sequence[int]) -> bool:
        """Return whether all these can be paired with each other."""
        return len(places) % 2 == 0 and min(matching(induced(self._field.legal, places))) >= 0

    def _pairs_up(self, mask: int, apart: int) -> bool:
        """Return whether all these can be paired with each other, those in `apart` only with others."""
        if mask.bit_count() % 2:
            return False
        return self._repaired(mask, apart) or self._solved(mask, apart)

    def _repaired(self, mask: int, apart: int) -> bool:
        """Return whether the kept matching becomes perfect on `mask` by pairing those with each other who lost their mates."""
        if mask & ~self._matched:
            return False
        free = 0
        for vertex in bits(self._matched & ~mask):
            free |= 1 << self._mate[vertex]
        for v in bits(apart):
            free |= (1 << v | 1 << self._mate[v]) if apart >> self._mate[v] & 1 else 0
        free &= mask
        pairs = []
        while free:
            v = (free & -free).bit_length() - 1
            free ^= 1 << v
            near = self._near(v, apart) & free
            if not near:
                return False
            # The last one: the first ones are the harder to pair.
            other = near.bit_length() - 1
            free ^= 1 << other
            pairs.append((v, other))
        for v, other in pairs:
            self._mate[v], self._mate[other] = other, v
        self._matched = mask
        return True

    def _near(self, v: int, apart: int) -> int:
        near = self._rows[v]
        return near & ~apart if apart >> v & 1 else near

    def _solved(self, mask: int, apart: int) -> bool:
        _, _, mate = self._largest(mask, apart)
        return min(mate, default=0) >= 0

    def _largest(self, mask: int, apart: int) -> tuple[int, list[int], list[int]]:
        """Return the first place in `mask`, the graph from there on, and a largest matching of it.

        It is made from the pairs of the kept one that can remain, and is kept. Other places are
        their own mates.
        """
        first = max((mask & -mask).bit_length() - 1, 0)
        size = mask.bit_length() - first
        graph, mate = [0] * size, list(range(size))
        known = self._matched & mask
        for v in bits(mask):
            other = self._mate[v]
            together = known >> v & 1 and known >> other & 1 and not apart >> v & apart >> other & 1
            mate[v - first] = other - first if together else -1
            graph[v - first] = (self._near(v, apart) & mask) >> first
        matching(graph, mate)
        self._matched = mask & ~sum(1 << v << first for v, other in enumerate(mate) if other < 0)
        for v in bits(self._matched):
            self._mate[v] = mate[v - first] + first
        return first, graph, mate


def _mask(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def induced(legal: Sequence[int], places: Sequence[int], *, by_place: bool = True) -> list[int]:
    """Return the graph of some places, renumbered.

    Ranges of neighbours remain ranges, so that this is a few shifts. `legal` holds the neighbours
    of every place, or only of these in equal order.
    """
    runs: list[tuple[int, int, int]] = []  # first place, number of places, first vertex
    for v, place in enumerate(places):
        if runs and runs[-1][0] + runs[-1][1] == place:
            first, size, vertex = runs[-1]
            runs[-1] = (first, size + 1, vertex)
        else:
            runs.append((place, 1, v))
    rows = [legal[place] for place in places] if by_place else legal
    number = {place: v for v, place in enumerate(places)}
    here = sum(1 << place for place in places)
    return [_renumbered(row & here, runs, number) for row in rows]


def _renumbered(mask: int, runs: Sequence[tuple[int, int, int]], vertex: Mapping[int, int]) -> int:
    renumbered = 0
    if mask.bit_count() < len(runs):
        for place in bits(mask):
            renumbered |= 1 << vertex[place]
        return renumbered
    for first, size, start in runs:
        renumbered |= (mask >> first & (1 << size) - 1) << start
    return renumbered
