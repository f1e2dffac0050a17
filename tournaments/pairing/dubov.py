"""The Dubov system in force since 1 February 2026 (C.04.4.1): equal average ratings of the opponents in a score group.

Players move up, never down. A matching with the criteria as digits finds the upfloaters; augmenting paths find the first sets of
shifters and the first transposition.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tournaments.pairing.best_matchings import Priority, first_of_best
from tournaments.pairing.colours import Preference, Strength
from tournaments.pairing.dutch.rules.criterion import CountedCriterion, Unit
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.search.bits import bits, first_transversal, matching
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.floats import Float, float_of, pairing_scores
from tournaments.pairing.individual import (
    ABSOLUTE,
    BYE,
    Edge,
    IndividualSwiss,
    PairedBracket,
    PairedRound,
    bye_values,
    can_be_paired,
    first_bye,
    mask_of,
)
from tournaments.pairing.problem import RoundKind
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tournaments.pairing.dutch.rules.field import DutchField

CRITERIA = (
    *ABSOLUTE,
    *BYE,
    _C5 := CountedCriterion("C5", "2.3.1", "Minimise the number of upfloaters.", Unit.PLAYERS),
    _C6 := CountedCriterion(
        "C6",
        "2.3.2",
        "Minimise the score differences of the upfloaters, the largest first.",
        Unit.POINTS,
    ),
    _C7 := CountedCriterion(
        "C7", "2.3.3", "Minimise the players who do not get their colour preference.", Unit.PAIRS
    ),
    _C8 := CountedCriterion(
        "C8", "2.3.4", "Minimise the maximum upfloaters who float up.", Unit.PLAYERS
    ),
    _C9 := CountedCriterion(
        "C9",
        "2.3.5",
        "Minimise how often these maximum upfloaters have floated up before.",
        Unit.ROUNDS,
    ),
    _C10 := CountedCriterion(
        "C10", "2.3.6", "Minimise the upfloaters who floated up in the last round.", Unit.PLAYERS
    ),
)


@dataclass(frozen=True, slots=True)
class _Seeker:
    """A player with what only this system asks for.

    Attributes:
        aro: the average rating of the opponents, rounded half up; 0 before any game (1.7).
        side: the one that is due; Black before any game (1.6).
        upfloats: in how many rounds the player met a higher score.
        did_float: whether the last round was one of these.
    """

    aro: int
    side: RoundKind
    upfloats: int
    did_float: bool


class Dubov(IndividualSwiss):
    """The Dubov system."""

    name = "dubov"
    version = "dubov-2026.1"
    handbook = "C.04.4.1"
    criteria = CRITERIA
    unplayed = Preference(RoundKind.SECOND, Strength.MILD, 0)  # 1.6

    def paired(self, field: DutchField, bye: int | None = None) -> PairedRound:
        """The score groups from the top, each with its upfloaters (3.2)."""
        players = field.players
        # Among equal scores and games the largest TPN has the bye, and places go by score and TPN.
        bye, values = first_bye(field, bye_values(field, range(len(players))), bye)
        round_ = _Round(field)
        left = (1 << len(players)) - 1 & ~(0 if bye is None else 1 << bye)
        brackets = []
        for group in field.groups:
            residents = [place for place in group if left >> place & 1]
            if residents:
                brackets.append(round_.bracket(residents, list(bits(left & ~mask_of(residents)))))
                left &= ~mask_of([place for pair in brackets[-1].pairs for place in pair])
        return PairedRound(bye, values, tuple(brackets))


class _Round:
    """One round: what is known of everybody, and the brackets from the top (3.2)."""

    def __init__(self, field: DutchField) -> None:
        self.field = field
        problem = field.problem
        self.is_last = problem.round_number >= problem.rounds_total
        self.most_floats = 2 + problem.rounds_total // 5  # 1.8

    @cached_property
    def seekers(self) -> list[_Seeker]:
        """Everybody, by place."""
        problem = self.field.problem
        everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        scores = pairing_scores(everybody, problem.round_number)
        seekers = []
        for player in self.field.players:
            records = player.contestant.records
            ratings = [
                everybody[r.opponent].rating_centielo // 100
                for r in records
                if r.kind.is_played and r.opponent in everybody
            ]
            floats = [
                float_of(problem, player.contestant, number, scores) is Float.UP
                for number in range(1, problem.round_number)
            ]
            seekers.append(
                _Seeker(
                    aro=(2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else 0,
                    side=player.preference.side or RoundKind.SECOND,
                    upfloats=sum(floats),
                    did_float=floats[-1:] == [True],
                )
            )
        return seekers

    def bracket(self, residents: list[int], below: list[int]) -> PairedBracket:
        """The score group of `residents`, paired with the upfloaters it needs from `below`."""
        floaters = self._upfloaters(residents, below)
        members = sorted((*residents, *floaters))
        halves = _Halves(self, members)
        pairs = halves.pairs()
        return PairedBracket(
            residents=tuple(residents),
            guests=floaters,
            pairs=tuple(sorted((min(pair), max(pair)) for pair in pairs)),
            floaters=(),
            criteria=self._values(residents[0], floaters, pairs),
            order=(
                CriterionValue("", "4.2", tuple(floaters)),
                CriterionValue("", "4.3", halves.shifts),
                CriterionValue("", "4.4", tuple(two for _, two in pairs)),
            ),
        )

    def _is_clash(self, one: int, two: int) -> bool:
        return self.seekers[one].side is self.seekers[two].side

    def _values(
        self, resident: int, floaters: Sequence[int], pairs: Iterable[Edge]
    ) -> tuple[CriterionValue, ...]:
        """C5 to C10 of the pairs with these upfloaters."""
        players = self.field.players
        gaps = [players[resident].score_halves - players[p].score_halves for p in floaters]
        values = [
            _C5.value(len(floaters)),
            _C6.value(*sorted(gaps, reverse=True)),
            _C7.value(sum(self._is_clash(*pair) for pair in pairs)),
        ]
        amounts = [self._amounts(p) for p in floaters]
        floats = () if self.is_last else (_C8, _C9, _C10)
        return (*values, *(c.value(sum(each[c.code] for each in amounts)) for c in floats))

    def _amounts(self, place: int) -> dict[str, int]:
        """Return an upfloater's part of C8, C9 and C10, which the last round does without."""
        seeker = self.seekers[place]
        is_most = seeker.upfloats >= self.most_floats and not self.is_last
        return {
            "C8": int(is_most),
            "C9": seeker.upfloats if is_most else 0,
            "C10": int(seeker.did_float and not self.is_last),
        }

    def _upfloaters(self, residents: list[int], below: list[int]) -> tuple[int, ...]:
        """The upfloaters, by rank (3.2.1, 3.2.2): one matching with C5 to C10 as digits, below them the order of 4.2."""
        players, legal = self.field.players, self.field.legal
        if can_be_paired(legal, residents) and can_be_paired(legal, below):
            return ()
        digits = Digits()
        amounts = {place: self._amounts(place) for place in below}
        units = {
            code: digits.take(sum(each[code] for each in amounts.values()))
            for code in ("C10", "C9", "C8")
        }
        units["C7"] = digits.take(len(residents))
        scores = Counter(players[p].score_halves for p in below)
        levels = {score: digits.take(scores[score]) for score in sorted(scores, reverse=True)}
        units["C5"] = digits.take(len(below))
        cost = {
            place: units["C5"]
            + levels[players[place].score_halves]
            + sum(units[code] * amount for code, amount in each.items())
            for place, each in amounts.items()
        }

        def weight(one: int, two: int) -> int:
            if one in cost and two in cost:
                return 0
            return -units["C7"] * self._is_clash(one, two) - cost.get(one, 0) - cost.get(two, 0)

        partners = first_of_best(
            legal,
            (*residents, *below),
            lambda p: (cost.get(p, -1), self.seekers[p].side),
            weight,
            [Priority(place, mask_of(residents)) for place in below],  # 4.2
        )
        return tuple(sorted(partners[p] for p in residents if partners[p] in cost))


class _Halves:
    """A bracket whose members are all paired: White seekers against the others (3.2.3-3.2.6).

    `white` is the first subgroup. If no member has played yet, it is the first half.
    """

    def __init__(self, round_: _Round, members: list[int]) -> None:
        self.round = round_
        self.members = members
        players = round_.field.players
        if any(players[p].colours for p in members):
            white = [p for p in members if round_.seekers[p].side is RoundKind.FIRST]
        else:
            white = sorted(members, key=lambda p: players[p].tpn)[: len(members) // 2]
        self.white = mask_of(white)
        self.black = mask_of(members) & ~self.white
        self.legal = round_.field.legal
        self.shifts: tuple[int, ...] = ()

    def pairs(self) -> list[Edge]:
        """The pairs in the order of the first subgroup, its members first; `shifts` tells who changed the subgroup."""
        small, large = self._by_size()
        is_white = small == self.white
        moved = self._to_large(small)
        away = mask_of(moved)
        back = self._to_small(
            small & ~away, self._shifters(large | away, is_white=not is_white), away
        )
        changed = away | mask_of(back)
        self.shifts = (*moved, *back)
        one = self._sorted(self.white ^ changed, is_white=True)
        two = self._sorted(self.black ^ changed, is_white=False)
        rows = [sum((self.legal[p] >> q & 1) << n for n, q in enumerate(two)) for p in one]
        columns = first_transversal(rows)
        assert columns is not None, "the shifts leave a legal transposition"
        return [(p, two[column]) for p, column in zip(one, columns, strict=True)]

    def _by_size(self) -> tuple[int, int]:
        """The smaller subgroup, the first one when both are equal, and the larger."""
        if self.white.bit_count() <= self.black.bit_count():
            return self.white, self.black
        return self.black, self.white

    def _sorted(self, group: int, *, is_white: bool) -> list[int]:
        """The first subgroup by average rating and TPN, the second by TPN (3.2.5, 3.2.6)."""
        players, seekers = self.round.field.players, self.round.seekers
        return sorted(
            bits(group), key=lambda p: (seekers[p].aro if is_white else 0, players[p].tpn)
        )

    def _shifters(self, group: int, *, is_white: bool) -> list[int]:
        """The members in the order in which they are moved: from the middle outwards, the upper before the lower (4.3)."""
        ordered = self._sorted(group, is_white=is_white)
        places = sorted(range(len(ordered)), key=lambda n: (abs(2 * n - len(ordered) + 1), n))
        return [ordered[n] for n in places]

    def _to_large(self, small: int) -> list[int]:
        """Return the players who leave the smaller subgroup since its members must meet: the first set that leaves the fewest such pairs."""
        shifters = self._shifters(small, is_white=small == self.white)
        partners = first_of_best(
            self.legal,
            self.members,
            lambda p: small >> p & 1,
            lambda one, two: -(small >> one & small >> two & 1),
            [Priority(place, mask_of(shifters[n:])) for n, place in enumerate(shifters, start=1)],
        )
        number = {place: n for n, place in enumerate(shifters)}
        return [p for p in shifters if number[p] < number.get(partners[p], -1)]

    def _to_small(self, small: int, shifters: Sequence[int], moved: int) -> list[int]:
        """Return the players who leave the larger subgroup so that both are equal: the first set with which all can be paired across.

        Each of them meets a player who stays. The others need no more rules: those from the smaller subgroup cannot but meet
        one of that, since it has the fewest pairs inside, and two who cannot leave never meet each other.
        """
        count = (len(shifters) - small.bit_count()) // 2
        large = mask_of(shifters)
        leaving = 0

        def near(place: int) -> int:
            if small >> place & 1:
                return ~small & ~leaving
            if leaving >> place & 1:
                return large & ~moved & ~leaving
            return ~moved

        chosen: list[int] = []
        for place in shifters:
            if len(chosen) == count:
                break
            leaving |= 1 << place
            if self._is_perfect(near):
                chosen.append(place)
            else:
                leaving &= ~(1 << place)
        assert len(chosen) == count, "a pairing with the fewest clashes has a set of shifters"
        return chosen

    def _is_perfect(self, near: Callable[[int], int]) -> bool:
        """Return whether all members can be paired when each may meet these."""
        legal = [self.legal[p] & near(p) for p in self.members]
        return min(matching(induced(legal, self.members, by_place=False)), default=0) >= 0
