"""The Dubov system by enumeration: every set of upfloaters, every shift and every transposition, in the order of C.04.4.1."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from tests.tournaments.pairing.dutch_records import score_before
from tests.tournaments.pairing.enumerated import BLACK, WHITE, Enumeration, Pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tournaments.pairing.dutch_records import Player
    from tournaments.pairing import PairingProblem


class DubovOracle(Enumeration):
    """One round of the Dubov system."""

    def __init__(self, problem: PairingProblem) -> None:
        super().__init__(problem)
        self.everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        self.upfloats = {p.tpn: self._upfloats(p.tpn) for p in self.players}

    def solution(self) -> set[tuple[int, int]]:
        """The boards of the round. Raises NoPairingError."""
        rank = {place: place for place in self.places}
        bye = self.bye({place: self.players[place].tpn for place in self.places})
        left = self.without(bye)
        pairs: Pairs = ()
        while left:
            pairs_here = self._bracket(left)
            pairs += pairs_here
            seated = {place for pair in pairs_here for place in pair}
            left = tuple(place for place in left if place not in seated)
        return self.boards(pairs, bye, rank)

    def due(self, player: Player) -> tuple[str, int]:
        """Return the due side. 1.6: a player who has not played has a mild preference for Black."""
        return super().due(player) if player.history else (BLACK, 1)

    def aro(self, place: int) -> int:
        """1.7: the mean rating of those met over the board, rounded half up."""
        ratings = [
            self.everybody[record.opponent].rating_centielo / 100
            for record in self.everybody[self.players[place].tpn].records
            if record.kind.is_played and record.opponent in self.everybody
        ]
        return int(sum(ratings) / len(ratings) + 0.5) if ratings else 0

    def _upfloats(self, tpn: int) -> list[int]:
        """The rounds in which this one met a higher score."""
        rounds = []
        for number, record in enumerate(self.everybody[tpn].records, start=1):
            opponent = self.everybody.get(record.opponent or 0)
            if record.kind.is_played and opponent is not None:
                mine = score_before(self.everybody[tpn], number)
                if mine < score_before(opponent, number):
                    rounds.append(number)
        return rounds

    def _bracket(self, left: tuple[int, ...]) -> Pairs:
        top = self.players[left[0]].score
        residents = tuple(p for p in left if self.players[p].score == top)
        below = tuple(p for p in left if p not in residents)
        for size in range(len(below) + 1):
            choices = [
                (self._judged(floaters, least), floaters)
                for floaters in combinations(below, size)
                if self.completes(tuple(p for p in below if p not in floaters))
                and (least := self._least_clashes((*residents, *floaters))) is not None
            ]
            if choices:
                floaters = min(choices)[1]
                members = tuple(sorted((*residents, *floaters)))
                return self._paired(members, self._least_clashes(members) or 0)
        raise AssertionError("the bye left a complete pairing")

    def _clashes(self, pairs: Pairs) -> int:
        """Return C7: the number of pairs with a player who does not get the preference."""
        colours = [{self.due(self.players[p])[0] for p in pair} for pair in pairs]
        return sum(len(each) == 1 for each in colours)

    def _least_clashes(self, members: tuple[int, ...]) -> int | None:
        return min(
            (self._clashes(pairs) for pairs in self.complete_pairings(members)), default=None
        )

    def _judged(self, floaters: tuple[int, ...], clashes: int) -> Any:
        """C6 to C10, then the order of 4.2."""
        players = [self.players[p] for p in floaters]
        scores = sorted(p.score for p in players)
        value: list[Any] = [[-score for score in scores], clashes]
        if not self.is_last:
            most = 2 + self.problem.rounds_total // 5
            floats = [self.upfloats[p.tpn] for p in players]
            value.append(sum(len(rounds) >= most for rounds in floats))
            value.append(sum(len(rounds) for rounds in floats if len(rounds) >= most))
            value.append(sum(self.problem.round_number - 1 in rounds for rounds in floats))
        return value

    def criteria(
        self, pairs: Pairs, floaters: tuple[int, ...], _rest: tuple[int, ...]
    ) -> dict[str, tuple[int, ...]]:
        """Return what the pairs of a bracket and its upfloaters reach in each criterion."""
        top = max(self.players[p].score for pair in pairs for p in pair)
        scores, *values = self._judged(floaters, self._clashes(pairs))
        return {
            "C5": (len(floaters),),
            "C6": tuple(sorted((top + score for score in scores), reverse=True)),
            **{f"C{n}": (value,) for n, value in enumerate(values, start=7)},
        }

    def _paired(self, members: tuple[int, ...], clashes: int) -> Pairs:
        """3.2.3 to 3.2.6."""
        if any(self.players[p].history for p in members):
            first = [p for p in members if self.due(self.players[p])[0] == WHITE]
        else:
            first = sorted(members, key=lambda p: self.players[p].tpn)[: len(members) // 2]
        second = [p for p in members if p not in first]
        is_first_small = len(first) <= len(second)
        small, large = (first, second) if is_first_small else (second, first)
        for count in range(len(small) + 1):
            for moved in self._shifts(small, count, is_first=is_first_small):
                rest = [p for p in small if p not in moved]
                more = [*large, *moved]
                half = (len(more) - len(rest)) // 2
                for back in self._shifts(more, half, is_first=not is_first_small):
                    halves = [*rest, *back], [p for p in more if p not in back]
                    one, two = halves if is_first_small else halves[::-1]
                    pairs = self._transposed(one, two, clashes)
                    if pairs is not None:
                        return pairs
        raise AssertionError("the members can be paired")

    def _shifts(self, group: list[int], count: int, *, is_first: bool) -> Iterator[tuple[int, ...]]:
        """Yield the sets of 4.3 of this size, numbered from the middle outwards, the upper before the lower."""
        ordered = self._ordered(group, is_first=is_first)
        numbered: list[int] = []
        if ordered:
            upper = (len(ordered) - 1) // 2
            lower = len(ordered) // 2
            while upper >= 0:
                numbered += [ordered[upper]] if upper == lower else [ordered[upper], ordered[lower]]
                upper, lower = upper - 1, lower + 1
        return combinations(numbered, count)

    def _ordered(self, group: list[int], *, is_first: bool) -> list[int]:
        return sorted(group, key=lambda p: (self.aro(p) if is_first else 0, self.players[p].tpn))

    def _transposed(self, one: list[int], two: list[int], clashes: int) -> Pairs | None:
        """The first legal transposition of the second subgroup with the fewest clashes."""
        one, two = self._ordered(one, is_first=True), self._ordered(two, is_first=False)
        is_free = not any(self.players[p].history for p in (*one, *two))
        for opponents in permutations(two):
            pairs = tuple(zip(one, opponents, strict=True))
            is_legal = all(self.may_meet(*pair) for pair in pairs)
            if is_legal and (is_free or self._clashes(pairs) == clashes):
                return pairs
        return None
