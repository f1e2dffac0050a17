"""Sums of money as whole numbers of minor units, and as decimals."""

from __future__ import annotations

from decimal import Decimal

# ISO 4217: how many decimals a currency has, if these are not two.
_DECIMALS = {
    **dict.fromkeys(
        [
            "BIF",
            "CLP",
            "DJF",
            "GNF",
            "ISK",
            "JPY",
            "KMF",
            "KRW",
            "PYG",
            "RWF",
            "UGX",
            "UYI",
            "VND",
            "VUV",
            "XAF",
            "XOF",
            "XPF",
        ],
        0,
    ),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
    **dict.fromkeys(["CLF", "UYW"], 4),
}


def decimals(currency: str) -> int:
    """Return how many decimals sums of the currency have, two for unknown codes."""
    return _DECIMALS.get(currency, 2)


def minor_units(amount: Decimal, currency: str) -> int | None:
    """Return the amount in minor units, or None if it is no whole number of them."""
    scaled = amount.scaleb(decimals(currency))
    return int(scaled) if scaled == scaled.to_integral_value() else None


def decimal(minor: int, currency: str) -> Decimal:
    """Return this number of minor units as an amount with all its decimals, such as 60.00."""
    return Decimal(minor).scaleb(-decimals(currency))


def converted(minor: int, currency: str, other: str) -> int | None:
    """Return the minor units of `other` with an equal decimal amount, or None if it is no whole number."""
    return minor_units(decimal(minor, currency), other)
