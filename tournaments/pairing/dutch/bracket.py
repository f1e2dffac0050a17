"""A bracket as the systems hand it on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bracket:
    """What is to be paired now, by place, and what comes after (C.04.3 1.3).

    Attributes:
        mdps: players moved down from the bracket above, in ranking order.
        residents: of the score group.
        below: the score groups after this one.
        bye: who may have the pairing-allocated bye (C2, C5), empty in an even field.
        bye_falls_here: whether nobody below may have it.
    """

    mdps: tuple[int, ...]
    residents: range
    below: tuple[range, ...]
    bye: frozenset[int]
    bye_falls_here: bool

    @property
    def members(self) -> tuple[int, ...]:
        """Everybody in the bracket, in ranking order."""
        return (*self.mdps, *self.residents)
