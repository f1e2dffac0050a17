"""The Burstein system by enumeration: every pairing of a bracket judged by C.04.4.2, ties broken by the list of 4.3."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tests.tournaments.pairing.enumerated import Enumeration, Pairs
from tournaments.pairing import RoundKind

if TYPE_CHECKING:
    from tournaments.pairing import Contestant, PairingProblem


class BursteinOracle(Enumeration):
    """One round of the Burstein system after the seeding rounds."""

    def __init__(self, problem: PairingProblem) -> None:
        super().__init__(problem)
        self.everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        self.next_best = cache(self._next_best)
        order = sorted(self.places, key=self._index)
        self.rank = {place: n for n, place in enumerate(order)}

    def solution(self) -> set[tuple[int, int]]:
        """The boards of the round. Raises NoPairingError."""
        bye = self.bye(self.rank)
        left = self.without(bye)
        floaters: tuple[int, ...] = ()
        pairs: Pairs = ()
        scores = sorted({self.players[p].score for p in left}, reverse=True)
        for score in scores:
            members = (*floaters, *(p for p in left if self.players[p].score == score))
            rest = tuple(p for p in left if self.players[p].score < score)
            here = self._best(members, rest)
            pairs += here
            floaters = _left(members, here)
        return self.boards(pairs, bye, self.rank)

    def _index(self, place: int) -> tuple[float, float, int]:
        """1.7, 1.8: Buchholz, Sonneborn-Berger, TPN."""
        contestant = self.everybody[self.players[place].tpn]
        own = self._real_points(contestant)
        opposition = []
        for record in contestant.records:
            opponent = self.everybody.get(record.opponent or 0)
            if record.kind in (RoundKind.FIRST, RoundKind.SECOND) and opponent is not None:
                opposition.append((record.score_halves, self._points_for_others(opponent)))
            else:
                opposition.append((record.score_halves, own))
        buchholz = sum(points for _, points in opposition)
        sonneborn_berger = sum(mine * points for mine, points in opposition)
        return -buchholz, -sonneborn_berger, contestant.tpn

    def _real_points(self, contestant: Contestant) -> int:
        return sum(record.score_halves for record in contestant.records)

    def _points_for_others(self, contestant: Contestant) -> int:
        """1.7.2: zero-point byes that lasted until now count as draws."""
        points = self._real_points(contestant)
        for record in contestant.records[::-1]:
            if record.kind != RoundKind.ZERO_BYE:
                break
            points += self.problem.points.draw
        return points

    def _best(self, members: tuple[int, ...], rest: tuple[int, ...]) -> Pairs:
        bsn = {p: n for n, p in enumerate(sorted(members, key=lambda p: self.rank[p]), start=1)}

        def judged(pairs: Pairs) -> Any:
            floaters = _left(members, pairs)
            return [
                len(floaters),
                self._descending(floaters),
                self.next_best(floaters, rest),
                sum(self._is_clash(*pair) for pair in pairs),
                _opponents(bsn, pairs),
            ]

        return min(
            (
                pairs
                for pairs in self.partial_pairings(tuple(sorted(members)))
                if self.completes(tuple(sorted((*_left(members, pairs), *rest))))
            ),
            key=judged,
        )

    def criteria(
        self, pairs: Pairs, floaters: tuple[int, ...], rest: tuple[int, ...]
    ) -> dict[str, tuple[int, ...]]:
        """Return what the pairs of a bracket and its floaters reach in each criterion."""
        values = {
            "C5": (len(floaters),),
            "C6": tuple(self._descending(floaters)),
            "C8": (sum(self._is_clash(*pair) for pair in pairs),),
        }
        if rest:
            count, scores = self.next_best(floaters, rest)
            values["C7"] = (count, *scores)
        return values

    def _next_best(self, floaters: tuple[int, ...], rest: tuple[int, ...]) -> Any:
        """C7: how many the next bracket leaves over at the least, and their scores (C5 and C6 there)."""
        if not rest:
            return []
        score = max(self.players[p].score for p in rest)
        members = tuple(sorted((*floaters, *(p for p in rest if self.players[p].score == score))))
        below = tuple(p for p in rest if p not in members)
        return min(
            [len(_left(members, pairs)), self._descending(_left(members, pairs))]
            for pairs in self.partial_pairings(members)
            if self.completes(tuple(sorted((*_left(members, pairs), *below))))
        )

    def _descending(self, places: tuple[int, ...]) -> list[int]:
        return sorted((self.players[p].score for p in places), reverse=True)

    def _is_clash(self, one: int, two: int) -> bool:
        a, b = self.players[one].preference, self.players[two].preference
        return a == b != ""


def _left(members: tuple[int, ...], pairs: Pairs) -> tuple[int, ...]:
    paired = {place for pair in pairs for place in pair}
    return tuple(sorted(p for p in members if p not in paired))


def _opponents(bsn: dict[int, int], pairs: Pairs) -> list[int]:
    """4.3: the opponents of BSN 1, BSN 2 and so on, the largest first and 0 last."""
    opponents = dict.fromkeys(bsn.values(), 0)
    for one, two in pairs:
        opponents[bsn[one]], opponents[bsn[two]] = bsn[two], bsn[one]
    return [-opponents[number] for number in sorted(opponents)]
