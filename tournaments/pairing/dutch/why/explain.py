"""The evidence of a Dutch round in full: C8, the bound of every criterion, and why each floater moved down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import allocate, preference
from tournaments.pairing.dutch.why.bounds import bounded
from tournaments.pairing.dutch.why.counterfactual import why_not
from tournaments.pairing.dutch.why.evidence import bracket_evidence
from tournaments.pairing.dutch.why.floats import float_reasons
from tournaments.pairing.dutch.why.look_ahead import c8_value, with_c8
from tournaments.pairing.dutch.why.rebuild_steps import rebuild_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.colours import Allocation, Preference
    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.search.steps import Step
    from tournaments.pairing.problem import Contestant, PairingProblem
    from tournaments.pairing.refusals import Refusal
    from tournaments.pairing.solution import BracketEvidence, Solution


def explain(problem: PairingProblem, solution: Solution) -> tuple[BracketEvidence, ...]:
    """Return the brackets of `solution` with C8, bounds and proofs, and the reasons of the floaters.

    Raises:
        BadProblemError: when the solution is not one of this problem by the Dutch system.
    """
    steps = rebuild_steps(problem, solution)
    return tuple(explained_bracket(steps, number) for number in range(len(steps)))


def explained_bracket(steps: Sequence[Step], number: int) -> BracketEvidence:
    """Return the evidence of one bracket, counted from 0 at the top."""
    step = steps[number]
    evidence = bracket_evidence(step.pairing)
    values = evidence.criteria
    if step.bracket.below:
        values = with_c8(values, c8_value(step.field, steps[number + 1].pairing.floaters))
    values = bounded(step.pairing, step.completion, values)
    return evidence._replace(criteria=values, floats=float_reasons(step, values))


class DutchExplainer:
    """An `Explainer` of a Dutch round. Raises BadProblemError when the solution is not one of the problem."""

    system = "dutch"

    def __init__(self, problem: PairingProblem, solution: Solution) -> None:
        self._problem = problem
        self._solution = solution
        self._steps = rebuild_steps(problem, solution)

    @property
    def field(self) -> DutchField:
        """Return all players to be paired, ranked."""
        return self._steps[0].field

    def bracket(self, number: int) -> BracketEvidence:
        """Return the bracket with bounds, proofs and the reasons of its floaters."""
        return explained_bracket(self._steps, number)

    def why_not(self, tpn: int, opponent: int | None) -> Refusal:
        """Return the reason for which two did not meet, or one did not have the bye."""
        return why_not(self._problem, self._solution, tpn, opponent, steps=self._steps)

    def due(self, contestant: Contestant) -> Preference:
        """Return the side that was due to a player (1.7)."""
        return preference(contestant)

    def sides(self, one: int, other: int) -> Allocation:
        """Return the sides that 5.2 gives two TPNs."""
        here = [p.contestant for p in self.field.players if p.tpn in (one, other)]
        return allocate(self._problem, here[0], here[1])
