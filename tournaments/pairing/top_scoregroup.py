"""The procedure of the top scoregroup, which Double-Swiss (C.04.5 3.3-3.6) and Swiss Team (C.04.6 3.3-3.6) share.

The bye is given first. Then the highest score of those left is completed by upfloaters, all are
paired, and the next highest score follows. Each choice is a perfect matching of least cost, and of
several the first in an order. Prices of vertices tell which edges such a matching can have
(`dutch.search`), so no enumeration is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.best_matchings import BestMatchings
from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.individual import can_be_paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.pairing.colours import Preference
    from tournaments.pairing.problem import Contestant, PairingProblem


@dataclass(frozen=True, slots=True)
class Member:
    """A player or team to be paired.

    Attributes:
        halves: the pairing score: with the virtual points of this round (C.04.7 1.5).
        due: the colour preference, of no strength if the system has no preferences.
        floated: whether it met another score in the previous round. False in rounds that do not
            look at floats.
    """

    contestant: Contestant
    halves: int
    due: Preference
    floated: bool

    @property
    def tpn(self) -> int:
        """Return the pairing number."""
        return self.contestant.tpn


@dataclass(frozen=True, slots=True)
class TopBracket:
    """A paired bracket: `residents` and `upfloaters` in ranking order, `pairs` by their smaller TPNs, which come first.

    `keeps_next` is whether the scoregroup that follows can be paired with the least upfloaters that
    its size allows (C6). It is None without upfloaters, since there was no choice.
    """

    residents: tuple[Member, ...]
    upfloaters: tuple[Member, ...]
    pairs: tuple[tuple[Member, Member], ...]
    keeps_next: bool | None

    @property
    def gaps(self) -> tuple[int, ...]:
        """Return the differences of the upfloaters from the residents' score, the most first (C5)."""
        top = self.residents[0].halves
        return tuple(sorted((top - each.halves for each in self.upfloaters), reverse=True))

    @property
    def floated_twice(self) -> int:
        """Return the number of upfloaters who floated in the previous round (C7)."""
        return sum(each.floated for each in self.upfloaters)

    @property
    def same_side(self) -> int:
        """Return the number of pairs in which both prefer one side: one of them does not get it."""
        return sum(_same_side(one, two) for one, two in self.pairs)

    @property
    def same_strong(self) -> int:
        """Return the number of those pairs in which both prefer it strongly."""
        return sum(_same_strong(one, two) for one, two in self.pairs)

    @property
    def opponents_floated(self) -> int:
        """Return the number of opponents of upfloaters who floated in the previous round."""
        above = self.residents[0].halves
        return sum(_floated_opponents(one, two, above) for one, two in self.pairs)


def _same_side(one: Member, two: Member) -> int:
    return int(one.due.side is not None and one.due.side is two.due.side)


def _same_strong(one: Member, two: Member) -> int:
    return int(_same_side(one, two) and min(one.due.strength, two.due.strength) >= Strength.STRONG)


def _floated_opponents(one: Member, two: Member, above: int) -> int:
    """Return how many opponents of upfloaters in a pair have floated.

    In a pair of two upfloaters both count.
    """
    return (one.halves < above and two.floated) + (two.halves < above and one.floated)


class TopScoregroups:
    """The brackets of a round: of `members` in ranking order, who may meet whom as bits, and the place of the bye."""

    def __init__(self, members: Sequence[Member], legal: Sequence[int], bye: int | None) -> None:
        self.members = members
        self.legal = legal
        self._bye = bye

    def brackets(self) -> Iterator[TopBracket]:
        """Yield the brackets from the top."""
        rest = [place for place in range(len(self.members)) if place != self._bye]
        while rest:
            top = self.members[rest[0]].halves
            residents = [place for place in rest if self.members[place].halves == top]
            upfloaters, keeps_next = self._upfloaters(residents, rest[len(residents) :])
            inside = {*residents, *upfloaters}
            rest = [place for place in rest if place not in inside]
            yield TopBracket(
                tuple(self.members[p] for p in residents),
                tuple(self.members[p] for p in upfloaters),
                self._pairs(inside, top),
                keeps_next,
            )

    def _upfloaters(self, residents: list[int], below: list[int]) -> tuple[list[int], bool | None]:
        """Return the places of the upfloaters (3.5), and whether C6 is kept."""
        if can_be_paired(self.legal, residents) and can_be_paired(self.legal, below):
            return [], None
        search = _UpfloaterSearch(self.members, residents, below, self.legal, is_next_kept=True)
        if not search.keeps_next():
            search = _UpfloaterSearch(
                self.members, residents, below, self.legal, is_next_kept=False
            )
        return search.first_best(), search.keeps_next()

    def _pairs(self, inside: set[int], top: int) -> tuple[tuple[Member, Member], ...]:
        """Return the pairing of a bracket whose identifier is the first among the best (3.6)."""
        places = sorted(inside, key=lambda place: self.members[place].tpn)
        members = [self.members[place] for place in places]
        digits = Digits()
        floated, strong, side = (digits.take(len(members)) for _ in range(3))

        def weight(a: int, b: int) -> int:
            one, two = members[a], members[b]
            cost = side * _same_side(one, two) + strong * _same_strong(one, two)
            return -cost - floated * _floated_opponents(one, two, top)

        graph = BestMatchings(
            induced(self.legal, places),
            [(m.due.side, m.due.strength, m.floated, m.halves) for m in members],
            weight,
        )
        return tuple((members[a], members[b]) for a, b in graph.first_identifier())


class _UpfloaterSearch:
    """The choice of upfloaters: perfect matchings of all who are left, with the least possible across the border.

    In a choice of the least number no two upfloaters meet: without them the rest could be completed
    too. Therefore the upfloaters are the partners of residents from below.
    """

    def __init__(
        self,
        members: Sequence[Member],
        residents: list[int],
        below: list[int],
        legal: Sequence[int],
        *,
        is_next_kept: bool,
    ) -> None:
        self.size = len(residents)
        self.places = [*residents, *below]
        self.members = [members[place] for place in self.places]
        scores = sorted({members[place].halves for place in below}, reverse=True)
        # The scoregroup below is that of the round. Brackets above may have emptied it.
        lower = [m.halves for m in members if m.halves < self.members[0].halves]
        self.following = {
            v for v, m in enumerate(self.members) if m.halves == max(lower, default=None)
        }
        digits, most = Digits(), len(self.places)
        self.floated = digits.take(most)  # C7
        self.crosses_next = digits.take(most) if is_next_kept else 0  # C6
        self.scores = {score: digits.take(most) for score in scores}  # C5
        self.one = digits.take(most)  # C4
        kinds = [(m.halves, m.floated) for m in self.members]
        self.best = BestMatchings(induced(legal, self.places), kinds, self._weight)

    def _weight(self, a: int, b: int) -> int:
        """Minus the cost of a pair: C4, C5, C6 and C7 are its digits."""
        low, high = sorted((a, b))
        if low < self.size <= high:
            lower = self.members[high]
            return -(self.one + self.scores[lower.halves] + self.floated * lower.floated)
        return -self.crosses_next * ((low in self.following) != (high in self.following))

    def keeps_next(self) -> bool:
        """Return whether the following scoregroup is paired with the least upfloaters that its size allows (C6)."""
        left = [v for v in self.following if self.best.mate[v] >= self.size]
        crossing = sum(self.best.mate[v] not in self.following for v in left)
        return crossing == len(left) % 2

    def first_best(self) -> list[int]:
        """Return the places of the best set that comes first: by its TPNs, higher scores before lower ones (3.5.4)."""
        return [self.places[v] for v in self.best.first_across(self.size)]


def floaters(problem: PairingProblem) -> frozenset[int]:
    """Return the TPNs of those who met another score in the previous round (1.5).

    In accelerated rounds the scores have the virtual points of that round in them.
    """
    last = problem.round_number - 1
    if not last:
        return frozenset()
    everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    halves = {tpn: each.pairing_halves(last) for tpn, each in everybody.items()}
    past = {tpn: each.records[-1] for tpn, each in everybody.items()}
    return frozenset(
        tpn
        for tpn, record in past.items()
        if record.kind.is_meeting and record.opponent and halves[record.opponent] != halves[tpn]
    )
