"""A ladder of bots: the bot whose game gives the most information is drawn against a near one, without end."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.pairing.matching import heaviest
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_rounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution

PLACEMENT_GAMES = 24
# A newcomer's first games find its approximate place: the draw is among this number from the whole
# range.
_WHOLE_RANGE = 32
# All others: this number of places up and down, and one more for each `_CENTIELO_A_PLACE` of
# standard error.
_PLACES = 4
_CENTIELO_A_PLACE = 2_500
# The window in which one opponent may have at most a quarter of a bot's games, so that no bot is
# known by one opponent.
_LATEST = 24
_OF_THE_LATEST = 6
# Up to here a draw that left two unpaired is checked by an exact matching.
_EXACT = 100


class Ladder:
    """Continuous matchmaking by information.

    The one with the largest uncertainty times waiting is served first, bots in placement (fewer
    than `PLACEMENT_GAMES` games) before all. Its opponent is drawn at random, with `seed`, among
    those near in rating. The weight of each is the information of a game: expected score times its
    complement, times the variances of both, less for every earlier meeting. Drawn pairs are
    separated again only if more could be paired.
    """

    name = "ladder"
    version = "ladder-1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: a ladder has no end."""

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the most pairs of those who wait, or `most_boards`, the strongest first.

        The others continue to wait.

        Raises BadProblemError for a problem with rounds.
        """
        refuse_rounds(problem, self.name)
        lots = _Draw(problem)
        builder = SolutionBuilder(problem)
        for higher, lower in lots.pairs():
            builder.meet_alternating(higher, lower, meeting="ladder", details=lots.evidence_details)
        return builder.solution(others=RoundKind.WAITS)


def expected_milli(one: Contestant, two: Contestant) -> int:
    """Expected score of `one` against `two` in thousandths of a game (the logistic form of Elo 1978).

    Not `ratings.elo`, which follows FIDE in counting 400 points at most: bots differ by more, and such games tell little.
    """
    apart = max(-400_000, min(400_000, two.rating_centielo - one.rating_centielo))
    return round(1_000 / (1 + 10 ** (apart / 40_000)))


def information(one: Contestant, two: Contestant, earlier_meetings: int) -> int:
    """Return the information of a game between the two: a weight of at least 1.

    It is the variance of its result, p(1 - p), times the sum of the variances of both ratings,
    divided by the square of one more than the earlier meetings.
    """
    expected = expected_milli(one, two)
    variances = one.deviation_centielo**2 + two.deviation_centielo**2
    bits = expected * (1_000 - expected) * max(1, variances)
    return max(1, bits // (1 + earlier_meetings) ** 2)


class _Draw:
    """One draw: the bots that wait by rating, and those still without an opponent."""

    def __init__(self, problem: PairingProblem) -> None:
        self._problem = problem
        self._bots = sorted(problem.contestants, key=lambda c: (-c.rating_centielo, c.tpn))
        self._by_tpn = {c.tpn: c for c in self._bots}
        self._random = random.Random(f"{problem.seed}/{problem.round_number}")
        self.rank = {c.tpn: rank for rank, c in enumerate(self._bots)}
        self.met = {c.tpn: _opponents(c, len(c.records)) for c in self._bots}
        self._lately = {c.tpn: _opponents(c, _LATEST) for c in self._bots}
        self._opponent: dict[int, int] = {}

    def evidence_details(self, first: Contestant, second: Contestant) -> dict[str, int]:
        """Return the details of the evidence for two who meet."""
        return {
            "rank_gap": abs(self.rank[first.tpn] - self.rank[second.tpn]),
            "expected_milli": expected_milli(first, second),
            "earlier_meetings": self.met[first.tpn][second.tpn],
        }

    def pairs(self) -> list[tuple[Contestant, Contestant]]:
        """Return the pairs, the higher rated before the other, in the order of rating."""
        free = list(range(len(self._bots)))
        most = self._problem.most_boards or len(self._bots)
        for seed in sorted(self._bots, key=_urgency):
            if seed.tpn not in self._opponent and len(self._opponent) < 2 * most:
                opponent = self._drawn(seed, free)
                if opponent is not None:
                    self._join(seed.tpn, opponent.tpn)
                    for bot in (seed, opponent):
                        del free[bisect_left(free, self.rank[bot.tpn])]
        if len(self._opponent) < 2 * most:
            self._pair_the_rest([self._bots[rank].tpn for rank in free], most)
        return [
            (bot, self._by_tpn[self._opponent[bot.tpn]])
            for bot in self._bots
            if bot.tpn in self._opponent and self.rank[bot.tpn] < self.rank[self._opponent[bot.tpn]]
        ]

    def _join(self, one: int, two: int) -> None:
        self._opponent[one], self._opponent[two] = two, one

    def _drawn(self, seed: Contestant, free: Sequence[int]) -> Contestant | None:
        """Return the random opponent among the free ranks, from the window or, if no bot there may play, from a wider one."""
        place = bisect_left(free, self.rank[seed.tpn])
        reach = _PLACES + seed.deviation_centielo // _CENTIELO_A_PLACE
        if _is_in_placement(seed):
            reach = len(free)
        while True:
            window: Sequence[int] = range(max(0, place - reach), min(len(free), place + 1 + reach))
            if len(window) > _WHOLE_RANGE:
                window = self._random.sample(window, _WHOLE_RANGE)
            near = [self._bots[free[index]] for index in window]
            near = [c for c in near if self._may_meet(seed.tpn, c.tpn)]
            if near:
                return self._by_weight(seed, near)
            if reach >= len(free):
                break
            reach *= 4
        anybody = (self._bots[rank] for rank in free)
        return next((c for c in anybody if self._may_meet(seed.tpn, c.tpn)), None)

    def _by_weight(self, seed: Contestant, near: list[Contestant]) -> Contestant:
        met = self.met[seed.tpn]
        fresh = [c for c in near if not self._too_often(seed.tpn, c.tpn)] or near
        weights = [information(seed, c, met[c.tpn]) for c in fresh]
        return self._random.choices(fresh, weights)[0]

    def _too_often(self, one: int, two: int) -> bool:
        return max(self._lately[one][two], self._lately[two][one]) >= _OF_THE_LATEST

    def _may_meet(self, one: int, two: int) -> bool:
        if one == two or frozenset((one, two)) in self._problem.forbidden:
            return False
        return not 0 < self._problem.most_meetings <= self.met[one][two]

    def _pair_the_rest(self, left: list[int], most: int) -> None:
        """Pair more of those left over, if that is possible, by giving drawn pairs other opponents."""
        for one, two in combinations(left, 2):
            is_free = one not in self._opponent and two not in self._opponent
            if is_free and len(self._opponent) < 2 * most:
                self._split_a_pair(one, two)
        still = [tpn for tpn in left if tpn not in self._opponent]
        if len(still) > 1 and len(self._bots) <= min(_EXACT, 2 * most + 1):
            self._pair_most()

    def _split_a_pair(self, one: int, two: int) -> None:
        """Seat both against the two of a drawn pair."""
        for a in sorted(self._opponent):
            b = self._opponent[a]
            if self._may_meet(one, a) and self._may_meet(two, b):
                self._join(one, a)
                self._join(two, b)
                return

    def _pair_most(self) -> None:
        """Replace the draw by a matching of the most pairs that keeps the largest number of drawn ones."""
        weights = {
            (one, two): 1 + (self._opponent.get(one) == two)
            for one, two in combinations(sorted(self._by_tpn), 2)
            if self._may_meet(one, two)
        }
        self._opponent.clear()
        for one, two in heaviest(weights, most_pairs=True).items():
            if one < two:
                self._join(one, two)


def _is_in_placement(bot: Contestant) -> bool:
    return len(bot.colours) < PLACEMENT_GAMES


def _urgency(bot: Contestant) -> tuple[bool, int, int]:
    return (
        not _is_in_placement(bot),
        -max(1, bot.deviation_centielo) * (bot.waited_s + 1),
        bot.tpn,
    )


def _opponents(bot: Contestant, latest: int) -> Counter[int]:
    """Return how often it has played each opponent in its latest `latest` games."""
    games = [r.opponent for r in bot.records if r.kind.is_played and r.opponent is not None]
    return Counter(games[-latest:] if latest else [])
