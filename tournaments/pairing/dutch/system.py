"""The round from the top score group to the last (C.04.3 1.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.boards import board, board_order
from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.completion import Completion, bye_candidates
from tournaments.pairing.dutch.evidence import bracket_evidence
from tournaments.pairing.dutch.exact import exact_pairs
from tournaments.pairing.dutch.field import field_of
from tournaments.pairing.dutch.quick import quick_pairs
from tournaments.pairing.problem import Solution

if TYPE_CHECKING:
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import BracketEvidence, PairingProblem


class Dutch:
    """The FIDE (Dutch) System."""

    name = "dutch"
    version = "dutch-2026.1"

    def pair(self, problem: PairingProblem) -> Solution:
        """The pairing that the rules single out.

        Raises:
            NoPairingError: when the contestants cannot all be paired legally (1.9.3: the arbiter decides).
        """
        field = field_of(problem)
        played, left = _paired_brackets(problem, field)
        assert len(left) == len(field.entrants) % 2, "the first check found a complete pairing"
        pairs = [pair for bracket in played for pair in bracket[1]]
        seated = [board(problem, field, pair) for pair in board_order(field, pairs)]
        return Solution(
            boards=tuple(b for b, _ in seated),
            bye=field.entrants[left[0]].tpn if left else None,
            evidence=tuple(e for _, e in seated),
            brackets=_evidence(problem, field, played),
        )


_Played = list[tuple[Bracket, list[tuple[int, int]]]]


def _paired_brackets(problem: PairingProblem, field: Field) -> tuple[_Played, tuple[int, ...]]:
    """Every bracket with its pairs, and who is left over in the end."""
    bye = bye_candidates(field)
    completion = Completion(field, bye)
    played: _Played = []
    left: tuple[int, ...] = ()
    for number, group in enumerate(field.groups):
        bracket = Bracket(
            mdps=left,
            residents=group,
            below=field.groups[number + 1 :],
            bye=bye,
            bye_falls_here=bool(bye) and max(bye) <= group[-1],
        )
        pairs = quick_pairs(problem, field, bracket, completion)
        if pairs is None:
            pairs = exact_pairs(problem, field, bracket)
        played.append((bracket, pairs))
        paired = {place for pair in pairs for place in pair}
        left = tuple(place for place in (*left, *group) if place not in paired)
    return played, left


def _evidence(
    problem: PairingProblem, field: Field, played: _Played
) -> tuple[BracketEvidence, ...]:
    return tuple(bracket_evidence(problem, field, bracket, pairs) for bracket, pairs in played)
