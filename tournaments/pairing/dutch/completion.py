"""Whether the round can be completed (C4), and whose score the bye will have (C5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bits import augment, bits, matching
from tournaments.pairing.problem import NoPairingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.field import Field

BYE = -1  # the vertex of the pairing-allocated bye; no place


def bye_candidates(field: Field) -> frozenset[int]:
    """The places that may have the pairing-allocated bye (2.1.2, 2.3.1); empty in an even field.

    Raises:
        NoPairingError: when nobody can have it, or the field cannot be paired at all.
    """
    n = len(field.entrants)
    mate = matching(field.legal)
    free = [v for v, other in enumerate(mate) if other < 0]
    if len(free) > n % 2:
        raise NoPairingError(
            f"{n} contestants cannot all be paired: at most {(n - len(free)) // 2} boards are possible without"
            " a rematch, a forbidden pair or two equal absolute colour preferences"
        )
    if not free:
        return frozenset()
    eligible = [e for e in reversed(field.entrants) if e.may_have_bye]
    for entrant in eligible:
        if _can_be_left_out(field, mate, free[0], entrant.place):
            return frozenset(e.place for e in eligible if e.halves == entrant.halves)
    raise NoPairingError(
        f"{n} contestants cannot all be paired: all who could be left over have had a bye or a win without playing"
    )


def _can_be_left_out(field: Field, mate: list[int], free: int, place: int) -> bool:
    if place == free:
        return True
    rest = (1 << len(mate)) - 1 & ~(1 << place)
    trial = list(mate)
    trial[trial[place]] = -1
    trial[place] = -1
    return augment([mask & rest for mask in field.legal], trial, free)


class Completion:
    """Whether what a bracket leaves over can be paired further down."""

    def __init__(self, field: Field, bye: frozenset[int]) -> None:
        self._field = field
        self._bye = bye

    def completes_below(self, bracket: Bracket) -> bool:
        """Whether the groups below can be paired among themselves, the bye with them if it is theirs."""
        places = [place for group in bracket.below for place in group]
        return self._is_perfect(places, with_bye=not bracket.bye_falls_here)

    def takes_floater(self, bracket: Bracket, floater: int) -> bool:
        """Whether the next bracket has its best C6 and C7 with this floater, and all below can be paired (C4, C8)."""
        if bracket.bye_falls_here:
            return floater in bracket.bye and self.completes_below(bracket)
        if not bracket.below:
            return False
        group = list(bracket.below[0])
        rest = [place for other in bracket.below[1:] for place in other]
        if len(group) % 2 == 1:
            return self._is_perfect([floater, *group], with_bye=False) and self._is_perfect(
                rest, with_bye=True
            )
        # One resident has to float on; C7 wants no other.
        return any(
            self._is_perfect([floater, *(p for p in group if p != place)], with_bye=False)
            and self._is_perfect([place, *rest], with_bye=True)
            for place in reversed(group)
        )

    def takes_left(self, left: Sequence[int], bracket: Bracket) -> bool:
        """Whether those left over by bracket and next group can be paired with the groups after the next."""
        rest = [place for group in bracket.below[1:] for place in group]
        return self._is_perfect([*left, *rest], with_bye=True, apart=len(left))

    def can_be_paired(self, bracket: Bracket) -> bool:
        """Whether everybody from this bracket down can be paired, MDPs not with each other."""
        rest = [place for group in bracket.below for place in group]
        return self._is_perfect([*bracket.members, *rest], with_bye=True, apart=len(bracket.mdps))

    def least_left(self, bracket: Bracket) -> tuple[int, ...] | None:
        """Whom a bracket leaves over that is as good in C6 and C7 as its size allows, or None if that is impossible (C4)."""
        members, moved = bracket.members, len(bracket.mdps)
        rest = [place for group in bracket.below for place in group]
        if len(members) % 2 == 0:
            fits = not bracket.bye_falls_here and self._is_perfect(rest, with_bye=True)
            return () if fits and self._is_perfect(members, with_bye=False, apart=moved) else None
        for place in reversed(members):
            if bracket.bye_falls_here:
                below = place in bracket.bye and self._is_perfect(rest, with_bye=False)
            else:
                # C7 wants no MDP to move on.
                below = place in bracket.residents and self._is_perfect(
                    [place, *rest], with_bye=True
                )
            others = [p for p in members if p != place]
            apart = sum(p != place for p in bracket.mdps)
            if below and self._is_perfect(others, with_bye=False, apart=apart):
                return (place,)
        return None

    def _is_perfect(self, places: Sequence[int], *, with_bye: bool, apart: int = 0) -> bool:
        """Whether all these can be paired with each other, one of them with the bye if there is one to give.

        The first `apart` of them do not meet each other.
        """
        bye = with_bye and bool(self._bye)
        if (len(places) + bye) % 2:
            return False
        neighbours = induced(self._field.legal, places)
        for v in range(apart):
            neighbours[v] &= ~((1 << apart) - 1)
        if bye:
            candidates = sum(1 << v for v, place in enumerate(places) if place in self._bye)
            for v in bits(candidates):
                neighbours[v] |= 1 << len(places)
            neighbours.append(candidates)
        return min(matching(neighbours), default=0) >= 0


def induced(legal: Sequence[int], places: Sequence[int]) -> list[int]:
    """The graph of some places, renumbered; ranges of neighbours stay ranges, so that this is a few shifts."""
    runs: list[tuple[int, int, int]] = []  # first place, number of places, first vertex
    for v, place in enumerate(places):
        if runs and runs[-1][0] + runs[-1][1] == place:
            first, size, vertex = runs[-1]
            runs[-1] = (first, size + 1, vertex)
        else:
            runs.append((place, 1, v))
    return [_renumbered(legal[place], runs) for place in places]


def _renumbered(mask: int, runs: Iterable[tuple[int, int, int]]) -> int:
    found = 0
    for first, size, vertex in runs:
        found |= (mask >> first & (1 << size) - 1) << vertex
    return found
