"""A player as the Dutch system sees it: score, preference, floats (C.04.3 1.2-1.8)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Preference, preference
from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.problem import Contestant, PairingProblem


class Float(Enum):
    """Whether a player floated in a round (C.04.3 1.4)."""

    NONE = "none"
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class DutchPlayer:
    """A contestant with everything the criteria ask about it.

    Attributes:
        place: in the ranking of those who are paired, from 0 (1.2).
        score_halves: the pairing score: points with virtual points, in half points.
        floats: of the last round and of the one before it.
        unplayed: past rounds without a game (C9).
        is_topscorer: more than half of the points possible, before the last round (1.8).
    """

    place: int
    contestant: Contestant
    score_halves: int
    preference: Preference
    floats: tuple[Float, Float]
    unplayed: int
    is_topscorer: bool

    @property
    def tpn(self) -> int:
        """The tournament pairing number."""
        return self.contestant.tpn

    @property
    def colours(self) -> tuple[RoundKind, ...]:
        """Sides of the games played, oldest first."""
        return self.contestant.colours


def dutch_player(
    problem: PairingProblem,
    place: int,
    contestant: Contestant,
    scores: Mapping[int, tuple[int, ...]],
) -> DutchPlayer:
    """The player at `place`; `scores` are the pairing scores of everybody before each round, by TPN."""
    past = problem.round_number - 1
    # 1.8: only when the last round is paired.
    is_last = problem.round_number >= problem.rounds_total
    return DutchPlayer(
        place=place,
        contestant=contestant,
        score_halves=scores[contestant.tpn][-1],
        preference=preference(contestant),
        floats=(
            _float(problem, contestant, past, scores),
            _float(problem, contestant, past - 1, scores),
        ),
        unplayed=sum(not r.kind.is_played for r in contestant.records),
        is_topscorer=is_last and 2 * contestant.score_halves > past * problem.points.win,
    )


def pairing_scores(everybody: Mapping[int, Contestant], rounds: int) -> dict[int, tuple[int, ...]]:
    """Pairing scores by TPN before each of the rounds up to the one to pair, in half points (1.2, C.04.7 1.4)."""
    by_tpn = {}
    for tpn, contestant in everybody.items():
        virtual = contestant.virtual_halves
        total, scores = 0, []
        for r in range(rounds):
            scores.append(total + (virtual[r] if r < len(virtual) else 0))
            total += contestant.records[r].score_halves if r < rounds - 1 else 0
        by_tpn[tpn] = tuple(scores)
    return by_tpn


def _float(
    problem: PairingProblem,
    contestant: Contestant,
    number: int,
    scores: Mapping[int, tuple[int, ...]],
) -> Float:
    """The float of that past round (1.4.2-1.4.4)."""
    if number < 1:
        return Float.NONE
    record = contestant.records[number - 1]
    if not record.kind.is_played:
        is_down = record.kind is RoundKind.PAIRING_BYE or record.score_halves > problem.points.loss
        return Float.DOWN if is_down else Float.NONE
    if record.opponent is None or record.opponent not in scores:
        return Float.NONE  # the opponent is not in the problem, so nobody knows its score
    mine, theirs = scores[contestant.tpn][number - 1], scores[record.opponent][number - 1]
    if mine == theirs:
        return Float.NONE
    return Float.DOWN if mine > theirs else Float.UP
