"""The Lim system (C.04.4.3, numbered as of 1 February 2026): a procedure of floaters, scrutiny and exchanges.

The text compares no criteria: each choice is the first in an order that is possible. Matchings say what is possible. Decision 29
reads the choices that the text leaves open (L1 to L10).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Allocation, Preference, allocate, preference
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.rules.criterion import (
    CountedCriterion,
    Criterion,
    PairCriterion,
    Unit,
)
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.bits import (
    PerfectMatching,
    bits,
    exchangeable,
    matching,
)
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.floats import Float, float_of, pairing_scores
from tournaments.pairing.individual import (
    BYE_SCORE,
    Edge,
    IndividualSwiss,
    PairedBracket,
    PairedRound,
    can_be_paired,
    first_bye,
    mask_of,
)
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import Contestant, PairingProblem

_SIDES = (RoundKind.FIRST, RoundKind.SECOND)
_MOST_DIFFERENCE = 2


def _allows(contestant: Contestant, side: RoundKind) -> bool:
    """5.1: no side three times in a row, and no three more of one than of the other."""
    colours = contestant.colours
    surplus = 2 * colours.count(side) - len(colours)
    return colours[-2:] != (side, side) and surplus < _MOST_DIFFERENCE


def _without_sides(players: Sequence[DutchPlayer]) -> list[int]:
    """2.1: for each the places with whom neither way to give the sides is allowed, as bits."""
    first, second = (
        mask_of([p.place for p in players if _allows(p.contestant, side)]) for side in _SIDES
    )
    masks = []
    for player in players:
        near = (second if first >> player.place & 1 else 0) | (
            first if second >> player.place & 1 else 0
        )
        masks.append((1 << len(players)) - 1 & ~near)
    return masks


_PAIRS = CountedCriterion("C5", "3.10", "A group keeps as many pairs as it can.", Unit.PLAYERS)
_RATING = CountedCriterion(
    "B2", "7.1", "The bye of round 1 goes to the lowest rating.", Unit.RATING
)
_SIDES_LEFT = PairCriterion(
    code="C3",
    article="2.1",
    quote="Two do not meet whom no sides can be given.",
    barred=_without_sides,
)
CRITERIA = (
    BY_CODE["C1"].cited(article="2.1"),
    BY_CODE["C2"],
    Criterion("C4", "2.6", "The players who are left can all be paired."),
    BYE_SCORE,
    _RATING,
    _PAIRS,
)


def due(contestant: Contestant) -> RoundKind | None:
    """5.5, 5.6: the side had less often, else the other than the last; None before any game."""
    colours = contestant.colours
    if not colours:
        return None
    surplus = 2 * colours.count(RoundKind.FIRST) - len(colours)
    if surplus:
        return RoundKind.SECOND if surplus > 0 else RoundKind.FIRST
    return RoundKind.SECOND if colours[-1] is RoundKind.FIRST else RoundKind.FIRST


class Lim(IndividualSwiss):
    """The Lim system."""

    name = "lim"
    version = "lim-2026.1"
    handbook = "C.04.4.3"
    criteria = (*CRITERIA, _SIDES_LEFT)

    def field(self, problem: PairingProblem) -> DutchField:
        """Everybody to be paired; in the last round sides do not count (6)."""
        is_last = problem.round_number >= problem.rounds_total
        return field_of(problem, CRITERIA if is_last else self.criteria)

    def due(self, contestant: Contestant) -> Preference:
        """The side that is due, absolutely where the other is not allowed (5.1)."""
        return preference(contestant)._replace(side=due(contestant))

    def sides(
        self, field: DutchField, higher: DutchPlayer, lower: DutchPlayer, *, is_upward: bool
    ) -> Allocation:
        """The sides of two, the higher ranked first; below the median the lower ranked has the last word (5.4)."""
        one, two = higher.contestant, lower.contestant
        side, article = self._side(one, two, is_upward=is_upward)
        if side is None:
            first = allocate(field.problem, one, two).first
            return Allocation(
                first, two.tpn if first == one.tpn else one.tpn, f"{self.handbook} 7.2"
            )
        ordered = (one, two) if side is RoundKind.FIRST else (two, one)
        return Allocation(ordered[0].tpn, ordered[1].tpn, f"{self.handbook} {article}")

    def _side(
        self, one: Contestant, two: Contestant, *, is_upward: bool
    ) -> tuple[RoundKind | None, str]:
        """The side of the higher ranked, and the article; None when neither has played."""
        ways = [
            side
            for side, other in (_SIDES, _SIDES[::-1])
            if _allows(one, side) and _allows(two, other)
        ]
        if len(ways) == 1:
            return ways[0], "5.3"
        mine, theirs = due(one), due(two)
        if mine is not theirs:
            if mine is not None:
                return mine, "5.2"
            return (_SIDES[0] if theirs is _SIDES[1] else _SIDES[1]), "5.2"
        for own, other in zip(reversed(one.colours), reversed(two.colours), strict=False):
            if own is not other:
                return other, "5.4"
        if mine is None:
            return None, "7.2"
        return (_SIDES[mine is _SIDES[0]] if is_upward else mine), "5.4.1"

    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """From the top down and from the bottom up to the median, which comes last (2.2)."""
        is_first_round = field.problem.round_number == 1

        def values(place: int) -> tuple[CriterionValue, ...]:  # 1.1, 7.1
            player = field.players[place]
            rating = _RATING.value(player.contestant.rating_centielo // 100)
            return (
                BYE_SCORE.value(player.score_halves),
                *((rating,) if is_first_round else ()),
                CriterionValue("", "1.1", (-place,)),
            )

        bye, bye_values = first_bye(field, values, bye)
        present = (1 << len(field.players)) - 1 & ~(0 if bye is None else 1 << bye)
        return PairedRound(bye, bye_values, tuple(_Round(field, present).brackets()))


@dataclass(slots=True)
class _Group:
    """A score group while it is paired.

    Attributes:
        score_halves: of its residents.
        residents: by place.
        above, below: floaters that came from the side of the higher scores, and of the lower.
        pairs: in the order in which they were made.
        floaters: players who move on.
    """

    score_halves: int
    residents: list[int]
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    pairs: list[Edge] = field(default_factory=list)
    floaters: list[int] = field(default_factory=list)

    @property
    def members(self) -> list[int]:
        """Everybody in the group."""
        return sorted((*self.above, *self.residents, *self.below))


class _Round:
    """One round after the bye was given."""

    def __init__(self, field: DutchField, present: int) -> None:
        self.legal = field.legal
        self.players = field.players
        self.due = [due(p.contestant) for p in field.players]
        problem = field.problem
        everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        scores = pairing_scores(everybody, problem.round_number)
        self.did_float = [
            past > 0
            and p.contestant.records[-1].kind.is_played
            and float_of(problem, p.contestant, past, scores) is not Float.NONE
            for past in (problem.round_number - 1,)
            for p in field.players
        ]
        # L1: half of what the rounds played can bring.
        self.median = _Group((problem.round_number - 1) * problem.points.win // 2, [])
        self.maxi_centielo = 100 * problem.options.house_rules.maxi_elo
        self.upper: list[_Group] = []
        self.lower: list[_Group] = []
        half = (problem.round_number - 1) * problem.points.win
        for places in field.groups:
            group = _Group(
                field.players[places.start].score_halves, [p for p in places if present >> p & 1]
            )
            if not group.residents:
                continue
            if 2 * group.score_halves == half:
                self.median = group
            elif 2 * group.score_halves > half:
                self.upper.append(group)
            else:
                self.lower.insert(0, group)

    def _are_near(self, one: int, two: int) -> bool:
        """3.2.3, 3.8, 5.7: whether a colour may put one of these players in the place of the other (L10)."""
        ratings = [self.players[place].contestant.rating_centielo for place in (one, two)]
        return not self.maxi_centielo or abs(ratings[0] - ratings[1]) <= self.maxi_centielo

    def brackets(self) -> Iterator[PairedBracket]:
        """Every group in the order of 2.2."""
        for side, is_upward in ((self.upper, False), (self.lower, True)):
            for group, following in zip(side, (*side[1:], self.median), strict=False):
                self._transfer(group, following, is_upward=is_upward)
                self._scrutinise(group, is_upward=is_upward)
        self._crack()
        self._scrutinise(self.median, is_upward=False)
        for group in (*self.upper, *self.lower, self.median):
            if group.members:
                yield self._bracket(group, is_upward=group in self.lower)

    def _bracket(self, group: _Group, *, is_upward: bool) -> PairedBracket:
        paired = {place for pair in group.pairs for place in pair}
        floaters = [place for place in group.members if place not in paired]
        pairs = tuple(sorted((min(pair), max(pair)) for pair in group.pairs))
        return PairedBracket(
            residents=tuple(group.residents),
            guests=(*group.above, *group.below),
            pairs=pairs,
            floaters=tuple(floaters),
            criteria=(_PAIRS.value(len(floaters)),),
            order=(
                CriterionValue("", "3.9", tuple(floaters)),
                CriterionValue("", "4", tuple(place for pair in pairs for place in pair)),
            ),
            is_upward=is_upward,
            score_halves=group.score_halves,
        )

    def _transfer(self, group: _Group, following: _Group, *, is_upward: bool) -> None:
        """Choose the floaters (2.3, 3), one after the other: those that leave as many pairs as can be (L6)."""
        members = group.members
        near = _Opponents(self.legal, following.residents)
        while True:
            graph = induced(self.legal, members)
            mate = matching(graph)
            free = [v for v, other in enumerate(mate) if other < 0]
            if not free:
                break
            choices = [members[v] for v in bits(exchangeable(graph, mate, free))]
            floater = min(
                choices, key=lambda p: self._milder(group, members, near, p, is_upward=is_upward)
            )
            near.take(floater)
            members.remove(floater)
            group.floaters.append(floater)
        target = following.below if is_upward else following.above
        target += group.floaters

    def _milder(
        self,
        group: _Group,
        members: Sequence[int],
        near: _Opponents,
        place: int,
        *,
        is_upward: bool,
    ) -> tuple[bool, bool, bool, bool, int]:
        """Return the disadvantage of this floater: 3.9, 3.10, 3.2.2 with 3.2.3, 3.2.4."""
        sides = [self.due[p] for p in members]
        surplus = sides.count(RoundKind.FIRST) - sides.count(RoundKind.SECOND)
        more = None if not surplus else _SIDES[surplus < 0]

        def number(player: int) -> int:
            return self.players[player].tpn if is_upward else -self.players[player].tpn

        usual = min(members, key=number)
        return (
            place not in group.residents,
            not near.has_one_for(place),
            self.did_float[place],
            more is not None and (self.due[place] is not more or not self._are_near(place, usual)),
            number(place),
        )

    def _scrutinise(self, group: _Group, *, is_upward: bool) -> None:
        """Pair the members who do not float: floaters first (3.6-3.8), then the others (4)."""
        places = [place for place in group.members if place not in group.floaters]
        vertex = {place: v for v, place in enumerate(places)}
        graph = induced(self.legal, places)
        perfect = PerfectMatching(graph, matching(graph))
        left = sorted(places, key=lambda p: self.players[p].tpn, reverse=is_upward)

        def first(place: int, opponents: Sequence[int]) -> int:
            return next(p for p in opponents if perfect.choose(vertex[place], 1 << vertex[p]) >= 0)

        def pair(place: int, opponents: Sequence[int]) -> None:
            mine = self.due[place]
            fitting = [
                p for p in opponents if None in (mine, self.due[p]) or self.due[p] is not mine
            ]
            if self.maxi_centielo:
                usual = first(place, opponents)
                fitting = [p for p in fitting if self._are_near(p, usual)]
            other = first(place, (*fitting, *opponents))
            perfect.close(vertex[place], vertex[other])
            group.pairs.append((place, other))
            left.remove(place)
            left.remove(other)

        incoming = (
            *sorted(group.above),  # the highest score and number first
            *sorted(
                group.below, key=lambda p: (self.players[p].score_halves, -self.players[p].tpn)
            ),
        )
        for floater in incoming:
            if floater in left:
                pair(floater, [p for p in left if p != floater])
        while left:
            half = len(left) // 2
            pair(left[0], [*left[half:], *left[half - 1 : 0 : -1]])  # 4.2

    def _crack(self) -> None:
        """2.6: while the median group cannot be paired, break the last pair of a neighbour.

        It is a pair of the lower side if more floaters came from above, else of the upper one (L7).
        """
        median = self.median
        while not can_be_paired(self.legal, median.members):
            is_lower = len(median.above) > len(median.below)
            sides = (self.lower, self.upper) if is_lower else (self.upper, self.lower)
            group = next(g for side in sides for g in reversed(side) if g.pairs)
            pair = group.pairs.pop()
            (median.below if group in self.lower else median.above).extend(pair)


class _Opponents:
    """The residents of the next group as opponents of floaters, each of whom takes one (3.3, 3.4)."""

    def __init__(self, legal: Sequence[int], residents: Sequence[int]) -> None:
        self._legal = legal
        self._residents = list(residents)
        self._floaters: list[int] = []

    def has_one_for(self, place: int) -> bool:
        """Return whether an opponent is left for this floater beside those taken by the others."""
        return self._count([*self._floaters, place]) > self._count(self._floaters)

    def take(self, place: int) -> None:
        """Let this floater have one."""
        self._floaters.append(place)

    def _count(self, floaters: Sequence[int]) -> int:
        """Return the number of floaters that can have an opponent simultaneously."""
        residents = mask_of(self._residents)
        here = [*floaters, *self._residents]
        rows = [self._legal[p] & (residents if p in floaters else mask_of(floaters)) for p in here]
        mate = matching(induced(rows, here, by_place=False))
        return sum(other >= 0 for other in mate) // 2
