"""The Swiss Team Pairing System in force since 1 February 2026 (C.04.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import (
    Preference,
    Strength,
    colour_difference,
    latest_difference,
    other,
)
from tournaments.pairing.match_rounds import Criterion, Rules, floaters, solution
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import PairsAgain
from tournaments.pairing.top_scoregroup import Member

if TYPE_CHECKING:
    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem
    from tournaments.pairing.solution import Solution

CRITERIA = (
    Criterion("C4", "2.3.1", lambda b: (len(b.upfloaters),)),
    Criterion("C5", "2.3.2", lambda b: b.gaps),
    Criterion("C6", "2.3.3", lambda b: () if b.keeps_next is None else (int(not b.keeps_next),)),
    Criterion("C7", "2.3.4", lambda b: (b.floated_twice,)),
    Criterion("C8", "2.3.5", lambda b: (b.same_side,)),
    Criterion("C9", "2.3.6", lambda b: (b.same_strong,)),
    Criterion("C10", "2.3.7", lambda b: (b.opponents_floated,)),
)


class SwissTeam(PairsAgain):
    """The Swiss Team Pairing System; contestants are teams, their records matches."""

    name = "team"
    version = "team-2026.1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: the number is declared beforehand (C.04.1 1)."""

    def pair(self, problem: PairingProblem) -> Solution:
        """The pairing that the rules single out.

        Raises:
            NoPairingError: when the teams cannot all be paired legally.
        """
        return solution(problem, _members(problem), _RULES)


def _members(problem: PairingProblem) -> list[Member]:
    # 2.3.4, 2.3.7: floats are not looked at in the last two rounds.
    looks_at_floats = problem.round_number <= problem.rounds_total - 2
    floated = floaters(problem) if looks_at_floats else frozenset()
    number = problem.round_number
    return [
        Member(c, c.pairing_halves(number), preference(problem, c), c.tpn in floated)
        for c in problem.contestants
    ]


def preference(problem: PairingProblem, team: Contestant) -> Preference:
    """The colour preference of a team (1.7), by the type that the event has chosen."""
    colours, apart = team.colours, colour_difference(team.colours)
    nothing = Preference(None, Strength.NONE, apart)
    kind = problem.options.colour_type
    if not kind or not colours:
        return nothing
    strength = Strength.STRONG if kind == "B" else Strength.MILD
    for side, lead in ((RoundKind.FIRST, -apart), (RoundKind.SECOND, apart)):
        had_other_twice = colours[-2:] == (other(side), other(side))
        if lead > 1 or (lead in (0, 1) and had_other_twice):
            return Preference(side, strength, apart)
    if kind == "B":
        if apart:
            side = RoundKind.FIRST if apart < 0 else RoundKind.SECOND
            return Preference(side, Strength.MILD, apart)
        if problem.round_number < problem.rounds_total:
            return Preference(other(colours[-1]), Strength.MILD, apart)
    return nothing


def _side(problem: PairingProblem, one: Member, two: Member) -> tuple[Member, RoundKind, str]:
    """The first-team (4.2), its side, and the article that gave it (4.3.1-4.3.9)."""

    def rank(member: Member) -> tuple[int, int, int]:
        second = member.contestant.second_halves if problem.options.has_second_score else 0
        return -member.contestant.score_halves, -second, member.tpn

    first, second = sorted((one, two), key=rank)
    return first, *_side_of_first(problem, first, second)


def _side_of_first(problem: PairingProblem, first: Member, second: Member) -> tuple[RoundKind, str]:
    mine, theirs = first.due, second.due
    my_colours, their_colours = first.contestant.colours, second.contestant.colours
    if not my_colours and not their_colours:
        return problem.initial_side(first.tpn), "4.3.1"
    if mine.side is None and theirs.side is not None:
        return other(theirs.side), "4.3.2"
    if mine.side is not None and mine.side is not theirs.side:
        return mine.side, "4.3.2" if theirs.side is None else "4.3.3"
    if mine.side is not None and mine.strength is not theirs.strength:
        return (mine.side if mine.strength > theirs.strength else other(mine.side)), "4.3.4"
    if mine.difference != theirs.difference:
        is_lower = mine.difference < theirs.difference
        return (RoundKind.FIRST if is_lower else RoundKind.SECOND), "4.3.5"
    if turned := latest_difference(my_colours, their_colours):
        return turned, "4.3.6"
    if mine.side is not None:
        return mine.side, "4.3.7"
    if my_colours:
        return other(my_colours[-1]), "4.3.8"
    return their_colours[-1], "4.3.9"


_RULES = Rules("C.04.6", CRITERIA, _side, has_boards_by_smaller_tpn=True)
