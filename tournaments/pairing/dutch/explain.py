"""The evidence of a Dutch round in full: C8, the bound of every criterion, and why each floater moved down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bounds import bounded
from tournaments.pairing.dutch.evidence import bracket_evidence
from tournaments.pairing.dutch.floats import float_reasons
from tournaments.pairing.dutch.look_ahead import c8_value, with_c8
from tournaments.pairing.dutch.retrace import retraced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.system import Step
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import BracketEvidence, Solution


def explain(problem: PairingProblem, solution: Solution) -> tuple[BracketEvidence, ...]:
    """The brackets of `solution` with C8, bounds and proofs, and the reasons of the floaters.

    Raises:
        BadProblemError: when the solution is not one of this problem by the Dutch system.
    """
    steps = retraced(problem, solution)
    return tuple(explained_bracket(problem, steps, number) for number in range(len(steps)))


def explained_bracket(
    problem: PairingProblem, steps: Sequence[Step], number: int
) -> BracketEvidence:
    """The same for one bracket, counted from 0 at the top."""
    step = steps[number]
    told = bracket_evidence(problem, step.field, step.bracket, step.pairs)
    values = told.criteria
    if step.bracket.below:
        values = with_c8(values, c8_value(step.field, _left(steps[number + 1])))
    bounds = bounded(problem, step.field, step.bracket, step.completion, step.pairs, values)
    return replace(told, criteria=bounds, floats=float_reasons(problem, step, bounds))


def _left(step: Step) -> list[int]:
    paired = {place for pair in step.pairs for place in pair}
    return [place for place in step.bracket.members if place not in paired]
