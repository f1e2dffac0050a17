"""Collects a round's boards and idle contestants, for the formats whose rules say who meets whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import alternate
from tournaments.pairing.problem import BadProblemError, NoPairingError, RoundKind
from tournaments.pairing.solution import Board, BoardEvidence, Idle, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tournaments.pairing.problem import Contestant, PairingProblem
    from tournaments.pairing.solution import IdleReason


class SolutionBuilder:
    """The solution of one round while it is being put together."""

    def __init__(self, problem: PairingProblem) -> None:
        self._problem = problem
        self._present = {c.tpn: c for c in problem.contestants}
        self._boards: list[Board] = []
        self._evidence: list[BoardEvidence] = []
        self._idle: dict[int, Idle] = {}
        self._seated: set[int] = set()

    def present(self, tpn: int) -> Contestant | None:
        """Return the contestant of that TPN, or None when it is absent."""
        return self._present.get(tpn)

    def meet(
        self,
        *,
        first: int,
        second: int,
        colour_rule: str,
        meeting: str,
        details: Mapping[str, int],
    ) -> None:
        """Seat two TPNs against each other. If one of them is absent the other wins without a game.

        Raises NoPairingError when the two are forbidden to meet: these formats leave no choice.
        """
        one, two = self._present.get(first), self._present.get(second)
        if one is None or two is None:
            for here, away in ((one, second), (two, first)):
                if here is not None:
                    self.idle(here.tpn, RoundKind.FORFEIT_WIN, away)
            return
        if frozenset((first, second)) in self._problem.forbidden:
            raise NoPairingError(
                f"round {self._problem.round_number}: TPN {first} and {second} must not meet, and the format lets them"
            )
        self._seated |= {first, second}
        self._boards.append(Board(first, second))
        self._evidence.append(
            BoardEvidence(
                first, second, one.score_halves, two.score_halves, colour_rule, meeting, details
            )
        )

    def meet_alternating(
        self,
        higher: Contestant,
        lower: Contestant,
        *,
        meeting: str,
        details: Callable[[Contestant, Contestant], Mapping[str, int]],
    ) -> None:
        """Seat two who are both here, with the sides that alternation gives them.

        `details` are those of the first and the second.
        """
        sides = alternate(self._problem, higher, lower)
        first, second = (higher, lower) if sides.first == higher.tpn else (lower, higher)
        self.meet(
            first=first.tpn,
            second=second.tpn,
            colour_rule=sides.rule,
            meeting=meeting,
            details=details(first, second),
        )

    def idle(
        self,
        tpn: int,
        kind: RoundKind,
        opponent: int | None = None,
        *,
        reason: IdleReason | None = None,
    ) -> None:
        """Note why that TPN does not play. It has no effect when the TPN is absent."""
        if tpn in self._present:
            self._idle[tpn] = Idle(tpn, kind, opponent, reason)

    def idle_if_unseated(
        self, tpn: int, kind: RoundKind, *, reason: IdleReason | None = None
    ) -> None:
        """Note why that TPN does not play, unless that TPN has a board or is idle already."""
        if tpn not in self._idle and tpn not in self._seated:
            self.idle(tpn, kind, reason=reason)

    def solution(self, *, others: RoundKind, reason: IdleReason | None = None) -> Solution:
        """Return the round. Players who have not been named are idle as `others`, for that reason."""
        for tpn in self._present:
            self.idle_if_unseated(tpn, others, reason=reason)
        return Solution(
            tuple(self._boards),
            None,
            tuple(self._evidence),
            idle=tuple(self._idle[tpn] for tpn in sorted(self._idle)),
        )


def starters(problem: PairingProblem) -> tuple[int, ...]:
    """TPNs, ascending, of all who were there when the event began, whether they play this round or not."""
    return tuple(
        sorted(c.tpn for c in (*problem.contestants, *problem.absent) if c.joined_round == 1)
    )


def refuse_pool(problem: PairingProblem, system: str) -> None:
    """Raises BadProblemError for a continuous problem, which has no rounds."""
    if problem.is_continuous:
        raise BadProblemError(f"{system} plays in rounds; the problem is continuous")


def refuse_rounds(problem: PairingProblem, system: str) -> None:
    """Raises BadProblemError for a problem with rounds, which has no pool of those who wait."""
    if not problem.is_continuous:
        raise BadProblemError(f"{system} is continuous; the problem has rounds")
