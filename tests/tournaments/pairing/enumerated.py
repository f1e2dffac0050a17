"""Common parts of the enumerations of the FIDE systems: legal pairs, complete pairings, the bye, sides.

All cases are tried.

The engine is not used. Scores and preferences come from the records (`dutch_records`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.tournaments.pairing.dutch_records import BLACK, WHITE, Player, ranked_players
from tournaments.pairing import NoPairingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.pairing import PairingProblem

Pairs = tuple[tuple[int, int], ...]


class Enumeration:
    """A round to pair. Players are named by their place in the order of score and TPN."""

    def __init__(self, problem: PairingProblem) -> None:
        self.problem = problem
        self.players = ranked_players(problem)
        self.places = tuple(range(len(self.players)))
        self.completes = cache(self._completes)
        self.is_last = problem.round_number >= problem.rounds_total
        self.together: frozenset[int] = frozenset()

    def solution(self) -> set[tuple[int, int]]:
        """The boards of the round, the bye as opponent 0. Raises NoPairingError."""
        raise NotImplementedError

    def place(self, tpn: int) -> int:
        """Return the place of a TPN."""
        return next(place for place in self.places if self.players[place].tpn == tpn)

    def may_meet(self, one: int, other: int) -> bool:
        """Return whether C1, C3 without an exception, and the organiser permit the pair."""
        a, b = self.players[one], self.players[other]
        if self.together & {a.tpn, b.tpn} and self.together != {a.tpn, b.tpn}:
            return False
        if a.tpn in b.opponents or b.tpn in a.opponents:
            return False
        if frozenset((a.tpn, b.tpn)) in self.problem.forbidden:
            return False
        return not (a.strength == 3 and b.strength == 3 and a.preference == b.preference)

    def require(self, one: int, other: int) -> None:
        """Require these TPNs to meet. The first has the bye if the other is 0."""
        self.together = frozenset((one, other))
        self.completes = cache(self._completes)

    def _completes(self, places: tuple[int, ...]) -> bool:
        """C4: these can all be paired with each other."""
        return next(self.complete_pairings(places), None) is not None

    def complete_pairings(self, places: tuple[int, ...]) -> Iterator[Pairs]:
        """Every way to pair all of them."""
        if not places:
            yield ()
            return
        first, rest = places[0], places[1:]
        for other in rest:
            if self.may_meet(first, other):
                for pairs in self.complete_pairings(tuple(p for p in rest if p != other)):
                    yield ((first, other), *pairs)

    def partial_pairings(self, places: tuple[int, ...]) -> Iterator[Pairs]:
        """Every way to pair some of them."""
        if not places:
            yield ()
            return
        first, rest = places[0], places[1:]
        yield from self.partial_pairings(rest)
        for other in rest:
            if self.may_meet(first, other):
                for pairs in self.partial_pairings(tuple(p for p in rest if p != other)):
                    yield ((first, other), *pairs)

    def without(self, *places: int | None) -> tuple[int, ...]:
        """Everybody but these."""
        return tuple(p for p in self.places if p not in places)

    def bye(self, lowest: dict[int, int]) -> int | None:
        """Return the bye of 3.1: lowest score, most games played, lowest rank.

        `lowest` maps places to ranks from below.
        """
        if len(self.places) % 2 == 0:
            if 0 in self.together or not self.completes(self.places):
                raise NoPairingError("even")
            return None
        choices = [
            (p.score, -len(p.history), -lowest[place], place)
            for place, p in enumerate(self.players)
            if p.may_have_bye
            and (0 not in self.together or p.tpn in self.together)
            and self.completes(self.without(place))
        ]
        if not choices:
            raise NoPairingError("odd")
        return min(choices)[-1]

    def due(self, player: Player) -> tuple[str, int]:
        """The preference of a player who has played, and its strength."""
        return player.preference, player.strength

    def white(self, higher: int, lower: int) -> int:
        """Return the player with White (5.2). The higher ranked is named first."""
        one, two = self.players[higher], self.players[lower]
        if not one.history and not two.history:
            absent = [c for c in self.problem.absent if c.tpn < one.tpn and not c.was_ever_paired]
            is_odd = (one.tpn - len(absent)) % 2 == 1
            return higher if is_odd == self.problem.odd_tpn_is_first else lower
        (mine, my_strength), (theirs, their_strength) = self.due(one), self.due(two)
        if mine != theirs:
            if WHITE in (mine, theirs):
                return higher if mine == WHITE else lower
            return lower if mine == BLACK else higher
        if my_strength != their_strength:
            winner, loser = (higher, lower) if my_strength > their_strength else (lower, higher)
            return winner if mine == WHITE else loser
        for back in range(1, min(len(one.history), len(two.history)) + 1):
            if one.history[-back] != two.history[-back]:
                return lower if one.history[-back] == WHITE else higher
        return higher if mine == WHITE else lower

    def boards(self, pairs: Pairs, bye: int | None, rank: dict[int, int]) -> set[tuple[int, int]]:
        """White and Black by TPN, the bye as opponent 0."""
        boards = set()
        for pair in pairs:
            higher, lower = sorted(pair, key=lambda place: rank[place])
            white = self.white(higher, lower)
            black = lower if white == higher else higher
            boards.add((self.players[white].tpn, self.players[black].tpn))
        return boards | ({(self.players[bye].tpn, 0)} if bye is not None else set())


__all__ = ["BLACK", "WHITE", "Enumeration", "Pairs", "Player"]
