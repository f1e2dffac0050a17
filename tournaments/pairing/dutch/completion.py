"""Whether the round can be completed (C4), and whose score the bye will have (C5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.matching import heaviest
from tournaments.pairing.problem import NoPairingError

if TYPE_CHECKING:
    from tournaments.pairing.dutch.field import Field

BYE = -1  # the vertex of the pairing-allocated bye; no place


def bye_candidates(field: Field) -> frozenset[int]:
    """The places that may have the pairing-allocated bye (2.1.2, 2.3.1); empty in an even field.

    Raises:
        NoPairingError: when nobody can have it, or the field cannot be paired at all.
    """
    n = len(field.entrants)
    edges = {(i, j): 0 for i in range(n) for j in range(i + 1, n) if field.may_meet(i, j)}
    eligible = [e for e in field.entrants if e.may_have_bye]
    if n % 2:
        if not eligible:
            raise NoPairingError(f"all {n} have had a bye or a win without playing (C.04.1 4)")
        top = field.entrants[0].halves
        edges |= {(e.place, BYE): top - e.halves for e in eligible}
    partners = heaviest(edges, most_pairs=True)
    if len(partners) != n + n % 2:
        raise NoPairingError(
            f"{n} contestants cannot all be paired: at most {len(partners) // 2} boards are possible without"
            " a rematch, a second bye, a forbidden pair or two equal absolute colour preferences"
        )
    if n % 2 == 0:
        return frozenset()
    lowest = field.entrants[partners[BYE]].halves
    return frozenset(e.place for e in eligible if e.halves == lowest)
