"""The brackets of a round that has been paired, found again from its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.completion import Completion, bye_candidates
from tournaments.pairing.dutch.field import field_of
from tournaments.pairing.dutch.system import Step
from tournaments.pairing.problem import BadProblemError

if TYPE_CHECKING:
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution


def retraced(problem: PairingProblem, solution: Solution) -> list[Step]:
    """Every bracket of `solution` from the top, with its pairs, by place.

    Raises:
        BadProblemError: when the solution is not one of this problem by the Dutch system.
    """
    field = field_of(problem)
    if len(solution.brackets) != len(field.groups):
        raise BadProblemError("the solution has not the brackets of the problem")
    places = {e.tpn: e.place for e in field.entrants}
    bye = bye_candidates(field)
    completion = Completion(field, bye)
    steps = []
    left: tuple[int, ...] = ()
    for number, (group, told) in enumerate(zip(field.groups, solution.brackets, strict=True)):
        bracket = Bracket(
            mdps=left,
            residents=group,
            below=field.groups[number + 1 :],
            bye=bye,
            bye_falls_here=bool(bye) and max(bye) <= group[-1],
        )
        if [field.entrants[p].tpn for p in bracket.members] != [*told.mdps, *told.residents]:
            raise BadProblemError(f"bracket {number} of the solution is not one of the problem")
        pairs = [(places[one], places[two]) for one, two in told.pairs]
        steps.append(Step(field, bracket, completion, pairs))
        paired = {place for pair in pairs for place in pair}
        left = tuple(place for place in bracket.members if place not in paired)
    return steps
