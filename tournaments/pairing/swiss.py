"""A Swiss pairing by one weighted matching: score groups, no rematch, colours, at most one bye.

The criteria are those of C.04.3 in their order of weight (scores, then colours, then the fold of
each score group). The letter of its bracket procedure is not followed. Exactness to the letter
needs a separate system beside this one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength, allocate, preference
from tournaments.pairing.matching import heaviest
from tournaments.pairing.problem import BadProblemError, NoPairingError
from tournaments.pairing.refusals import Reason, last_meeting, refused_outright
from tournaments.pairing.solution import Board, BoardEvidence, PairsAgain, Solution
from tournaments.pairing.solution_builder import refuse_pool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem
    from tournaments.pairing.refusals import Refusal

_BYE = 0  # no TPN: those count from 1
# Each player is first offered this many neighbours in rank, and all the others only if that does
# not pair every player.
_NEIGHBOURS = 24


class Swiss(PairsAgain):
    """The basic Swiss system."""

    name = "swiss"
    version = "swiss-1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """Return None: the organiser chooses the number of rounds, while opponents are left."""

    def scores(self, problem: PairingProblem) -> Mapping[int, int]:
        """Return the score of each by which groups are made, in half points."""
        return {c.tpn: c.score_halves for c in problem.contestants}

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the pairing of the round with the least sum of penalties.

        Raises:
            NoPairingError: when the contestants cannot all be paired legally.
        """
        refuse_pool(problem, self.name)
        scores = self.scores(problem)
        ranked = sorted(problem.contestants, key=lambda c: (-scores[c.tpn], c.tpn))
        for neighbours in (_NEIGHBOURS, len(ranked)):
            partners = _matching(problem, ranked, scores, neighbours)
            if len(partners) == len(ranked) + len(ranked) % 2:
                return _solution(problem, ranked, scores, partners)
        raise NoPairingError(
            f"round {problem.round_number}: {len(ranked)} contestants cannot all be paired without a rematch"
            " or a second bye"
        )

    def why_not(
        self, problem: PairingProblem, solution: Solution, tpn: int, opponent: int | None
    ) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye.

        With CRITERION it is the first sum that would be larger: `absolute`, the pairs that both had to have one side,
        `scores`, the squares of their distances, `colours`, the preferences for one side, or `fold`,
        the squares of the distances from the other half. With ORDER `neighbours` tells that the pairing was not
        compared. Raises BadProblemError for a question without sense, and TooManyEdgesError as `matching.heaviest`.
        """
        refusal = refused_outright(problem, solution, tpn, opponent)
        if refusal.reason is not Reason.ORDER:
            return refusal
        player = next(c for c in problem.contestants if c.tpn == tpn)
        if opponent is None and not player.may_have_bye:
            return replace(refusal, reason=Reason.BYE_HAD)
        if opponent is not None and opponent in player.met:
            return replace(refusal, reason=Reason.MET, round_number=last_meeting(player, opponent))
        scores = self.scores(problem)
        ranked = sorted(problem.contestants, key=lambda c: (-scores[c.tpn], c.tpn))
        together = (tpn, _BYE if opponent is None else opponent)
        for neighbours in (_NEIGHBOURS, len(ranked)):
            partners = _matching(problem, ranked, scores, neighbours, together)
            if len(partners) == len(ranked) + len(ranked) % 2:
                break
        else:
            return replace(refusal, reason=Reason.COMPLETION)
        penalties = _Penalties(ranked, [scores[c.tpn] for c in ranked])
        now = {each: other for b in solution.boards for each, other in (b, b[::-1])}
        now |= {} if solution.bye is None else {solution.bye: _BYE}
        if now.keys() != {c.tpn for c in ranked}:
            raise BadProblemError(f"{self.version} has not paired this round")
        sums = (penalties.sums({c.tpn: each[c.tpn] for c in ranked}) for each in (now, partners))
        for (name, value), (_, other) in zip(*(each.items() for each in sums), strict=True):
            if other < value:  # the pair is beyond the neighbours that were compared
                return replace(refusal, criterion="neighbours")
            if value != other:
                return replace(
                    refusal, reason=Reason.CRITERION, criterion=name, value=(value,), other=(other,)
                )
        return refusal


def _matching(
    problem: PairingProblem,
    ranked: Sequence[Contestant],
    scores: Mapping[int, int],
    neighbours: int,
    together: tuple[int, int] | None = None,
) -> dict[int, int]:
    """Return the partner by TPN in a maximum matching of least penalty. The bye is partner 0.

    The two of `together` meet, if they are given.
    """
    penalties = _Penalties(ranked, [scores[c.tpn] for c in ranked])
    weights: dict[tuple[int, int], int] = {}
    for i, higher in enumerate(ranked):
        for j in range(i + 1, min(i + 1 + neighbours, len(ranked))):
            lower = ranked[j]
            pair = frozenset((higher.tpn, lower.tpn))
            if lower.tpn not in higher.met and pair not in problem.forbidden:
                weights[higher.tpn, lower.tpn] = -penalties.pair(i, j)
        if len(ranked) % 2 and higher.may_have_bye:
            weights[higher.tpn, _BYE] = -penalties.bye(i)
    if together is not None:
        weights = {pair: w for pair, w in weights.items() if not {*pair} & {*together}}
        weights[together] = 0
    return heaviest(weights, most_pairs=True)


class _Penalties:
    """Weights as integers in which a lower criterion can never outweigh a higher one."""

    def __init__(self, ranked: Sequence[Contestant], scores: Sequence[int]) -> None:
        self._count = len(ranked)
        self._scores = scores
        self._preferences = [preference(c) for c in ranked]
        groups: dict[int, list[int]] = {}
        for place, score in enumerate(scores):
            groups.setdefault(score, []).append(place)
        self._fold = {place: len(group) // 2 for group in groups.values() for place in group}
        n = len(ranked) + 1
        self._colour_unit = n**3
        self._score_unit = self._colour_unit * 8 * n
        top = max(scores, default=0) + 2
        self._absolute_unit = self._score_unit * n * top**2

    def pair(self, i: int, j: int) -> int:
        """Return the penalty of a pair of the contestants ranked i < j (from 0)."""
        apart = self._scores[i] - self._scores[j]
        fold = abs(j - i - self._fold[i])
        total = apart**2 * self._score_unit + fold**2
        mine, theirs = self._preferences[i], self._preferences[j]
        if mine.side is not None and mine.side is theirs.side:
            weaker = min(mine.strength, theirs.strength)
            total += (1, 1, 4, 8)[weaker] * self._colour_unit
            if weaker is Strength.ABSOLUTE:  # C3
                total += self._absolute_unit
        return total

    def sums(self, partners: Mapping[int, int]) -> dict[str, int]:
        """Return the parts of the whole penalty, the first that decides first. The bye is partner 0."""
        rank = {tpn: place for place, tpn in enumerate(partners)}
        total = 0
        for tpn, other in partners.items():
            if other == _BYE:
                total += self.bye(rank[tpn])
            elif rank[tpn] < rank[other]:
                total += self.pair(rank[tpn], rank[other])
        units = {
            "absolute": self._absolute_unit,
            "scores": self._score_unit,
            "colours": self._colour_unit,
            "fold": 1,
        }
        parts = {}
        for name, unit in units.items():
            parts[name], total = divmod(total, unit)
        return parts

    def bye(self, i: int) -> int:
        """Return the penalty of the bye for the contestant ranked i: the lowest score first (C5), then the lowest rank."""
        return (self._scores[i] + 1) ** 2 * self._score_unit + self._count - i


def _solution(
    problem: PairingProblem,
    ranked: Sequence[Contestant],
    scores: Mapping[int, int],
    partners: dict[int, int],
) -> Solution:
    by_tpn = {c.tpn: c for c in ranked}
    boards: list[Board] = []
    evidence: list[BoardEvidence] = []
    rank = {c.tpn: place for place, c in enumerate(ranked)}
    pairs = [
        (higher, by_tpn[partners[higher.tpn]])
        for higher in ranked
        if partners[higher.tpn] != _BYE and rank[higher.tpn] < rank[partners[higher.tpn]]
    ]
    # C.04.2 3.6: by the score of the higher ranked player, then the sum of both, then the TPN.
    pairs.sort(key=lambda p: (-scores[p[0].tpn], -scores[p[1].tpn], p[0].tpn))
    for higher, lower in pairs:
        sides = allocate(problem, higher, lower)
        boards.append(Board(sides.first, sides.second))
        first, second = by_tpn[sides.first], by_tpn[sides.second]
        evidence.append(
            BoardEvidence(
                first.tpn, second.tpn, first.score_halves, second.score_halves, sides.rule
            )
        )
    return Solution(tuple(boards), partners.get(_BYE), tuple(evidence))
