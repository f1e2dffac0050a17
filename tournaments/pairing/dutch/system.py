"""The round from the top score group to the last (C.04.3 1.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.boards import board, board_order
from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.completion import Completion, bye_candidates
from tournaments.pairing.dutch.evidence import bracket_evidence
from tournaments.pairing.dutch.exact import exact_pairs
from tournaments.pairing.dutch.field import field_of
from tournaments.pairing.dutch.joint import joint_pairs
from tournaments.pairing.dutch.quick import quick_pairs
from tournaments.pairing.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Progress


class Dutch:
    """The FIDE (Dutch) System."""

    name = "dutch"
    version = "dutch-2026.1"

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: the number is declared beforehand (C.04.1 1)."""

    def pair(self, problem: PairingProblem) -> Solution:
        """The pairing that the rules single out.

        Raises:
            NoPairingError: when the contestants cannot all be paired legally (1.9.3: the arbiter decides).
        """
        field = field_of(problem)
        played = []
        for step in brackets(field, problem):
            played.append(step)
            if self._progress:
                self._progress(step.bracket.residents.stop, len(field.entrants))
        pairs = [pair for step in played for pair in step.pairs]
        paired = {place for pair in pairs for place in pair}
        left = [e.tpn for e in field.entrants if e.place not in paired]
        assert len(left) == len(field.entrants) % 2, "the first check found a complete pairing"
        seated = [board(problem, field, pair) for pair in board_order(field, pairs)]
        return Solution(
            boards=tuple(b for b, _ in seated),
            bye=left[0] if left else None,
            evidence=tuple(e for _, e in seated),
            brackets=tuple(bracket_evidence(problem, field, s.bracket, s.pairs) for s in played),
        )


class Step(NamedTuple):
    """A bracket, and the pairs that were made in it, by place with the higher first."""

    field: Field
    bracket: Bracket
    completion: Completion
    pairs: list[tuple[int, int]]


def brackets(field: Field, problem: PairingProblem) -> Iterator[Step]:
    """Every bracket from the top, paired. Raises NoPairingError."""
    bye = bye_candidates(field)
    completion = Completion(field, bye)
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
            pairs = joint_pairs(problem, field, bracket)
        if pairs is None:
            pairs = exact_pairs(problem, field, bracket, completion)
        yield Step(field, bracket, completion, pairs)
        paired = {place for pair in pairs for place in pair}
        left = tuple(place for place in bracket.members if place not in paired)
