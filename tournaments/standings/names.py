"""Names of tie-breaks as report files write them: `BH/C1`, `KS/L+1`, `ARO/U1400`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments.standings.errors import UnknownTieBreakError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Modifiers:
    """The parts after the code of a tie-break, each after a slash.

    Attributes:
        low, high: how many of the least and the most significant values are left out (14): `C1` is
            1 and 0, `M1` 1 and 1.
        forfeits: `P`, a forfeit is a game against the scheduled opponent.
        fore: `F`, the final round's games are taken as draws (8.3).
        limit_halves: `L+1`, the limit of Koya moved by half points (9.2).
        is_reversed: `R`, the order is turned round.
        unrated: `U1400`, the rating of the unrated.
        score: `:MP` or `:GP`, the score of teams that it is about. Empty for the primary one.
        divisor: `K3`, by which SSSC divides (13.4). 0 for the rule's.
    """

    low: int = 0
    high: int = 0
    forfeits: bool = False
    fore: bool = False
    limit_halves: int = 0
    is_reversed: bool = False
    unrated: int | None = None
    score: str = ""
    divisor: int = 0


_MODIFIER = re.compile(r"([CM])([1-9])|(L)([+-]\d{1,2})|(U)(\d{1,4})|(K)([1-9]\d?)|([PFR])")
_LONGEST = 40


def split_name(text: str) -> tuple[str, list[str]]:
    """Return the code in capitals, and the parts after it, which slashes separate.

    `:MP` is such a part too.
    """
    code, *parts = text[: _LONGEST + 1].strip().upper().split("/")
    code, colon, score = code.partition(":")
    if colon:
        parts.insert(0, f":{score}")
    if len(text) > _LONGEST or not (code.isascii() and code.isalpha()):
        raise UnknownTieBreakError(f"{text[:_LONGEST]!r} is no name of a tie-break")
    return code, parts


def modifiers(parts: Sequence[str], *, allowed: str, name: str) -> Modifiers:
    """Return the modifiers in the parts of a name, each with one of the `allowed` letters and without repetition.

    Raises:
        UnknownTieBreakError: naming the tie-break and the part that does not belong to it.
    """
    result = Modifiers()
    seen: set[str] = set()
    for part in parts:
        if ":" in allowed and part in (":MP", ":GP"):
            result = replace(result, score=part[1:])
            continue
        match = _MODIFIER.fullmatch(part)
        letter = part[:1]
        if match is None or letter not in allowed:
            known = ", ".join(allowed) or "none"
            raise UnknownTieBreakError(f"{name!r}: {part!r} is none of its modifiers ({known})")
        # Cut and median are two ways to leave out values.
        if letter.replace("M", "C") in seen:
            raise UnknownTieBreakError(f"{name!r}: {part!r} comes after a modifier of its kind")
        seen.add(letter.replace("M", "C"))
        result = _with(result, letter, int(part[1:] or 0))
    return result


def _with(base: Modifiers, letter: str, number: int) -> Modifiers:
    match letter:
        case "C":
            return replace(base, low=number)
        case "M":
            return replace(base, low=number, high=number)
        case "P":
            return replace(base, forfeits=True)
        case "F":
            return replace(base, fore=True)
        case "L":
            return replace(base, limit_halves=number)
        case "U":
            return replace(base, unrated=number)
        case "K":
            return replace(base, divisor=number)
        case _:
            return replace(base, is_reversed=True)
