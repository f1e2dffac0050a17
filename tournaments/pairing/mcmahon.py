"""The McMahon system of Go clubs: a Swiss in which the stronger begin with more points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.club_field import club_field
from tournaments.pairing.swiss import Swiss
from tournaments.standings.club_systems import mcmahon_scores

if TYPE_CHECKING:
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution


class McMahon(Swiss):
    """The McMahon system: the weighted matching of `Swiss` by McMahon scores.

    Its parameters are house rules.
    """

    name = "mcmahon"
    version = "mcmahon-1"

    def scores(self, problem: PairingProblem) -> dict[int, int]:
        """Return the McMahon score of each, in half points."""
        field = club_field(problem)
        return dict(zip(field.ids, mcmahon_scores(field), strict=True))

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the pairing of the round with the least sum of penalties.

        Raises:
            NoPairingError: when the contestants cannot all be paired legally.
        """
        solution = super().pair(problem)
        scores = self.scores(problem)
        evidence = tuple(
            each._replace(
                meeting="mcmahon",
                details={
                    "first_score_halves": scores[each.first],
                    "second_score_halves": scores[each.second],
                },
            )
            for each in solution.evidence
        )
        return solution._replace(evidence=evidence)
