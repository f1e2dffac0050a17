"""The Double-Swiss System in force since 1 February 2026 (C.04.5): every pairing is a match of two games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Preference, Strength, latest_difference, other
from tournaments.pairing.match_rounds import Criterion, Rules, floaters, solution
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import PairsAgain
from tournaments.pairing.top_scoregroup import Member, rank

if TYPE_CHECKING:
    from tournaments.pairing.problem import FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution

CRITERIA = (
    Criterion("C4", "2.3.1", lambda b: (len(b.upfloaters),)),
    Criterion("C5", "2.3.2", lambda b: b.gaps),
    Criterion("C6", "2.3.3", lambda b: () if b.keeps_next is None else (int(not b.keeps_next),)),
    Criterion("C7", "2.3.4", lambda b: (b.floated_twice,)),
    Criterion("C8", "2.3.5", lambda b: (b.opponents_floated,)),
)
_NOTHING_DUE = Preference(None, Strength.NONE, 0)


class DoubleSwiss(PairsAgain):
    """The Double-Swiss System. A record is a match; its side is that of the first game."""

    name = "double-swiss"
    version = "double-swiss-2026.1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: the number is declared beforehand (C.04.1 1)."""

    def pair(self, problem: PairingProblem) -> Solution:
        """The pairing that the rules single out.

        Raises:
            NoPairingError: when the players cannot all be paired legally.
        """
        return solution(problem, _members(problem), _RULES)


def _members(problem: PairingProblem) -> list[Member]:
    # 2.3.4, 2.3.5: floats are not looked at in the last round.
    looks_at_floats = problem.round_number < problem.rounds_total
    floated = floaters(problem) if looks_at_floats else frozenset()
    number = problem.round_number
    return [
        Member(c, c.pairing_halves(number), _NOTHING_DUE, c.tpn in floated)
        for c in problem.contestants
    ]


def _side(problem: PairingProblem, one: Member, two: Member) -> tuple[Member, RoundKind, str]:
    """The higher ranked (1.2), its side in the first game, and the article that gave it (4.3.1-4.3.5)."""
    higher, lower = sorted((one, two), key=rank)
    return higher, *_side_of_higher(problem, higher, lower)


def _side_of_higher(
    problem: PairingProblem, higher: Member, lower: Member
) -> tuple[RoundKind, str]:
    mine, theirs = higher.contestant.colours, lower.contestant.colours
    if not mine and not theirs:
        return problem.initial_side(higher.tpn), "4.3.1"
    more = mine.count(RoundKind.FIRST) - theirs.count(RoundKind.FIRST)
    if more:
        return (RoundKind.FIRST if more < 0 else RoundKind.SECOND), "4.3.2"
    if turned := latest_difference(mine, theirs):
        return turned, "4.3.3"
    if mine:
        return other(mine[-1]), "4.3.4"
    return theirs[-1], "4.3.5"


_RULES = Rules("C.04.5", CRITERIA, _side)
