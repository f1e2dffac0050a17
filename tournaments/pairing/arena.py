"""An arena: players who wait are paired with others near in the standing, repeatedly until time is up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.matching import heaviest
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.problem import (
        Contestant,
        FormatOptions,
        PairingProblem,
        RoundRecord,
    )
    from tournaments.pairing.solution import Solution

# The most players that are matched exactly. More are matched in smaller windows along the standing,
# as matching takes the cube of the number.
_EXACT = 40
_WINDOW = 16
# The most players without an opponent in a window that try again in the next. Players who must not
# wait longer always do.
_CARRIED = 6

# Parts of a pair's cost. A gap is in thousandths of the field, so that it has one meaning in small
# and large fields.
_WHOLE_FIELD = 1_000
_MEETING = 150
_MOST_MEETINGS = 4
_REMATCH = 2_000
_SAME_SIDE = 60
_MOST = _WHOLE_FIELD + _MEETING * _MOST_MEETINGS + _REMATCH + _SAME_SIDE

# The patience of two players. It is more when most of the field waits, for then no better opponent
# will come, and grows with every second.
_ALL_WAIT = 1_500
_SECOND = 20
_LONG_S = 60  # from here on anybody will do

_ON_FIRE = 2


class Arena:
    """Continuous pairing by standing in the event, after the manner of Lichess arenas.

    Every possible pair has a cost: places apart in the standing (arena points, then rating),
    earlier meetings, a rematch of the last game, both due one side. All players have patience to
    spend on it, which grows while they wait. The matching with the greatest sum of patience less
    cost is taken, over pairs with a positive difference. Therefore a player who has waited long is
    served first and accepts a wider gap. A player who has just come waits a little for a near
    opponent.
    """

    name = "arena"
    version = "arena-1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: an arena ends by the clock."""

    def pair(self, problem: PairingProblem) -> Solution:
        """Return pairs among those who wait, best standing first. The others continue to wait.

        Raises BadProblemError for a problem with rounds.
        """
        refuse_rounds(problem, self.name)
        pool = _Pool(problem)
        builder = SolutionBuilder(problem)
        for higher, lower in pool.pairs():
            builder.meet_alternating(higher, lower, meeting="pool", details=pool.evidence_details)
        return builder.solution(others=RoundKind.WAITS)


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """Arena points, the current wins in a row, and the points of each game, oldest first."""

    points: int
    streak: int
    sheet: tuple[int, ...]

    @property
    def is_on_fire(self) -> bool:
        """Return whether the next game counts double."""
        return self.streak >= _ON_FIRE


def arena_points(records: Iterable[RoundRecord]) -> ArenaScore:
    """Return the points of those games in an arena: 2 for a win, 1 for a draw, 0 for a loss.

    After two wins in a row every game counts double, up to and including the first that is not won.
    This is the rule of Lichess, but without its rule on draws in a row. A win by forfeit is a win.
    Rounds without an opponent are no games.
    """
    sheet: list[int] = []
    streak = 0
    for record in records:
        if record.opponent is None:
            continue
        won = record.score_halves >= 2
        sheet.append(min(record.score_halves, 2) * (2 if streak >= _ON_FIRE else 1))
        streak = streak + 1 if won else 0
    return ArenaScore(sum(sheet), streak, tuple(sheet))


def standing(problem: PairingProblem) -> list[int]:
    """TPNs of all who are in the arena, best first: by arena points, then rating, then the smaller TPN."""
    field = [c for c in (*problem.contestants, *problem.absent) if not c.left_round]
    field.sort(key=lambda c: (-arena_points(c.records).points, -c.rating_centielo, c.tpn))
    return [c.tpn for c in field]


class _Pool:
    """The waiting players, in the order of the standing."""

    def __init__(self, problem: PairingProblem) -> None:
        self._problem = problem
        order = standing(problem)
        self._place = {tpn: place for place, tpn in enumerate(order)}
        waiting = [c for c in problem.contestants if c.tpn in self._place]
        self._waiting = sorted(waiting, key=lambda c: self._place[c.tpn])
        self._field = max(1, len(order))
        self._nobody_plays = len(order) == len(waiting)
        self._share = _ALL_WAIT * len(waiting) // self._field
        self._met = {
            c.tpn: Counter(r.opponent for r in c.records if r.kind.is_played) for c in waiting
        }
        self._last = {
            c.tpn: next((r.opponent for r in reversed(c.records) if r.opponent), None)
            for c in waiting
        }

    def evidence_details(self, first: Contestant, second: Contestant) -> dict[str, int]:
        """Return the details of the evidence for two who meet."""
        return {
            "gap": self.gap(first, second),
            "waited_first_s": first.waited_s,
            "waited_second_s": second.waited_s,
            "earlier_meetings": self.meetings(first, second),
        }

    def gap(self, one: Contestant, two: Contestant) -> int:
        """Places apart in the standing of the whole event."""
        return abs(self._place[one.tpn] - self._place[two.tpn])

    def meetings(self, one: Contestant, two: Contestant) -> int:
        """Return how many games the two have played against each other."""
        return self._met[one.tpn][two.tpn]

    def pairs(self) -> list[tuple[Contestant, Contestant]]:
        """Return the pairs, the better placed before the other, in the order of the standing."""
        pairs: list[tuple[Contestant, Contestant]] = []
        window: list[Contestant] = []
        size = _EXACT if len(self._waiting) <= _EXACT else _WINDOW
        for number, contestant in enumerate(self._waiting, start=1):
            window.append(contestant)
            if len(window) < size and number < len(self._waiting):
                continue
            matched = self._matched(window)
            pairs += matched
            busy = {c.tpn for pair in matched for c in pair}
            window = self._carried([c for c in window if c.tpn not in busy])
        return sorted(pairs, key=lambda pair: self._place[pair[0].tpn])

    def _carried(self, left: list[Contestant]) -> list[Contestant]:
        """Return the players who try again in the next window.

        They are all who must not wait, else the lowest placed, and never a full window.
        """
        late = [c for c in left if self._is_late(c)]
        others = [c for c in left if not self._is_late(c)][-_CARRIED:]
        return sorted(late + others, key=lambda c: self._place[c.tpn])[-(_WINDOW // 2) :]

    def _is_late(self, contestant: Contestant) -> bool:
        return self._nobody_plays or contestant.waited_s >= _LONG_S

    def _matched(self, window: Sequence[Contestant]) -> list[tuple[Contestant, Contestant]]:
        worth = {
            (i, j): self._worth(one, window[j])
            for i, one in enumerate(window)
            for j in range(i + 1, len(window))
        }
        partners = heaviest({pair: value for pair, value in worth.items() if value > 0})
        return [(window[i], window[j]) for i, j in partners.items() if i < j]

    def _worth(self, one: Contestant, two: Contestant) -> int:
        """Return the patience of both less the cost, or 0 for players who may not meet."""
        met = self.meetings(one, two)
        if frozenset((one.tpn, two.tpn)) in self._problem.forbidden:
            return 0
        if 0 < self._problem.most_meetings <= met:
            return 0
        return self._patience(one) + self._patience(two) - self._cost(one, two, met)

    def _patience(self, contestant: Contestant) -> int:
        patience = self._share + _SECOND * min(contestant.waited_s, _LONG_S)
        # More than any costs of a window can add up to: the largest possible number of the late are
        # paired.
        return patience + (_MOST * _EXACT if self._is_late(contestant) else 0)

    def _cost(self, one: Contestant, two: Contestant, met: int) -> int:
        cost = _WHOLE_FIELD * self.gap(one, two) // self._field
        cost += _MEETING * min(met, _MOST_MEETINGS)
        if self._last[one.tpn] == two.tpn or self._last[two.tpn] == one.tpn:
            cost += _REMATCH
        if one.colours[-1:] == two.colours[-1:] != ():
            cost += _SAME_SIDE
        return cost
