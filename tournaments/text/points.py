"""Points as pages write them: with ½ and quarters. Files and the API write decimals."""

from __future__ import annotations

from fractions import Fraction

from tournaments.standings import decimal_text

_QUARTERS = ("", "¼", "½", "¾")


def halves(points: int | None) -> str:
    """Return half points: 5 -> `2½`, or an empty text for None."""
    return "" if points is None else quarters(2 * points)


def quarters(points: int) -> str:
    """Return quarter points: 19 -> `4¾`, 2 -> `½`, 0 -> `0`."""
    whole, rest = divmod(points, 4)
    return (f"{whole}" if whole or not rest else "") + _QUARTERS[rest]


def tie_break(value: Fraction | str | None) -> str:
    """Return a value of a tie-break, also of its decimal text: `21½`, `3.67`, or an empty text for none."""
    if value is None or value == "":
        return ""
    exact = Fraction(value)
    parts = 4 * exact
    return quarters(int(parts)) if parts.denominator == 1 and exact >= 0 else decimal_text(exact)
