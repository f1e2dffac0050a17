"""The round from the top score group to the last (C.04.3 1.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.boards import board, board_order
from tournaments.pairing.dutch.rules.criteria import CRITERIA
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.steps import brackets
from tournaments.pairing.dutch.why.evidence import bracket_evidence
from tournaments.pairing.solution import Solution

if TYPE_CHECKING:
    from tournaments.pairing.dutch.why.explain import DutchExplainer
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import BracketEvidence, Progress


class Dutch:
    """The FIDE (Dutch) System."""

    name = "dutch"
    version = "dutch-2026.1"
    criteria = CRITERIA

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: the number is declared beforehand (C.04.1 1)."""

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the pairing that the rules single out.

        Raises:
            NoPairingError: when the contestants cannot all be paired legally (1.9.3: the arbiter
                decides).
        """
        field = field_of(problem)
        pairings = []
        for step in brackets(field):
            pairings.append(step.pairing)
            if self._progress:
                self._progress(step.bracket.residents.stop, len(field.players))
        pairs = [pair for pairing in pairings for pair in pairing.pairs]
        bye = pairings[-1].floaters if pairings else ()
        assert len(bye) == len(field.players) % 2, "the first check found a complete pairing"
        seated = [board(field, pair) for pair in board_order(field, pairs)]
        return Solution(
            boards=tuple(b for b, _ in seated),
            bye=field.players[bye[0]].tpn if bye else None,
            evidence=tuple(e for _, e in seated),
            brackets=tuple(bracket_evidence(pairing) for pairing in pairings),
        )

    def explanation(
        self, problem: PairingProblem, solution: Solution
    ) -> tuple[BracketEvidence, ...]:
        """Return the brackets with C8, bounds and proofs, and the reasons of the floaters.

        Raises BadProblemError.
        """
        # A third of the time that the command takes to start.
        from tournaments.pairing.dutch.why.explain import explain

        return explain(problem, solution)

    def explainer(self, problem: PairingProblem, solution: Solution) -> DutchExplainer:
        """Return the explanations of the round. Raises BadProblemError."""
        from tournaments.pairing.dutch.why.explain import DutchExplainer

        return DutchExplainer(problem, solution)
