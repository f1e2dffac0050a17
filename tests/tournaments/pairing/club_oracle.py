"""Keizer, McMahon and the Swiss by weighted matching, by trying all pairings of a small field.

The code follows docs/reference/pairing.md and decision 9, and shares nothing with the search.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.tournaments.pairing.enumerated import BLACK, WHITE, Enumeration, Pairs, Player
from tournaments.pairing import NoPairingError, RoundKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing import Contestant, PairingProblem

Boards = frozenset[tuple[int, int]]
# The reason, the criterion, its value, and that of the other pairing.
Why = tuple[str, str, tuple[int, ...], tuple[int, ...]]
_PLAYED = (RoundKind.FIRST, RoundKind.SECOND)
_ROUNDS_OF_VALUES = 20
_PARTS = ("absolute", "scores", "colours", "fold")
_COLOUR_PENALTY = {1: 1, 2: 4, 3: 8}


class ClubEnumeration(Enumeration):
    """A round of a system that has no FIDE regulation."""

    def solutions(self) -> set[Boards]:
        """Return the pairings that the rules accept, nothing without a pairing."""
        raise NotImplementedError

    def refusal(self, tpn: int, other: int, boards: Boards) -> Why:
        """Return why the two did not meet in this pairing, or why one did not have the bye if the other is 0."""
        if any({tpn, other} == {*pair} for pair in boards):
            return "granted", "", (), ()
        if not other and len(self.players) % 2 == 0:
            return "even", "", (), ()
        if frozenset((tpn, other)) in self.problem.forbidden:
            return "forbidden", "", (), ()
        return self._compared(tpn, other)

    def _compared(self, tpn: int, other: int) -> Why:
        raise NotImplementedError

    def is_apart(self, *tpns: int) -> bool:
        """Return whether one of these is to meet another player, or to have the bye."""
        return bool(self.together & {*tpns}) and self.together != {*tpns}


class _Keizer(ClubEnumeration):
    def __init__(self, problem: PairingProblem) -> None:
        super().__init__(problem)
        self.everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        self.rules = problem.options.house_rules
        self.gap = self.rules.rematch_gap

    def may_meet(self, one: int, other: int) -> bool:
        a, b = self.players[one].tpn, self.players[other].tpn
        is_barred = frozenset((a, b)) in self.problem.forbidden
        return not (self.is_apart(a, b) or is_barred or self._met(a, b))

    def _met(self, a: int, b: int) -> bool:
        return {a, b} in [
            {tpn, record.opponent}
            for tpn in (a, b)
            for record in self.everybody[tpn].records[::-1][: self.gap]
            if record.kind in _PLAYED
        ]

    def _compared(self, tpn: int, other: int) -> Why:
        (boards,) = self.solutions()
        if other and self._met(tpn, other):
            return "met", "gap", (self.gap,), ()
        self.together = frozenset((tpn, other))
        table = self.table()
        try:
            otherwise = self._boards(table)
        except NoPairingError:
            return "completion", "gap", (self.gap,), ()
        ways = [
            {one: two for pair in each for one, two in (pair, pair[::-1])}
            for each in (boards, otherwise)
        ]
        byes = [way.get(0) for way in ways]
        if byes[0] is not None and byes[1] is not None and byes[0] != byes[1]:
            values = [
                (self._byes(self.place(bye)), 1 + table.index(bye)) for bye in (byes[0], byes[1])
            ]
            is_equal = values[0][0] == values[1][0]
            return "order" if is_equal else "criterion", "byes", values[0], values[1]
        for place, one in enumerate(table, start=1):
            now, then = (way.get(one) for way in ways)
            if now is not None and then is not None and now != then:
                return (
                    "order",
                    "place",
                    (place, 1 + table.index(now)),
                    (place, 1 + table.index(then)),
                )
        raise AssertionError("the pairing is another one")

    def _byes(self, place: int) -> int:
        records = self.everybody[self.players[place].tpn].records
        return sum(r.kind is RoundKind.PAIRING_BYE for r in records)

    def solutions(self) -> set[Boards]:
        table = self.table()
        while True:
            try:
                return {self._boards(table)}
            except NoPairingError:
                if not self.gap:
                    return set()
                self.gap -= 1

    def table(self) -> list[int]:
        """Return the TPNs of all, the first of the table first."""
        by_rating = sorted(
            self.everybody, key=lambda tpn: (-(self.everybody[tpn].rating_centielo // 100), tpn)
        )
        points: dict[int, Fraction] = dict.fromkeys(by_rating, Fraction(0))
        order = by_rating
        for _ in range(_ROUNDS_OF_VALUES + 1):
            highest = -(-3 * len(order) // 2)
            values = {tpn: highest - place for place, tpn in enumerate(order)}
            points = {tpn: self._points(self.everybody[tpn], values) for tpn in order}
            following = sorted(order, key=lambda t: (-points[t], by_rating.index(t)))
            if following == order:
                break
            order = following
        return order

    def _points(self, player: Contestant, values: dict[int, int]) -> Fraction:
        shares = {
            RoundKind.PAIRING_BYE: self.rules.bye_percent,
            RoundKind.FORFEIT_WIN: self.rules.bye_percent,
            RoundKind.FULL_BYE: 100,
            RoundKind.HALF_BYE: self.rules.absence_percent,
        }
        total = Fraction(0)
        for record in player.records:
            if record.kind in _PLAYED and record.opponent is not None:
                share = Fraction(record.score_halves, self.problem.points.win)
                total += share * values[record.opponent]
            else:
                total += Fraction(shares.get(record.kind, 0), 100) * values[player.tpn]
        return total

    def _boards(self, table: list[int]) -> Boards:
        order = [self.place(tpn) for tpn in table if any(p.tpn == tpn for p in self.players)]
        bye = self._bye(order)
        left = [place for place in order if place != bye]
        boards = set() if bye is None else {(self.players[bye].tpn, 0)}
        while left:
            first, *below = left
            other = next(
                p
                for p in below
                if self.may_meet(first, p) and self._completes(tuple(q for q in below if q != p))
            )
            boards.add(self._sides(first, other))
            left = [p for p in below if p != other]
        return frozenset(boards)

    def _bye(self, order: list[int]) -> int | None:
        if len(order) % 2 == 0:
            if not self._completes(tuple(order)):
                raise NoPairingError("even")
            return None
        choices = [
            (self._byes(place), -order.index(place), place)
            for place in order
            if not self.is_apart(self.players[place].tpn, 0)
            and self._completes(self.without(place))
        ]
        if not choices:
            raise NoPairingError("odd")
        return min(choices)[-1]

    def _sides(self, higher: int, lower: int) -> tuple[int, int]:
        one, two = self.players[higher], self.players[lower]
        white = (one.tpn, two.tpn)
        if one.difference != two.difference:
            return white if one.difference < two.difference else white[::-1]
        for mine, theirs in zip(one.history[::-1], two.history[::-1], strict=False):
            if mine != theirs:
                return white if mine == BLACK else white[::-1]
        if one.history:
            return white if one.history[-1] == BLACK else white[::-1]
        if two.history:
            return white if two.history[-1] == WHITE else white[::-1]
        is_odd = one.tpn % 2 == 1
        return white if is_odd == self.problem.odd_tpn_is_first else white[::-1]


class _Weighted(ClubEnumeration):
    """All pairings of least penalty, as equal ones may be chosen freely."""

    def score_of(self, tpn: int) -> int:
        raise NotImplementedError

    def may_meet(self, one: int, other: int) -> bool:
        a, b = self.players[one], self.players[other]
        is_barred = frozenset((a.tpn, b.tpn)) in self.problem.forbidden
        has_met = a.tpn in b.opponents or b.tpn in a.opponents
        return not (self.is_apart(a.tpn, b.tpn) or has_met or is_barred)

    def due(self, player: Player) -> tuple[str, int]:
        """5.2.2: of two absolute preferences the wider difference comes first."""
        wider = abs(player.difference) if player.strength == 3 else 0
        return player.preference, player.strength + wider

    def solutions(self) -> set[Boards]:
        return self._best()[1]

    def _compared(self, tpn: int, other: int) -> Why:
        one = self.players[self.place(tpn)]
        if not other and not one.may_have_bye:
            return "bye-had", "", (), ()
        if other in one.opponents:
            return "met", "", (), ()
        now, _ = self._best()
        self.together = frozenset((tpn, other))
        then, boards = self._best()
        if not boards:
            return "completion", "", (), ()
        for name, value, otherwise in zip(_PARTS, now, then, strict=True):
            if value != otherwise:
                return "criterion", name, (value,), (otherwise,)
        return "order", "", (), ()

    def _best(self) -> tuple[tuple[int, ...], set[Boards]]:
        """Return the least penalty and its pairings."""
        self.scores = {place: self.score_of(p.tpn) for place, p in enumerate(self.players)}
        order = sorted(self.places, key=lambda p: (-self.scores[p], self.players[p].tpn))
        rank = {place: number for number, place in enumerate(order)}
        sizes = Counter(self.scores.values())
        best: list[tuple[tuple[int, ...], Boards]] = []
        for pairs, bye in self._all_pairings():
            penalty = [0, 0, 0, 0]
            if bye is not None:
                penalty[1] += (self.scores[bye] + 1) ** 2
                penalty[3] += len(order) - rank[bye]
            for pair in pairs:
                higher, lower = sorted(pair, key=rank.__getitem__)
                one, two = self.players[higher], self.players[lower]
                penalty[1] += (self.scores[higher] - self.scores[lower]) ** 2
                if one.preference and one.preference == two.preference:
                    weaker = min(one.strength, two.strength)
                    penalty[0] += weaker == 3
                    penalty[2] += _COLOUR_PENALTY[weaker]
                half = sizes[self.scores[higher]] // 2
                penalty[3] += (rank[lower] - rank[higher] - half) ** 2
            best.append((tuple(penalty), frozenset(self.boards(pairs, bye, rank))))
        least = min((penalty for penalty, _ in best), default=())
        return least, {boards for penalty, boards in best if penalty == least}

    def _all_pairings(self) -> Iterator[tuple[Pairs, int | None]]:
        if len(self.places) % 2 == 0:
            for pairs in self.complete_pairings(self.places):
                yield pairs, None
            return
        for bye in self.places:
            player = self.players[bye]
            if player.may_have_bye and not self.is_apart(player.tpn, 0):
                for pairs in self.complete_pairings(self.without(bye)):
                    yield pairs, bye


class _Swiss(_Weighted):
    def score_of(self, tpn: int) -> int:
        return sum(
            r.score_halves for c in self.problem.contestants if c.tpn == tpn for r in c.records
        )


class _McMahon(_Swiss):
    def score_of(self, tpn: int) -> int:
        rules = self.problem.options.house_rules
        (rating,) = (c.rating_centielo // 100 for c in self.problem.contestants if c.tpn == tpn)
        steps = 0
        while rules.floor_elo + (steps + 1) * rules.step_elo <= min(rating, rules.bar_elo):
            steps += 1
        return 2 * steps + super().score_of(tpn)


CLUBS: dict[str, type[ClubEnumeration]] = {"keizer": _Keizer, "mcmahon": _McMahon, "swiss": _Swiss}
