"""The criteria of a bracket as one integer per pair: the better pairing has the larger sum (C.04.3 2.3-2.4).

Every criterion has its own digits in the sum, those of the earlier criterion above those of the later, wide enough never
to carry: comparing sums is comparing the criteria in their order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength, allocate
from tournaments.pairing.dutch.field import Float
from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.dutch.field import Entrant, Field
    from tournaments.pairing.problem import PairingProblem


class Digits:
    """Hands out units of a sum, the least significant first."""

    def __init__(self) -> None:
        self.next = 1

    def take(self, most: int) -> int:
        """The unit of a criterion whose absolute value never exceeds `most`; 0 when that is 0."""
        if not most:
            return 0
        unit = self.next
        self.next *= 2 * most + 1
        return unit

    def levels(self, counts: Counter[int]) -> dict[int, int]:
        """Units of counters, one for each score, the higher score the more significant."""
        return {score: self.take(counts[score]) for score in sorted(counts)}


class Criteria:
    """What pairs of one bracket are worth.

    The criteria about players who float have no digits where the caller says that such players will all be paired.
    """

    def __init__(
        self,
        problem: PairingProblem,
        field: Field,
        mdps: Sequence[int],
        residents: Sequence[int],
        below: Sequence[int],
        *,
        mdps_may_float: bool = True,
        residents_may_float: bool = True,
    ) -> None:
        self._problem = problem
        self._entrants = field.entrants
        self._mdps = frozenset(mdps)
        members = [field.entrants[p] for p in (*mdps, *residents)]
        moved = [field.entrants[p] for p in mdps]
        following = [field.entrants[p] for p in below]
        pairs = len(members) // 2
        digits = Digits()
        limbo = moved if mdps_may_float else []
        # 2.4.16-2.4.13 from the last: C21 and C19 opponents that went up, C20 and C18 MDPs that went down.
        self._c21, self._c20 = self._mdp_floats(digits, moved, limbo, residents, 1)
        self._c19, self._c18 = self._mdp_floats(digits, moved, limbo, residents, 0)
        home = [field.entrants[p] for p in residents]
        self._c17 = digits.take(min(len(moved), _floats(home, 1, Float.UP)))
        leaving = home if residents_may_float else []
        self._c16 = digits.take(_floats(leaving, 1, Float.DOWN))
        self._c15 = digits.take(min(len(moved), _floats(home, 0, Float.UP)))
        self._c14 = digits.take(_floats(leaving, 0, Float.DOWN))
        self._c13 = digits.take(pairs)
        self._c12 = digits.take(pairs)
        tops = sum(e.is_topscorer for e in members)
        self._c11 = digits.take(tops)
        self._c10 = digits.take(tops)
        self.c9 = digits.take(max((e.unplayed for e in members), default=0))
        self._c8_levels = digits.levels(_scores((*members, *following)))
        self._c8 = digits.take((len(members) + len(following)) // 2)
        self._c7 = digits.levels(_scores(members))
        self._c6 = digits.take(pairs)
        self.room_above = digits.next

    def _mdp_floats(
        self,
        digits: Digits,
        moved: Sequence[Entrant],
        limbo: Sequence[Entrant],
        residents: Sequence[int],
        ago: int,
    ) -> tuple[dict[int, int], dict[int, int]]:
        scores = _scores(moved)
        up = any(self._entrants[p].floats[ago] is Float.UP for p in residents)
        opponents = digits.levels(scores) if up else dict.fromkeys(scores, 0)
        down = _scores(e for e in limbo if e.floats[ago] is Float.DOWN)
        return opponents, digits.levels(down)

    def pair(self, higher: int, lower: int) -> int:
        """The worth of a pair inside the bracket; the lower is a resident."""
        one, two = self._entrants[higher], self._entrants[lower]
        worth = self._c6 + self._c7[one.halves] + self._c7[two.halves]
        worth += self._resident_floats(two)
        worth += self._mdp(one, two) if higher in self._mdps else self._resident_floats(one)
        return worth - self._colours(one, two)

    def pair_below(self, higher: int, lower: int) -> int:
        """The worth of a pair of the next bracket (C8)."""
        one, two = self._entrants[higher], self._entrants[lower]
        return self._c8 + self._c8_levels[one.halves] + self._c8_levels[two.halves]

    def _resident_floats(self, paired: Entrant) -> int:
        """2.4.9, 2.4.11: residents who went down lately should not float again."""
        last, before = paired.floats
        return self._c14 * (last is Float.DOWN) + self._c16 * (before is Float.DOWN)

    def _mdp(self, mdp: Entrant, opponent: Entrant) -> int:
        """2.4.10, 2.4.12 opponents that went up; 2.4.13-2.4.16 score differences."""
        worth = 0
        if opponent.floats[0] is Float.UP:
            worth -= self._c15 + self._c19[mdp.halves]
        if opponent.floats[1] is Float.UP:
            worth -= self._c17 + self._c21[mdp.halves]
        if mdp.floats[0] is Float.DOWN:
            worth += self._c18.get(mdp.halves, 0)
        if mdp.floats[1] is Float.DOWN:
            worth += self._c20.get(mdp.halves, 0)
        return worth

    def _colours(self, one: Entrant, two: Entrant) -> int:
        """2.4.5-2.4.8, as a cost."""
        mine, theirs = one.preference, two.preference
        if mine.side is None or mine.side is not theirs.side:
            return 0
        weaker = min(mine.strength, theirs.strength)
        cost = self._c12 + self._c13 * (weaker >= Strength.STRONG)
        if weaker is Strength.ABSOLUTE:
            # Only a topscorer's pair comes here (C3).
            cost += self._refused_absolute(one, two)
        return cost

    def _refused_absolute(self, one: Entrant, two: Entrant) -> int:
        sides = allocate(self._problem, one.contestant, two.contestant)
        loser = (
            one if (sides.first == one.tpn) is (one.preference.side is RoundKind.SECOND) else two
        )
        assert loser.preference.side is not None, "an absolute preference names a side"
        refused = [c for c in loser.colours[-2:] if c is not loser.preference.side]
        third = len(refused) == 2
        return self._c10 * (abs(loser.preference.difference) > 1) + self._c11 * third


def _scores(entrants: Iterable[Entrant]) -> Counter[int]:
    return Counter(e.halves for e in entrants)


def _floats(entrants: Iterable[Entrant], ago: int, kind: Float) -> int:
    return sum(e.floats[ago] is kind for e in entrants)
