"""The Double-Swiss System in force since 1 February 2026 (C.04.5): every pairing is a match of two games."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from tournaments.pairing.colours import (
    NO_PREFERENCE,
    Allocation,
    Preference,
    latest_difference,
    other,
)
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.rules.criterion import CountedCriterion, Criterion, Unit
from tournaments.pairing.individual import IndividualSwiss, PairedBracket, PairedRound, first_bye
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import CriterionValue
from tournaments.pairing.top_scoregroup import Member, TopBracket, TopScoregroups, floaters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import Contestant, PairingProblem

CRITERIA = (
    BY_CODE["C1"].cited(article="2.1.1"),
    BY_CODE["C2"].cited(article="2.1.2"),
    Criterion(
        code="C3", article="2.2.1", quote="The players who are left can all be paired legally."
    ),
    _B1 := CountedCriterion("B1", "3.4.2", "The bye goes to the lowest score.", Unit.POINTS),
    _B2 := CountedCriterion("B2", "3.4.3", "The bye goes to the most matches.", Unit.ROUNDS),
    _C4 := CountedCriterion("C4", "2.3.1", "Minimise the number of upfloaters.", Unit.PLAYERS),
    _C5 := CountedCriterion(
        "C5", "2.3.2", "Minimise the score differences of the upfloaters.", Unit.POINTS
    ),
    _C6 := CountedCriterion(
        "C6", "2.3.3", "The following scoregroup needs no more upfloaters than one.", Unit.PLAYERS
    ),
    _C7 := CountedCriterion(
        "C7", "2.3.4", "Minimise the upfloaters who floated in the last round.", Unit.PLAYERS
    ),
    _C8 := CountedCriterion(
        "C8", "2.3.5", "Minimise their opponents who floated in the last round.", Unit.PLAYERS
    ),
)


class MatchSwiss(IndividualSwiss):
    """A system of matches that pairs the scoregroups from the top, each with its upfloaters (3.3-3.6)."""

    bye_criteria: ClassVar[tuple[CountedCriterion, CountedCriterion]]
    completion = "C3"

    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """Return the scoregroups from the top, each with its upfloaters (3.3-3.6)."""
        score, played = self.bye_criteria

        def values(place: int) -> tuple[CriterionValue, ...]:
            player = field.players[place]
            return (
                score.value(player.score_halves),
                played.value(player.unplayed),
                CriterionValue("", "3.4.4", (-player.tpn,)),
            )

        bye, reached = first_bye(field, values, bye)
        members = self.members(field)
        places = {member.tpn: place for place, member in enumerate(members)}
        brackets = TopScoregroups(members, field.legal, bye).brackets()
        return PairedRound(bye, reached, tuple(self._bracket(each, places) for each in brackets))

    @abstractmethod
    def members(self, field: DutchField) -> list[Member]:
        """Return everybody to be paired in ranking order, with preferences and floats."""

    @abstractmethod
    def reached(self, bracket: TopBracket) -> tuple[CriterionValue, ...]:
        """Return the values of the criteria in a bracket."""

    def _bracket(self, bracket: TopBracket, places: Mapping[int, int]) -> PairedBracket:
        tops = [one.tpn for one, _ in bracket.pairs]
        bottoms = [two.tpn for _, two in bracket.pairs]
        pairs = [sorted((places[one.tpn], places[two.tpn])) for one, two in bracket.pairs]
        return PairedBracket(
            residents=tuple(places[m.tpn] for m in bracket.residents),
            guests=tuple(places[m.tpn] for m in bracket.upfloaters),
            pairs=tuple((one, two) for one, two in pairs),
            floaters=(),
            criteria=self.reached(bracket),
            order=(
                CriterionValue("", "3.5.4", tuple(m.tpn for m in bracket.upfloaters)),
                CriterionValue("", "3.6", (*tops, *bottoms)),
            ),
        )


def keeps_next(bracket: TopBracket) -> tuple[int, ...]:
    """Return the value of C6: 1 if the next scoregroup needs more upfloaters, nothing without upfloaters."""
    return () if bracket.keeps_next is None else (int(not bracket.keeps_next),)


class DoubleSwiss(MatchSwiss):
    """The Double-Swiss System. A record is a match. Its side is that of the first game."""

    name = "double-swiss"
    version = "double-swiss-2026.1"
    handbook = "C.04.5"
    criteria = CRITERIA
    bye_criteria = _B1, _B2

    def members(self, field: DutchField) -> list[Member]:
        """Return the players in ranking order, without preferences."""
        problem = field.problem
        # 2.3.4, 2.3.5: floats are not looked at in the last round.
        is_last = problem.round_number >= problem.rounds_total
        floated = frozenset() if is_last else floaters(problem)
        return [
            Member(p.contestant, p.score_halves, NO_PREFERENCE, p.tpn in floated)
            for p in field.players
        ]

    def reached(self, bracket: TopBracket) -> tuple[CriterionValue, ...]:
        """Return the values of C4 to C8."""
        return (
            _C4.value(len(bracket.upfloaters)),
            _C5.value(*bracket.gaps),
            _C6.value(*keeps_next(bracket)),
            _C7.value(bracket.floated_twice),
            _C8.value(bracket.opponents_floated),
        )

    def due(self, contestant: Contestant) -> Preference:
        """No side is due: colours never speak against a pair."""
        return NO_PREFERENCE

    def sides(
        self, field: DutchField, higher: DutchPlayer, lower: DutchPlayer, *, is_upward: bool
    ) -> Allocation:
        """Return the sides of the first game, with the article (4.3.1-4.3.5)."""
        side, article = _side_of_higher(field.problem, higher.contestant, lower.contestant)
        tpns = (higher.tpn, lower.tpn) if side is RoundKind.FIRST else (lower.tpn, higher.tpn)
        return Allocation(*tpns, f"{self.handbook} {article}")


def _side_of_higher(
    problem: PairingProblem, higher: Contestant, lower: Contestant
) -> tuple[RoundKind, str]:
    mine, theirs = higher.colours, lower.colours
    if not mine and not theirs:
        return problem.initial_side(higher.tpn), "4.3.1"
    more = mine.count(RoundKind.FIRST) - theirs.count(RoundKind.FIRST)
    if more:
        return (RoundKind.FIRST if more < 0 else RoundKind.SECOND), "4.3.2"
    if turned := latest_difference(mine, theirs):
        return turned, "4.3.3"
    if mine:
        return other(mine[-1]), "4.3.4"
    return RoundKind.SECOND, "4.3.5"  # by 4.3.2 the other has had Black alone
