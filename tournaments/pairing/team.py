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
from tournaments.pairing.dutch.search.bits import bits, left_free, matching
from tournaments.pairing.problem import NoPairingError, RoundKind
from tournaments.pairing.solution import (
    Board,
    BoardEvidence,
    BracketEvidence,
    CriterionValue,
    PairsAgain,
    Solution,
)
from tournaments.pairing.solution_builder import refuse_pool
from tournaments.pairing.top_scoregroup import Member, TopBracket, TopScoregroups, floaters, rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import Contestant, FormatOptions, PairingProblem


class SwissTeam(PairsAgain):
    """The Swiss Team Pairing System. Contestants are teams, their records matches."""

    name = "team"
    version = "team-2026.1"

    def rounds(self, players: int, options: FormatOptions) -> None:
        """None: the number is declared beforehand (C.04.1 1)."""

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the pairing that the rules single out.

        Raises:
            NoPairingError: when the teams cannot all be paired legally.
        """
        refuse_pool(problem, self.name)
        members = _members(problem)
        legal = _legal(problem, members)
        bye = _bye(members, legal)
        brackets = list(TopScoregroups(members, legal, bye).brackets())
        pairs = [(min(pair, key=rank), max(pair, key=rank)) for b in brackets for pair in b.pairs]
        # The order is by the smaller TPN for equal scores, in accelerated rounds by the pairing
        # score (C.04.7 1.5).
        pairs.sort(key=lambda p: (-p[0].halves, -p[1].halves, min(p[0].tpn, p[1].tpn)))
        evidence = tuple(_board(problem, one, two) for one, two in pairs)
        return Solution(
            boards=tuple(Board(e.first, e.second) for e in evidence),
            bye=None if bye is None else members[bye].tpn,
            evidence=evidence,
            brackets=tuple(map(_evidence, brackets)),
        )


def _members(problem: PairingProblem) -> list[Member]:
    # 2.3.4, 2.3.7: floats are not looked at in the last two rounds.
    looks_at_floats = problem.round_number <= problem.rounds_total - 2
    floated = floaters(problem) if looks_at_floats else frozenset()
    number = problem.round_number
    members = [
        Member(c, c.pairing_halves(number), preference(problem, c), c.tpn in floated)
        for c in problem.contestants
    ]
    return sorted(members, key=rank)


def _bye(members: Sequence[Member], legal: Sequence[int]) -> int | None:
    """Return the place of the bye: the lowest score, then the most matches played, then the largest TPN (3.4).

    Raises:
        NoPairingError: when the others cannot all be paired with any bye, or no team may have it.
    """
    size = len(members)
    places = list(bits(left_free(legal))) if size % 2 else []
    if size and not places and (size % 2 or min(matching(legal)) < 0):
        raise NoPairingError(
            f"{size} contestants cannot all be paired without a rematch, a forbidden pair or a second bye"
        )
    if size % 2 == 0:
        return None
    allowed = [place for place in places if members[place].contestant.may_have_bye]
    if not allowed:
        raise NoPairingError(
            f"{size} contestants cannot all be paired: all who could be left over have had a bye or a win without"
            " playing"
        )

    def order(place: int) -> tuple[int, int, int]:
        member = members[place]
        return member.halves, -len(member.contestant.colours), -member.tpn

    return min(allowed, key=order)


def _legal(problem: PairingProblem, members: Sequence[Member]) -> list[int]:
    """Return each team's legal opponents, as bits: no earlier opponent (C1), and no forbidden one."""
    places = {member.tpn: place for place, member in enumerate(members)}
    barred = [1 << place for place in range(len(members))]
    for place, member in enumerate(members):
        for tpn in member.contestant.met:
            if tpn in places:
                barred[place] |= 1 << places[tpn]
    for pair in problem.forbidden:
        here = [places[tpn] for tpn in pair if tpn in places]
        if len(here) == 2:
            barred[here[0]] |= 1 << here[1]
            barred[here[1]] |= 1 << here[0]
    everybody = (1 << len(members)) - 1
    return [everybody & ~mask for mask in barred]


def preference(problem: PairingProblem, team: Contestant) -> Preference:
    """Return the colour preference of a team (1.7), by the type that the event has chosen."""
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


def _board(problem: PairingProblem, one: Member, two: Member) -> BoardEvidence:
    def rank_of_team(member: Member) -> tuple[int, int, int]:
        """Return the order of 4.2, by real scores."""
        second = member.contestant.second_halves if problem.options.has_second_score else 0
        return -member.contestant.score_halves, -second, member.tpn

    first, second = sorted((one, two), key=rank_of_team)
    side, article = _side_of_first(problem, first, second)
    white, black = (first, second) if side is RoundKind.FIRST else (second, first)
    return BoardEvidence(
        white.tpn,
        black.tpn,
        white.contestant.score_halves,
        black.contestant.score_halves,
        f"C.04.6 {article}",
    )


def _evidence(bracket: TopBracket) -> BracketEvidence:
    keeps_next = () if bracket.keeps_next is None else (int(not bracket.keeps_next),)
    values = (
        CriterionValue("C4", "2.3.1", (len(bracket.upfloaters),)),
        CriterionValue("C5", "2.3.2", bracket.gaps),
        CriterionValue("C6", "2.3.3", keeps_next),
        CriterionValue("C7", "2.3.4", (bracket.floated_twice,)),
        CriterionValue("C8", "2.3.5", (bracket.same_side,)),
        CriterionValue("C9", "2.3.6", (bracket.same_strong,)),
        CriterionValue("C10", "2.3.7", (bracket.opponents_floated,)),
    )
    return BracketEvidence(
        halves=bracket.residents[0].halves,
        mdps=tuple(m.tpn for m in bracket.upfloaters),
        residents=tuple(m.tpn for m in bracket.residents),
        pairs=tuple((one.tpn, two.tpn) for one, two in bracket.pairs),
        floaters=(),
        criteria=values,
    )


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
