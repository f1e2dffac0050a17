"""A player as the Dutch system sees it: score, preference, floats (C.04.3 1.2-1.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Preference, preference
from tournaments.pairing.floats import Float, float_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.problem import Contestant, PairingProblem, RoundKind


class DutchPlayer:
    """A contestant with everything the criteria ask about it.

    Attributes:
        place: in the ranking of those who are paired, from 0 (1.2).
        score_halves: the pairing score: points with virtual points, in half points.
        floats: of the last round and of the one before it.
        unplayed: past rounds without a game (C9).
        is_topscorer: more than half of the points possible, before the last round (1.8).
    """

    # The search reads these more often than anything else. A named tuple takes twice as long.
    __slots__ = (
        "contestant",
        "floats",
        "is_topscorer",
        "place",
        "preference",
        "score_halves",
        "unplayed",
    )

    def __init__(
        self,
        place: int,
        contestant: Contestant,
        score_halves: int,
        preference: Preference,
        floats: tuple[Float, Float],
        unplayed: int,
        is_topscorer: bool,
    ) -> None:
        self.place = place
        self.contestant = contestant
        self.score_halves = score_halves
        self.preference = preference
        self.floats = floats
        self.unplayed = unplayed
        self.is_topscorer = is_topscorer

    @property
    def tpn(self) -> int:
        """Return the tournament pairing number."""
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
    """Return the player at `place`.

    `scores` are the pairing scores of all players before each round, by TPN.
    """
    past = problem.round_number - 1
    # 1.8: only when the last round is paired.
    is_last = problem.round_number >= problem.rounds_total
    return DutchPlayer(
        place=place,
        contestant=contestant,
        score_halves=scores[contestant.tpn][-1],
        preference=preference(contestant),
        floats=(
            float_of(problem, contestant, past, scores),
            float_of(problem, contestant, past - 1, scores),
        ),
        unplayed=len(contestant.records) - len(contestant.colours),
        is_topscorer=is_last and 2 * contestant.score_halves > past * problem.points.win,
    )
