"""All pairings of a bracket with few residents, as the paths through a graph of states.

A state is the set of players without an opponent after the first residents have been decided. Each
resident takes an MDP or a later resident, or floats. Paths to one set share its state, so that
there are far fewer states than pairings. C4, C6, C7 and C8 choose among the last states. Then every
other criterion, and every article of the order of generation, leaves the paths of the least cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.criterion import QualityCriterion, Scope, Unit
from tournaments.pairing.dutch.rules.generation import (
    exchange_order,
    mdp_order,
    transposition_order,
)
from tournaments.pairing.dutch.rules.values import scopes_of
from tournaments.pairing.dutch.search.bits import bits
from tournaments.pairing.dutch.search.floaters import possible_floaters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket, Pairs
    from tournaments.pairing.dutch.rules.generation import GenerationOrder
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.dutch.search.completion import Completion

# Numbers beyond which the other ways are quicker: of residents, of states after one of them, and of
# sets of floaters among which C8 chooses.
_MOST_RESIDENTS = 10
_MOST_STATES = 800
_MOST_SETS = 50
# Up to the first number of residents this way is the quickest. Up to the second it is if less than
# this share of the pairs is possible.
_FEW_RESIDENTS = 3
_SEVERAL_RESIDENTS = 8
_SPARSE = 0.65
# Room for a number of MDPs.
_DIGITS = 16

# The step from a state to the next: a pair, or None without one. The step to the end is the set of
# floaters.
_Label = tuple[int, int] | int | None


def has_few_pairings(bracket: Bracket) -> bool:
    """Return whether to look at all pairings before the quick way is tried."""
    residents = bracket.residents
    if not _FEW_RESIDENTS < len(residents) <= _SEVERAL_RESIDENTS:
        return len(residents) <= _FEW_RESIDENTS
    members, legal = sum(1 << place for place in bracket.members), bracket.field.legal
    opponents = sum((legal[place] & members).bit_count() for place in residents)
    return opponents < _SPARSE * len(residents) * (len(bracket.members) - 1)


class SmallBrackets:
    """The small brackets of a round. Brackets that C8 asks about stay here until their turn."""

    def __init__(self, completion: Completion) -> None:
        self._completion = completion
        self._known: dict[tuple[int, tuple[int, ...]], _Small] = {}

    def pairs(self, bracket: Bracket) -> Pairs | None:
        """Return the pairs of the bracket by place, or None if it or the next one has too many pairings."""
        if len(bracket.residents) > _MOST_RESIDENTS:
            return None
        small = self._small(bracket)
        floaters = small.floaters
        if len(floaters) > _MOST_SETS:
            return None
        if len(floaters) > 1:
            floaters = self._taken(bracket, floaters) or [f for f in floaters if small.takes(f)]
        if len(floaters) > 1 and bracket.below:
            floaters = self._best_below(bracket, floaters)
        return _first_best(bracket, small.paths(floaters)) if floaters else None

    def only_floaters(self, bracket: Bracket) -> list[int]:
        """Return the players one of whom floats alone, equal in C6 to C8, or none if that is not known.

        The bracket need not be small, but the next one.
        """
        if len(bracket.members) % 2 == 0 or not bracket.below or bracket.bye_falls_here:
            return []
        possible = [1 << place for place in possible_floaters(bracket)]
        taken = [each for each in possible if self._completion.takes(each, bracket.below)]
        best = self._best_below(bracket, taken) if taken else []
        return [each.bit_length() - 1 for each in best]

    def _taken(self, bracket: Bracket, floaters: Sequence[int]) -> list[int]:
        """Return the single floaters whom the next bracket takes at its best (C4, C8), if there are such."""
        if not bracket.below or bracket.bye_falls_here or floaters[0].bit_count() > 1:
            return []
        taken = self._completion.floaters_taken(bracket)
        return [each for each in floaters if each & taken]

    def _best_below(self, bracket: Bracket, floaters: Sequence[int]) -> list[int]:
        """Return the sets of floaters with which the next bracket does best (C8), or none if it has too many pairings."""
        if len(bracket.below[0]) > _MOST_RESIDENTS:
            return []
        left = []
        for each in floaters:
            following = self._small(bracket.next(tuple(bits(each))))
            if following.left is None:
                return []
            left.append(following.left)
        least = min(left)
        return [each for each, values in zip(floaters, left, strict=True) if values == least]

    def _small(self, bracket: Bracket) -> _Small:
        key = bracket.residents.start, bracket.mdps
        small = self._known.get(key)
        if small is None:
            small = self._known[key] = _Small(bracket, self._completion)
        return small


class _Small:
    """A bracket with its pairings of the best C6 and C7 after which the round can be completed (C4).

    Attributes:
        left: the number of floaters, and of MDPs of each score among them. None if there are too
            many states.
        floaters: sets of floaters, as bits, as good as the first. The first can be taken below.
    """

    def __init__(self, bracket: Bracket, completion: Completion) -> None:
        self._bracket = bracket
        self._completion = completion
        by_score: dict[int, int] = {}
        for place in bracket.mdps:
            score = bracket.field.players[place].score_halves
            by_score[score] = by_score.get(score, 0) | 1 << place
        self._mdps_by_score = list(by_score.values())
        self._mdps = sum(self._mdps_by_score)
        residents = (1 << bracket.residents.stop) - (1 << bracket.residents.start)
        self._members = self._mdps | residents
        legal = bracket.field.legal
        self._near = [(p, near) for p in bracket.residents if (near := legal[p] & self._members)]
        self._needed, self._useful = 0, -1
        if len(self._near) > _FEW_RESIDENTS:
            self._needed, self._useful = completion.needed_above(bracket.below)
        self.left: tuple[int, int] | None = None
        self.floaters: list[int] = []
        self._layers: list[set[int]] = []
        self._find()

    def _find(self) -> None:
        """Find the least number of floaters, then the best sets of that number, that let the round be completed."""
        size = self._members.bit_count()
        pairs = min(len(self._near), (size - self._needed) // 2)
        while layers := self._states(pairs):
            in_order = sorted((self._mdps_floating(floaters), floaters) for floaters in layers[-1])
            for n, (mdps, floaters) in enumerate(in_order):
                if self.takes(floaters):
                    self.left = size - 2 * pairs, mdps
                    self.floaters = [other for equals, other in in_order[n:] if equals == mdps]
                    self._layers = layers
                    return
            pairs = min(pairs - 1, (size - self._needed) // 2)

    def _mdps_floating(self, floaters: int) -> int:
        """Return how many MDPs of each score float, those of the highest score in the highest digits."""
        total = 0
        for equals in self._mdps_by_score:
            total = total << _DIGITS | (floaters & equals).bit_count()
        return total

    def takes(self, floaters: int) -> bool:
        """Return whether the round can be completed after these float."""
        if floaters == self._members:
            return True  # no pair is possible, and the round could be completed before
        count, below = floaters.bit_count(), self._bracket.below
        if count < self._needed or (count == self._needed and floaters & ~self._useful):
            return False
        if self._completion.takes(floaters, below):
            return True
        self._needed, self._useful = self._completion.needed_above(below)
        return False

    def _states(self, pairs: int) -> list[set[int]]:
        """Return the states before and after each resident for this number of pairs, or nothing if there are too many states."""
        floating = self._members.bit_count() - 2 * pairs
        # With no more floaters than C4 needs, these cannot float.
        paired = self._members & ~self._useful if floating == self._needed else 0
        todo = sum(1 << place for place, _ in self._near)
        layer = {self._members}
        layers = [layer]
        for place, near in self._near:
            bit = 1 << place
            todo ^= bit
            partners = near & (self._mdps | todo)
            following = set()
            for free in layer:
                if not free & bit:
                    following.add(free)
                    continue
                missing = free.bit_count() - floating >> 1
                # Every pair takes a resident.
                has_spare = (free & todo).bit_count() >= missing
                if has_spare and not bit & paired:
                    following.add(free)
                others = partners & free & (-1 if has_spare else ~todo) if missing else 0
                while others:
                    low = others & -others
                    others ^= low
                    following.add(free ^ bit ^ low)
            layer = following
            if len(layer) > _MOST_STATES:
                return []
            layers.append(layer)
        layers[-1] = {free for free in layer if not free & paired}
        return layers

    def paths(self, floaters: Iterable[int]) -> _Paths:
        """Return the paths to the ends with these sets of floaters."""
        end = _State()
        states = {free: _State() for free in floaters}
        end.before = [(state, free) for free, state in states.items()]
        backwards = [end, *states.values()]
        todo = 0
        for (place, near), layer in zip(self._near[::-1], self._layers[-2::-1], strict=True):
            bit = 1 << place
            partners = near & (self._mdps | todo)
            todo |= bit
            earlier: dict[int, _State] = {}
            for free, state in states.items():
                links: list[tuple[int, _Label]] = [
                    (free | bit | 1 << other, (min(place, other), max(place, other)))
                    for other in bits(0 if free & bit else partners & ~free)
                    if free | bit | 1 << other in layer
                ]
                if free in layer:
                    links.append((free, None))
                for before, label in links:
                    if before not in earlier:
                        earlier[before] = _State()
                        backwards.append(earlier[before])
                    state.before.append((earlier[before], label))
            states = earlier
        return _Paths(backwards[::-1])


class _State:
    """A state with the links to those before it, and the least cost of a path from the first one."""

    __slots__ = ("before", "cost")

    def __init__(self) -> None:
        self.before: list[tuple[_State, _Label]] = []
        self.cost = 0


class _Paths:
    """The paths to the end that are left, as their states, each after those before it."""

    def __init__(self, states: list[_State]) -> None:
        self._states = states

    @property
    def is_single(self) -> bool:
        """Return whether one path is left."""
        return all(len(state.before) < 2 for state in self._states)

    @property
    def labels(self) -> set[_Label]:
        """Return what leads from state to state."""
        return {label for state in self._states for _, label in state.before}

    @property
    def pairs(self) -> Pairs:
        """Return the pairs on any of the paths, in ranking order."""
        return sorted(label for label in self.labels if isinstance(label, tuple))

    def keep_least(self, costs: Mapping[_Label, int]) -> None:
        """Keep the paths of the least cost."""
        for state in self._states:
            totals = [before.cost + costs.get(label, 0) for before, label in state.before]
            state.cost = min(totals, default=0)
            if len(totals) > 1:
                links = zip(state.before, totals, strict=True)
                state.before = [link for link, total in links if total == state.cost]
        left = {self._states[-1]}
        for state in reversed(self._states):
            if state in left:
                left.update(before for before, _ in state.before)
        self._states = [state for state in self._states if state in left]

    def keep_first(self, order: GenerationOrder) -> None:
        """Keep the paths that are generated first."""
        self.keep_least({pair: -order.worth(*pair) for pair in self.pairs})


def _first_best(bracket: Bracket, paths: _Paths) -> Pairs:
    """Return the pairs of the best path, of equals the first that is generated (3.8)."""
    if not paths.is_single:
        _narrow_by_criteria(bracket, paths)
    if not paths.is_single:
        _narrow_by_order(bracket, paths)
    return paths.pairs


def _narrow_by_criteria(bracket: Bracket, paths: _Paths) -> None:
    """Keep the best paths in C9 to C21: a path's cost has digits for every criterion, the earlier above the later."""
    counted = _counted(bracket, paths)
    digits = len(bracket.members).bit_length()
    costs: dict[_Label, int] = {}
    unit = 1
    for criterion in reversed(bracket.field.criteria):
        if not isinstance(criterion, QualityCriterion):
            continue
        total = 0
        for label, one, two in counted.get(criterion.scope, ()):
            amount = criterion.amount(bracket, one, two)
            if amount is not None:
                cost = 1 << digits * amount if criterion.unit is Unit.POINTS else amount
                total += cost
                costs[label] = costs.get(label, 0) + cost * unit
        unit <<= total.bit_length()
    paths.keep_least(costs)


def _counted(
    bracket: Bracket, paths: _Paths
) -> dict[Scope, list[tuple[_Label, DutchPlayer, DutchPlayer | None]]]:
    """Return the pairs and floaters that the criteria of each scope count, with the label that they belong to."""
    players = bracket.field.players
    counted: dict[Scope, list[tuple[_Label, DutchPlayer, DutchPlayer | None]]] = {}
    for label in paths.labels:
        instances: list[tuple[DutchPlayer, DutchPlayer | None]]
        if isinstance(label, tuple):
            instances = [(players[label[0]], players[label[1]])]
        else:
            instances = [(players[place], None) for place in bits(label or 0)]
        for one, two in instances:
            for scope in scopes_of(one, two, is_mdp=one.place in bracket.mdps):
                counted.setdefault(scope, []).append((label, one, two))
    floaters = counted.pop(Scope.FLOATERS, [])  # C6 and C7 are equal
    if bracket.bye_falls_here and all(label == 1 << one.place for label, one, _ in floaters):
        counted[Scope.BYE] = floaters
    return counted


def _narrow_by_order(bracket: Bracket, paths: _Paths) -> None:
    """Keep the path that is generated first: by 4.4 and 4.2 for the MDPs, then by 4.3 and 4.2 for the remainder."""
    paths.keep_first(mdp_order(bracket))
    mdp_pairs = {one: two for one, two in paths.pairs if one in bracket.mdps}
    remainder = [p for p in bracket.residents if p not in mdp_pairs.values()]
    floaters = next(label for label in paths.labels if isinstance(label, int))
    size = (len(bracket.members) - floaters.bit_count()) // 2 - len(mdp_pairs)
    paths.keep_first(exchange_order(remainder[:size], remainder[size:]))
    first = sorted({one for one, _ in paths.pairs if one not in mdp_pairs})
    paths.keep_first(transposition_order(first, [p for p in remainder if p not in first]))
    assert paths.is_single, "no two pairings are generated together"
