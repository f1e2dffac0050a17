"""Matches of two: of players, game by game, and of teams, one match or several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.brackets import Bracket
from tournaments.pairing.knockout import MEETINGS, Knockout
from tournaments.pairing.problem import BadProblemError, EventDecidedError, RoundKind
from tournaments.pairing.solution_builder import SolutionBuilder, refuse_pool, starters

if TYPE_CHECKING:
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution


class Match(Knockout):
    """One tie of two players, with as many games as the organiser likes."""

    name = "match"
    version = "match-1"
    meetings = {**MEETINGS, Bracket.WINNERS: "match"}

    def rounds(self, players: int, options: FormatOptions) -> int:
        """Return 1. Raises BadProblemError unless there are two players."""
        _require_two(players, self.name)
        return super().rounds(players, options)


class TeamMatch:
    """Two teams that meet in every round, named first in turn.

    Attributes:
        meeting: the word for their meeting in the evidence of a board.
    """

    name = "team-match"
    version = "team-match-1"
    meeting = "team-match"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """Return None: as many as the organiser likes. Raises BadProblemError unless there are two teams."""
        _require_two(players, self.name)

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the match of the two teams. Raises as a round robin does."""
        refuse_pool(problem, self.name)
        tpns = starters(problem)
        _require_two(len(tpns), self.name)
        _require_two(len(problem.contestants) + len(problem.absent), self.name)
        if problem.round_number > problem.rounds_total:
            raise EventDecidedError(f"there is no round {problem.round_number}")
        one, two = tpns if problem.round_number % 2 else reversed(tpns)
        builder = SolutionBuilder(problem)
        builder.meet(
            first=one,
            second=two,
            colour_rule=self.meeting,
            meeting=self.meeting,
            details={"boards": problem.rounds_total, "table_round": problem.round_number},
        )
        return builder.solution(others=RoundKind.FREE)


def _require_two(contestants: int, name: str) -> None:
    if contestants != 2:
        raise BadProblemError(f"{contestants} contestants: {name} needs two")
