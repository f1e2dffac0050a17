"""The Swiss Team Pairing System in force since 1 February 2026 (C.04.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import (
    Allocation,
    Preference,
    Strength,
    colour_difference,
    latest_difference,
    other,
)
from tournaments.pairing.double_swiss import CRITERIA as OF_DOUBLE_SWISS
from tournaments.pairing.double_swiss import MatchSwiss, keeps_next
from tournaments.pairing.dutch.rules.criterion import CountedCriterion, Unit
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.top_scoregroup import Member, TopBracket, floaters

if TYPE_CHECKING:
    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import Contestant, PairingProblem
    from tournaments.pairing.solution import CriterionValue

_B1 = CountedCriterion("B1", "3.4.2", "The bye goes to the lowest score.", Unit.POINTS)
_B2 = CountedCriterion("B2", "3.4.3", "The bye goes to the most matches.", Unit.ROUNDS)
_COUNTED = tuple(
    CountedCriterion(code, article, quote, unit)
    for code, article, quote, unit in (
        ("C4", "2.3.1", "Minimise the number of upfloaters.", Unit.PLAYERS),
        ("C5", "2.3.2", "Minimise the score differences of the upfloaters.", Unit.POINTS),
        (
            "C6",
            "2.3.3",
            "The following scoregroup needs no more upfloaters than one.",
            Unit.PLAYERS,
        ),
        ("C7", "2.3.4", "Minimise the upfloaters who floated in the last round.", Unit.PLAYERS),
        ("C8", "2.3.5", "Minimise the teams that do not get the preference.", Unit.PLAYERS),
        ("C9", "2.3.6", "Minimise the teams that do not get a strong preference.", Unit.PLAYERS),
        ("C10", "2.3.7", "Minimise their opponents who floated in the last round.", Unit.PLAYERS),
    )
)


class SwissTeam(MatchSwiss):
    """The Swiss Team Pairing System. Contestants are teams, their records matches."""

    name = "team"
    version = "team-2026.1"
    handbook = "C.04.6"
    criteria = (*(c for c in OF_DOUBLE_SWISS if c.code in ("C1", "C2", "C3")), _B1, _B2, *_COUNTED)
    bye_criteria = _B1, _B2

    def members(self, field: DutchField) -> list[Member]:
        """Return the teams in ranking order."""
        problem = field.problem
        # 2.3.4, 2.3.7: floats are not looked at in the last two rounds.
        looks_at_floats = problem.round_number <= problem.rounds_total - 2
        floated = floaters(problem) if looks_at_floats else frozenset()
        return [
            Member(
                p.contestant, p.score_halves, preference(problem, p.contestant), p.tpn in floated
            )
            for p in field.players
        ]

    def reached(self, bracket: TopBracket) -> tuple[CriterionValue, ...]:
        """Return the values of C4 to C10."""
        values = (
            (len(bracket.upfloaters),),
            bracket.gaps,
            keeps_next(bracket),
            (bracket.floated_twice,),
            (bracket.same_side,),
            (bracket.same_strong,),
            (bracket.opponents_floated,),
        )
        return tuple(each.value(*value) for each, value in zip(_COUNTED, values, strict=True))

    def board_order(self, one: DutchPlayer, other: DutchPlayer) -> tuple[int, ...]:
        """Return the order by scores, then by the smaller TPN."""
        order = super().board_order(one, other)
        return *order[:2], min(one.tpn, other.tpn)

    def due(self, contestant: Contestant) -> Preference:
        """Return the preference of type A, which our events have."""
        return _preference("A", contestant, is_last=False)

    def sides(
        self, field: DutchField, higher: DutchPlayer, lower: DutchPlayer, *, is_upward: bool
    ) -> Allocation:
        """Return the sides on board 1, with the article (4.3)."""
        problem = field.problem

        def rank_of_team(team: Contestant) -> tuple[int, int, int]:
            """Return the order of 4.2, by real scores."""
            second = team.second_halves if problem.options.has_second_score else 0
            return -team.score_halves, -second, team.tpn

        both = sorted((higher.contestant, lower.contestant), key=rank_of_team)
        side, article = _side_of_first(problem, *both)
        first, second = both if side is RoundKind.FIRST else both[::-1]
        return Allocation(first.tpn, second.tpn, f"{self.handbook} {article}")


def preference(problem: PairingProblem, team: Contestant) -> Preference:
    """Return the colour preference of a team (1.7), by the type that the event has chosen."""
    is_last = problem.round_number >= problem.rounds_total
    return _preference(problem.options.colour_type, team, is_last=is_last)


def _preference(kind: str, team: Contestant, *, is_last: bool) -> Preference:
    colours, apart = team.colours, colour_difference(team.colours)
    nothing = Preference(None, Strength.NONE, apart)
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
        if not is_last:
            return Preference(other(colours[-1]), Strength.MILD, apart)
    return nothing


def _side_of_first(
    problem: PairingProblem, first: Contestant, second: Contestant
) -> tuple[RoundKind, str]:
    mine, theirs = preference(problem, first), preference(problem, second)
    my_colours, their_colours = first.colours, second.colours
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
