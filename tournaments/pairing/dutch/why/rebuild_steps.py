"""The brackets of a round that has been paired, built again from its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import BracketPairing, top_bracket
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.completion import Completion, bye_candidates
from tournaments.pairing.dutch.search.steps import Step
from tournaments.pairing.problem import BadProblemError

if TYPE_CHECKING:
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import Solution


def rebuild_steps(problem: PairingProblem, solution: Solution) -> list[Step]:
    """Return every bracket of `solution` from the top, with its pairs, by place.

    Raises:
        BadProblemError: when the solution is not one of this problem by the Dutch system.
    """
    field = field_of(problem)
    if len(solution.brackets) != len(field.groups):
        raise BadProblemError("the solution has not the brackets of the problem")
    places = {p.tpn: p.place for p in field.players}
    bye = bye_candidates(field)
    completion = Completion(field, bye)
    steps: list[Step] = []
    for number, evidence in enumerate(solution.brackets):
        if steps:
            bracket = steps[-1].bracket.next(steps[-1].pairing.floaters)
        else:
            bracket = top_bracket(field, bye)
        if [field.players[p].tpn for p in bracket.members] != [*evidence.mdps, *evidence.residents]:
            raise BadProblemError(f"bracket {number} of the solution is not one of the problem")
        pairs = [(places[one], places[two]) for one, two in evidence.pairs]
        steps.append(Step(BracketPairing(bracket, pairs), completion))
    return steps
