"""The Lim system by enumeration: the procedure of C.04.4.3, with every "if possible" answered by trying all pairings."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.tournaments.pairing.dutch_records import score_before
from tests.tournaments.pairing.enumerated import BLACK, WHITE, Enumeration, Pairs
from tournaments.pairing import NoPairingError, RoundKind

if TYPE_CHECKING:
    from tournaments.pairing import PairingProblem

Places = tuple[int, ...]
_OTHER = {WHITE: BLACK, BLACK: WHITE}


class LimOracle(Enumeration):
    """One round of the Lim system."""

    def __init__(self, problem: PairingProblem) -> None:
        super().__init__(problem)
        self.most_pairs = cache(self._most_pairs)
        self.everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
        past = problem.round_number - 1
        self.half = past * problem.points.win / 2
        self.floated = [self._did_float(p.tpn, past) for p in self.players]

    def may_meet(self, one: int, other: int) -> bool:
        """2.1, and 6 in the last round."""
        a, b = self.players[one], self.players[other]
        if self.together & {a.tpn, b.tpn} and self.together != {a.tpn, b.tpn}:
            return False
        if a.tpn in b.opponents or b.tpn in a.opponents:
            return False
        if frozenset((a.tpn, b.tpn)) in self.problem.forbidden:
            return False
        return self.is_last or bool(self._ways(one, other))

    def _ways(self, one: int, other: int) -> list[str]:
        """The colours that the first can have so that neither breaks 5.1."""
        return [c for c in (WHITE, BLACK) if self._can(one, c) and self._can(other, _OTHER[c])]

    def _can(self, place: int, colour: str) -> bool:
        after = (*self.players[place].history, colour)
        if len(after) > 2 and after[-3:] == (colour,) * 3:
            return False
        return after.count(colour) - after.count(_OTHER[colour]) < 3

    def colour_due(self, place: int) -> str:
        """5.5, 5.6."""
        history = self.players[place].history
        if not history:
            return ""
        white, black = history.count(WHITE), history.count(BLACK)
        if white == black:
            return _OTHER[history[-1]]
        return WHITE if white < black else BLACK

    def _did_float(self, tpn: int, past: int) -> bool:
        if past < 1:
            return False
        record = self.everybody[tpn].records[past - 1]
        opponent = self.everybody.get(record.opponent or 0)
        if record.kind not in (RoundKind.FIRST, RoundKind.SECOND) or opponent is None:
            return False
        return score_before(self.everybody[tpn], past) != score_before(opponent, past)

    def _most_pairs(self, places: Places) -> int:
        return max(len(pairs) for pairs in self.partial_pairings(places))

    def solution(self) -> set[tuple[int, int]]:
        """The boards of the round. Raises NoPairingError."""
        bye = self._bye()
        groups: dict[float, list[int]] = {self.half: []}
        for place in self.without(bye):
            groups.setdefault(self.players[place].score, []).append(place)
        above = self._side(
            groups, sorted((s for s in groups if s > self.half), reverse=True), up=False
        )
        below = self._side(groups, sorted(s for s in groups if s < self.half), up=True)
        pairs = self._median(groups[self.half], above, below)
        boards = {self._seated(one, two, up=up) for one, two, up in pairs}
        return boards | ({(self.players[bye].tpn, 0)} if bye is not None else set())

    def _bye(self) -> int | None:
        """Return the bye of 1.1, or of 7.1 in round 1."""
        if len(self.places) % 2 == 0:
            if 0 in self.together or not self.completes(self.places):
                raise NoPairingError("even")
            return None
        is_first = self.problem.round_number == 1
        choices = [
            (
                p.score,
                self.everybody[p.tpn].rating_centielo // 100 if is_first else 0,
                -place,
                place,
            )
            for place, p in enumerate(self.players)
            if p.may_have_bye
            and (0 not in self.together or p.tpn in self.together)
            and self.completes(self.without(place))
        ]
        if not choices:
            raise NoPairingError("odd")
        return min(choices)[-1]

    def criteria(
        self, _pairs: Pairs, floaters: Places, _rest: Places
    ) -> dict[str, tuple[int, ...]]:
        """Return the number of floaters, which is all that the text counts."""
        return {"C5": (len(floaters),)}

    def _side(
        self, groups: dict[float, list[int]], scores: list[float], *, up: bool
    ) -> tuple[list[int], list[tuple[int, int, bool]]]:
        """The floaters that reach the median, and the pairs in the order in which they were made."""
        incoming: list[int] = []
        order: list[tuple[int, int, bool]] = []
        for number, score in enumerate(scores):
            following = (
                groups[scores[number + 1]] if number + 1 < len(scores) else groups[self.half]
            )
            residents = groups[score]
            floaters = self._floaters(residents, incoming, following, up=up)
            staying = [p for p in (*incoming, *residents) if p not in floaters]
            guests = [p for p in self._in_order(incoming, up=up) if p in staying]
            order += [(*pair, up) for pair in self._pairs(staying, guests, up=up)]
            incoming = floaters
        return incoming, order

    def _floaters(
        self, residents: list[int], incoming: list[int], following: list[int], *, up: bool
    ) -> list[int]:
        """2.3 and 3, one after the other."""
        left = [*incoming, *residents]
        pairs = self.most_pairs(tuple(sorted(left)))
        floaters: list[int] = []
        while len(left) > 2 * pairs:
            white = sum(self.colour_due(p) == WHITE for p in left)
            black = sum(self.colour_due(p) == BLACK for p in left)
            more = WHITE if white > black else BLACK if black > white else ""
            numbers = [self.players[p].tpn for p in left]
            usual = min(numbers) if up else max(numbers)
            ranked = []
            for place in left:
                rest = tuple(sorted(p for p in left if p != place))
                if self.most_pairs(rest) < pairs:
                    continue
                has_next = self._taken((*floaters, place), following) > self._taken(
                    tuple(floaters), following
                )
                kind = "dcba".index(
                    ("b" if has_next else "a") if place in incoming else ("d" if has_next else "c")
                )
                tpn = self.players[place].tpn
                equalises = self.colour_due(place) == more and self._within(tpn, usual)
                is_wrong = bool(more) and not equalises
                ranked.append((kind, self.floated[place], is_wrong, tpn if up else -tpn, place))
            chosen = min(ranked)[-1]
            floaters.append(chosen)
            left.remove(chosen)
        return floaters

    def _taken(self, floaters: Places, residents: list[int]) -> int:
        """Return the number of floaters that can have simultaneous opponents among the residents."""
        if not floaters:
            return 0
        first, rest = floaters[0], floaters[1:]
        most = self._taken(rest, residents)
        for resident in residents:
            if self.may_meet(first, resident):
                most = max(most, 1 + self._taken(rest, [r for r in residents if r != resident]))
        return most

    def _in_order(self, floaters: list[int], *, up: bool) -> list[int]:
        """3.6, 3.7."""
        sign = 1 if up else -1
        return sorted(
            floaters,
            key=lambda p: (sign * self.players[p].score, -sign * self.players[p].tpn),
        )

    def _pairs(self, members: list[int], guests: list[int], *, up: bool) -> list[tuple[int, int]]:
        """3.8 for the floaters, 4 for the others."""
        left = sorted(members, key=lambda p: self.players[p].tpn, reverse=up)
        pairs: list[tuple[int, int]] = []
        for guest in guests:
            if guest not in left:
                continue
            pairs.append(self._first(guest, [p for p in left if p != guest], left))
        while left:
            top, bottom = left[: len(left) // 2], left[len(left) // 2 :]
            pairs.append(self._first(top[0], bottom + top[:0:-1], left))
        return pairs

    def _first(self, place: int, opponents: list[int], left: list[int]) -> tuple[int, int]:
        available = [
            other
            for other in opponents
            if self.may_meet(place, other)
            and self.completes(tuple(sorted(p for p in left if p not in (place, other))))
        ]
        mine = self.colour_due(place)
        usual = self.players[available[0]].tpn
        fitting = [
            o
            for o in available
            if (not mine or self.colour_due(o) != mine) and self._within(self.players[o].tpn, usual)
        ]
        chosen = (fitting or available)[0]
        left.remove(place)
        left.remove(chosen)
        return place, chosen

    def _within(self, tpn: int, usual: int) -> bool:
        """3.2.3, 3.8, 5.7: in a Maxi-tournament only players of similar rating take the place of another."""
        limit = self.problem.options.house_rules.maxi_elo
        ratings = [self.everybody[each].rating_centielo / 100 for each in (tpn, usual)]
        return limit == 0 or max(ratings) - min(ratings) <= limit

    def _median(
        self,
        residents: list[int],
        upper: tuple[list[int], list[tuple[int, int, bool]]],
        lower: tuple[list[int], list[tuple[int, int, bool]]],
    ) -> list[tuple[int, int, bool]]:
        """2.6, then the median group itself."""
        above, upper_pairs = upper
        below, lower_pairs = lower
        while not self.completes(tuple(sorted((*residents, *above, *below)))):
            if (len(above) > len(below) and lower_pairs) or not upper_pairs:
                below += lower_pairs.pop()[:2]
            else:
                above += upper_pairs.pop()[:2]
        guests = [*self._in_order(above, up=False), *self._in_order(below, up=True)]
        pairs = self._pairs([*residents, *above, *below], guests, up=False)
        return [*upper_pairs, *lower_pairs, *((*pair, False) for pair in pairs)]

    def _seated(self, one: int, two: int, *, up: bool) -> tuple[int, int]:
        """5: White and Black by TPN."""
        higher, lower = sorted((one, two))
        is_white = self._colour_of_higher(higher, lower, up=up) == WHITE
        white, black = (higher, lower) if is_white else (lower, higher)
        return self.players[white].tpn, self.players[black].tpn

    def _colour_of_higher(self, higher: int, lower: int, *, up: bool) -> str:
        ways = self._ways(higher, lower)
        if len(ways) == 1:
            return ways[0]
        mine, theirs = self.colour_due(higher), self.colour_due(lower)
        if mine != theirs:
            return mine or _OTHER[theirs]
        own, other = self.players[higher].history, self.players[lower].history
        for back in range(1, min(len(own), len(other)) + 1):
            if own[-back] != other[-back]:
                return other[-back]
        if not mine:
            return WHITE if self.white(higher, lower) == higher else BLACK
        return _OTHER[mine] if up else mine
