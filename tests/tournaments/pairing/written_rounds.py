"""Rounds written in short words, for tests of one article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing import Contestant, PairingProblem, RoundKind, RoundRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def played(*records: str) -> tuple[RoundRecord, ...]:
    """Return records such as `w4=1`: White against 4, two half points.

    `U2`, `Z0` are byes, `+4` a forfeit win.
    """
    kinds = {"w": RoundKind.FIRST, "b": RoundKind.SECOND, "+": RoundKind.FORFEIT_WIN}
    alone = {
        "F": RoundKind.FULL_BYE,
        "H": RoundKind.HALF_BYE,
        "U": RoundKind.PAIRING_BYE,
        "Z": RoundKind.ZERO_BYE,
    }
    history = []
    for record in records:
        where, _, halves = record.partition("=")
        if where in alone:
            history.append(RoundRecord(alone[where], None, int(halves)))
        else:
            history.append(RoundRecord(kinds[where[0]], int(where[1:]), int(halves)))
    return tuple(history)


def written_round(
    rounds: Mapping[int, Sequence[str]], *, total: int = 9, ratings: dict[int, int] | None = None
) -> PairingProblem:
    """Return the round after these records, by TPN. Ratings fall by 10 a TPN unless `ratings` has the player's."""
    number = len(next(iter(rounds.values()))) + 1
    field = tuple(
        Contestant(
            tpn, played(*records), rating_centielo=100 * (ratings or {}).get(tpn, 2400 - 10 * tpn)
        )
        for tpn, records in rounds.items()
    )
    return PairingProblem(number, total, field)
