"""The floaters of a round: scores with virtual points, and meetings of different scores (C.04.3 1.2, 1.4, C.04.7 1.4)."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tournaments.pairing.problem import RoundKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.problem import Contestant, PairingProblem


class Float(Enum):
    """Float of a player in a round (C.04.3 1.4)."""

    NONE = "none"
    DOWN = "down"
    UP = "up"


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


def float_of(
    problem: PairingProblem,
    contestant: Contestant,
    number: int,
    scores: Mapping[int, tuple[int, ...]],
) -> Float:
    """Return the float of that past round (1.4.2-1.4.4).

    `scores` are the pairing scores of all players, by TPN.
    """
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
