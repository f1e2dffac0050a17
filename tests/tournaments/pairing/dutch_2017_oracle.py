"""The Dutch system of 2017 by enumeration: bracket after bracket without a look ahead, and the collapse of A.9 if that fails.

Absolute criteria, colours and the order of generation are those of `dutch_oracle`, since those
articles are equal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.tournaments.pairing.dutch_oracle import Oracle, OracleBracket, Pairs, generation
from tests.tournaments.pairing.dutch_records import Player, white_of
from tournaments.pairing import NoPairingError, RoundKind

if TYPE_CHECKING:
    from tournaments.pairing import Contestant, PairingProblem

_PLAYED = (RoundKind.FIRST, RoundKind.SECOND)


class Dutch2017Oracle(Oracle):
    """One round by the edition of 2017."""

    def __init__(self, problem: PairingProblem) -> None:
        super().__init__(problem)
        contestants = {c.tpn: c for c in problem.contestants}
        self.players = [_as_of_2017(p, contestants[p.tpn]) for p in self.players]
        self.eligible = frozenset(n for n, p in enumerate(self.players) if p.may_have_bye)

    def require(self, one: int, other: int) -> None:
        """Require these TPNs to meet. The first has the bye if the other is 0."""
        places = {p.tpn: n for n, p in enumerate(self.players)}
        self.together = (places[one], places.get(other))
        both = {places[one], places.get(other)}
        self.eligible = frozenset(p for p in self.eligible if (p in both) == (not other))

    def solution(self) -> set[tuple[int, int]]:
        """White and Black by TPN, the bye as opponent 0. Raises NoPairingError."""
        everybody = tuple(range(len(self.players)))
        must_have_bye = self.together is not None and self.together[1] is None
        if must_have_bye and len(everybody) % 2 == 0:
            raise NoPairingError("even")
        if not self._completes((), everybody):
            raise NoPairingError("none")
        boards = set()
        left: tuple[int, ...] = ()
        for bracket, pairs in self._brackets():
            for higher, lower in pairs:
                one, two = self.players[higher], self.players[lower]
                white = white_of(self.problem, one, two)
                boards.add((white.tpn, two.tpn if white is one else one.tpn))
            left = bracket.floaters(pairs)
        return boards | {(self.players[p].tpn, 0) for p in left}

    def _completes(self, floaters: tuple[int, ...], rest: tuple[int, ...]) -> bool:
        return self.pairable((*floaters, *rest), frozenset(floaters), self.eligible)

    def _brackets(self) -> list[tuple[OracleBracket, Pairs]]:
        groups = list(self.groups())
        done = []
        floaters: tuple[int, ...] = ()
        while groups:
            bracket = OracleBracket(floaters, groups[0], tuple(groups[1:]))
            rest = tuple(p for group in groups[1:] for p in group)
            is_last = len(groups) == 1
            pairs = self._best_2017(
                bracket, looks_ahead=not is_last, rest=rest if is_last else None
            )
            if not is_last and not self._completes(bracket.floaters(pairs), rest):
                pairs = self._best_2017(bracket, looks_ahead=False, rest=rest)
                groups = [groups[0], rest]
            done.append((bracket, pairs))
            floaters = bracket.floaters(pairs)
            groups = groups[1:]
        return done

    def _best_2017(
        self, bracket: OracleBracket, *, looks_ahead: bool, rest: tuple[int, ...] | None
    ) -> Pairs:
        """Return the best pairing, the first of equal ones, or one that leaves the `rest` complete if there is a rest."""
        judged: list[tuple[Any, Pairs]] = [
            (self._judged_2017(bracket, pairs, looks_ahead=looks_ahead), pairs)
            for pairs in self._matchings(bracket.members, frozenset(bracket.mdps))
            if rest is None or self._completes(bracket.floaters(pairs), rest)
        ]
        least = min(value for value, _ in judged)
        best = [pairs for value, pairs in judged if value == least]
        return best[0] if len(best) == 1 else min(best, key=lambda p: generation(bracket, p))

    def _judged_2017(self, bracket: OracleBracket, pairs: Pairs, *, looks_ahead: bool) -> list[Any]:
        """C.5 to C.19, each to be as small as possible."""
        lowest = min(self.players[p].score for p in bracket.residents) - 2
        floaters = bracket.floaters(pairs)
        games = [(self.players[a], self.players[b]) for a, b in pairs]
        down = [(self.players[p], self.players[p].score - lowest) for p in floaters]
        down += [(a, a.score - b.score) for a, b in games if a.score > b.score]
        up = [(b, a.score - b.score) for a, b in games if a.score > b.score]
        colours = self._colours(pairs)
        value: list[Any] = [
            len(floaters),
            _descending([d for _, d in down]),
            self._next_2017(bracket, floaters) if looks_ahead else 0,
            *(colours[code] for code in ("C10", "C11", "C12", "C13")),
        ]
        again = [
            [d for p, d in floats if getattr(p, name) == way]
            for name in ("float_last", "float_before")
            for floats, way in ((down, "down"), (up, "up"))
        ]
        return [*value, *(len(each) for each in again), *(_descending(each) for each in again)]

    def _next_2017(self, bracket: OracleBracket, floaters: tuple[int, ...]) -> Any:
        """C.7: the pairs of the next bracket, and the scores it leaves over."""
        following = OracleBracket(floaters, bracket.below[0], ())
        left = (
            following.floaters(pairs)
            for pairs in self._matchings(following.members, frozenset(floaters))
        )
        return min([len(each), _descending([self.players[p].score for p in each])] for each in left)


def _descending(numbers: list[int]) -> list[int]:
    return sorted(numbers, reverse=True)


def _as_of_2017(player: Player, contestant: Contestant) -> Player:
    """Return the player by the rules of 2017.

    A.4: a round without a game is a downfloat. C.2: a full-point bye does not bar the bye.
    """
    kinds = [record.kind for record in contestant.records]
    floats = [player.float_last, player.float_before]
    for ago, kind in enumerate(kinds[::-1][:2]):
        if kind not in _PLAYED:
            floats[ago] = "down"
    barred = {RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN}
    return replace(
        player,
        float_last=floats[0],
        float_before=floats[1],
        may_have_bye=not barred & set(kinds),
    )
