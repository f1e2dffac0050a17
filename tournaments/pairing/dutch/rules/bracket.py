"""A bracket, and a pairing of it, as values (C.04.3 1.3, 1.4, 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.problem import PairingProblem

Pairs = list[tuple[int, int]]


class Bracket:
    """The players to pair now, by place, and the groups after them (C.04.3 1.3).

    Attributes:
        field: all players, ranked, with their legal opponents.
        mdps: players moved down from the bracket above, in ranking order.
        residents: of the score group.
        below: the score groups after this one.
        bye: the players who may have the pairing-allocated bye (C2, C5), empty in an even field.
        bye_falls_here: whether no player below may have it.
    """

    __slots__ = ("below", "bye", "bye_falls_here", "field", "mdps", "residents")

    def __init__(
        self,
        field: DutchField,
        mdps: tuple[int, ...],
        residents: range,
        below: tuple[range, ...],
        bye: frozenset[int],
    ) -> None:
        self.field = field
        self.mdps = mdps
        self.residents = residents
        self.below = below
        self.bye = bye
        self.bye_falls_here = bool(bye) and max(bye) <= residents[-1]

    def within(self, field: DutchField, bye: frozenset[int]) -> Bracket:
        """Return the bracket with another field or other players who may have the bye."""
        return Bracket(field, self.mdps, self.residents, self.below, bye)

    @property
    def problem(self) -> PairingProblem:
        """Return the round to pair."""
        return self.field.problem

    @property
    def members(self) -> tuple[int, ...]:
        """Return all players in the bracket, in ranking order."""
        return (*self.mdps, *self.residents)

    @property
    def resident_score(self) -> int:
        """Return the score of the score group, in half points."""
        return self.field.players[self.residents.start].score_halves

    @property
    def lowest_score(self) -> int:
        """Return the score of the last resident, in half points: in a collapsed bracket of 2017 less than that of the first."""
        return self.field.players[self.residents[-1]].score_halves

    @property
    def has_topscorer(self) -> bool:
        """Return whether a topscorer is in the bracket (1.8)."""
        return any(self.field.players[p].is_topscorer for p in self.members)

    def next(self, floaters: Sequence[int]) -> Bracket:
        """Return the next bracket when these move down to it."""
        return Bracket(self.field, tuple(floaters), self.below[0], self.below[1:], self.bye)


def top_bracket(field: DutchField, bye: frozenset[int]) -> Bracket:
    """Return the bracket of the highest score group. `bye` are the players who may have the bye."""
    return Bracket(field, (), field.groups[0], field.groups[1:], bye)


class BracketPairing(NamedTuple):
    """A bracket and the pairs of it, by place with the higher first: a candidate (3.3)."""

    bracket: Bracket
    pairs: Sequence[tuple[int, int]]

    @property
    def paired(self) -> frozenset[int]:
        """Return the places that have an opponent."""
        return frozenset(place for pair in self.pairs for place in pair)

    @property
    def floaters(self) -> tuple[int, ...]:
        """Return the places that move down, or have the bye, in ranking order (1.4.1)."""
        paired = self.paired
        return tuple(place for place in self.bracket.members if place not in paired)

    @property
    def games(self) -> list[tuple[DutchPlayer, DutchPlayer]]:
        """Return the pairs as players."""
        players = self.bracket.field.players
        return [(players[one], players[two]) for one, two in self.pairs]
