"""The evidence of a Dutch round in full: C8, the bound of every criterion, and why each floater moved down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.why.bounds import bounded
from tournaments.pairing.dutch.why.evidence import bracket_evidence
from tournaments.pairing.dutch.why.floats import float_reasons
from tournaments.pairing.dutch.why.look_ahead import c8_value, with_c8
from tournaments.pairing.dutch.why.rebuild_steps import rebuild_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.search.steps import Step
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import BracketEvidence, Solution


def explain(problem: PairingProblem, solution: Solution) -> tuple[BracketEvidence, ...]:
    """The brackets of `solution` with C8, bounds and proofs, and the reasons of the floaters.

    Raises:
        BadProblemError: when the solution is not one of this problem by the Dutch system.
    """
    steps = rebuild_steps(problem, solution)
    return tuple(explained_bracket(steps, number) for number in range(len(steps)))


def explained_bracket(steps: Sequence[Step], number: int) -> BracketEvidence:
    """The same for one bracket, counted from 0 at the top."""
    step = steps[number]
    evidence = bracket_evidence(step.pairing)
    values = evidence.criteria
    if step.bracket.below:
        values = with_c8(values, c8_value(step.field, steps[number + 1].pairing.floaters))
    values = bounded(step.pairing, step.completion, values)
    return replace(evidence, criteria=values, floats=float_reasons(step, values))
