"""The Burstein system in force since 1 February 2026 (C.04.4.2): opponents as strong as one's own results inside the event.

The first rounds are Dutch rounds. After them one weighted matching a bracket holds the criteria; of equals the first by 4.3 is
found by augmenting paths.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.best_matchings import Priority, first_of_best
from tournaments.pairing.dutch.rules.criterion import CountedCriterion, Unit
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.rules.values import is_clash
from tournaments.pairing.dutch.search.bits import bits
from tournaments.pairing.individual import (
    ABSOLUTE,
    BYE,
    Edge,
    IndividualSwiss,
    PairedBracket,
    PairedRound,
    bye_values,
    first_bye,
    mask_of,
)
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.problem import Contestant, PairingProblem

CRITERIA = (
    *ABSOLUTE,
    *BYE,
    _C5 := CountedCriterion("C5", "2.3.1", "Maximise the number of pairs.", Unit.PLAYERS),
    _C6 := CountedCriterion(
        "C6",
        "2.3.2",
        "Minimise the scores of the outgoing floaters, the highest first.",
        Unit.POINTS,
    ),
    _C7 := CountedCriterion(
        "C7",
        "2.3.3",
        "Choose the floaters so that the next bracket can do best in C1 to C6.",
        Unit.PLAYERS_AND_POINTS,
    ),
    _C8 := CountedCriterion(
        "C8", "2.3.4", "Minimise the players who do not get their colour preference.", Unit.PAIRS
    ),
)
_MOST_SEEDING_ROUNDS = 4


class Burstein(IndividualSwiss):
    """The Burstein system."""

    name = "burstein"
    version = "burstein-2026.1"
    handbook = "C.04.4.2"
    criteria = CRITERIA

    def is_dutch(self, problem: PairingProblem) -> bool:
        """Return whether the round is a seeding round (1.6)."""
        return problem.round_number <= min(problem.rounds_total // 2, _MOST_SEEDING_ROUNDS)

    def ranking(self, field: DutchField) -> Sequence[int]:
        """The places by Buchholz, Sonneborn-Berger and TPN (1.8)."""
        index = _Index(field.problem)
        return sorted(
            range(len(field.players)), key=lambda p: index.of(field.players[p].contestant)
        )

    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """The brackets from the top (3.2)."""
        ranking = self.ranking(field)
        rank = {place: n for n, place in enumerate(ranking)}

        bye, values = first_bye(field, bye_values(field, ranking), bye)
        groups = [mask_of([p for p in group if p != bye]) for group in field.groups]
        groups = [group for group in groups if group]
        brackets: list[PairedBracket] = []
        guests = 0
        for n in range(len(groups)):
            bracket = _Bracket(field, rank, guests, groups[n:])
            brackets.append(bracket.paired())
            guests = mask_of(brackets[-1].floaters)
        return PairedRound(bye, values, tuple(brackets))


class _Rank(NamedTuple):
    """The rank of a player (1.8), the smaller the higher."""

    buchholz: int
    sonneborn_berger: int
    tpn: int


class _Index:
    """Buchholz and Sonneborn-Berger of the opponents' scores as they are now, without virtual points (1.7)."""

    def __init__(self, problem: PairingProblem) -> None:
        self._draw = problem.points.draw
        self._everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}

    @cached_property
    def _scores(self) -> dict[int, int]:
        """Return the worth of each player for the opponents: zero-point byes up to now are draws for them (1.7.2)."""
        scores = {}
        for tpn, contestant in self._everybody.items():
            last = takewhile(lambda r: r.kind is RoundKind.ZERO_BYE, reversed(contestant.records))
            scores[tpn] = contestant.score_halves + self._draw * len(list(last))
        return scores

    def of(self, contestant: Contestant) -> _Rank:
        """The index; an unplayed round is a game against oneself with the points got."""
        own = contestant.score_halves
        buchholz = sonneborn_berger = 0
        for record in contestant.records:
            is_known = record.kind.is_played and record.opponent in self._everybody
            score = self._scores[record.opponent or 0] if is_known else own
            buchholz += score
            sonneborn_berger += record.score_halves * score
        return _Rank(-buchholz, -sonneborn_berger, contestant.tpn)


class _Bracket:
    """A score group with the floaters from above (`guests`), and the groups from it on, as bits."""

    def __init__(
        self, field: DutchField, rank: dict[int, int], guests: int, groups: Sequence[int]
    ) -> None:
        self.field = field
        self.guests = guests
        self.residents, *below = groups
        self.members = guests | self.residents
        self.following = below[0] if below else 0
        self.rest = sum(below[1:])
        self.numbers = sorted(bits(self.members), key=lambda p: rank[p])  # BSNs

    def paired(self) -> PairedBracket:
        """The first of the best pairings (3.2, 4)."""
        partners = self._best()
        inside = {p: q for p, q in partners.items() if self.members >> p & self.members >> q & 1}
        next_bracket = (self.members | self.following) & ~mask_of(list(inside))
        left = [p for p in bits(next_bracket) if not next_bracket >> partners[p] & 1]
        floaters = [p for p in bits(self.members) if p not in inside]
        pairs = tuple((one, two) for one, two in sorted(inside.items()) if one < two)
        number = {place: n for n, place in enumerate(self.numbers, start=1)}
        return PairedBracket(
            residents=tuple(bits(self.residents)),
            guests=tuple(bits(self.guests)),
            pairs=pairs,
            floaters=tuple(floaters),
            criteria=self._values(pairs, floaters, left),
            order=(
                CriterionValue(
                    "", "4.3", tuple(-number.get(inside.get(p, -1), 0) for p in self.numbers)
                ),
            ),
        )

    def _best(self) -> dict[int, int]:
        """Return the partners in the bracket, in the next one, and of the players who are left (C4)."""
        everybody = self.members | self.following | self.rest
        # 4.3: BSN 1 has the largest BSN it can, then BSN 2, and so on. A floater has 0.
        priorities = [Priority(place, self.members, is_exact=True) for place in self.numbers]
        places = [*reversed(self.numbers), *bits(everybody & ~self.members)]
        return first_of_best(self.field.legal, places, self._kind, self._weight(), priorities)

    def _scores(self, places: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted((self.field.players[p].score_halves for p in places), reverse=True))

    def _is_clash(self, one: int, two: int) -> bool:
        return is_clash(self.field.players[one], self.field.players[two])

    def _values(
        self, pairs: Sequence[Edge], floaters: Sequence[int], left: Sequence[int]
    ) -> tuple[CriterionValue, ...]:
        """C5 as the players without a pair, C7 as those of the next bracket and their scores."""
        return (
            _C5.value(len(floaters)),
            _C6.value(*self._scores(floaters)),
            *([_C7.value(len(left), *self._scores(left))] if self.following else []),
            _C8.value(sum(self._is_clash(*pair) for pair in pairs)),
        )

    def _weight(self) -> Callable[[int, int], int]:
        """Return the weights of pairs: members that float less, fewer and lower floaters of the next bracket, fewer clashes."""
        players, members = self.field.players, self.members
        near = members | self.following
        digits = Digits()
        clash = digits.take(members.bit_count())
        below, here = Counter(self._scores(bits(near))), Counter(self._scores(bits(members)))
        next_levels = digits.levels(below)
        next_each = digits.take(near.bit_count())
        levels = digits.levels(here)
        each = digits.take(members.bit_count())

        def worth(one: int, two: int) -> int:
            scores = players[one].score_halves, players[two].score_halves
            if members >> one & members >> two & 1:
                return each + sum(levels[s] for s in scores) - clash * self._is_clash(one, two)
            if near >> one & near >> two & 1:
                return next_each + sum(next_levels.get(s, 0) for s in scores)
            return 0

        return worth

    def _kind(self, place: int) -> tuple[object, ...]:
        player = self.field.players[place]
        if self.members >> place & 1:
            side = player.preference.side
            return "here", player.score_halves, side and side.name
        return ("next", player.score_halves) if self.following >> place & 1 else ("rest",)
