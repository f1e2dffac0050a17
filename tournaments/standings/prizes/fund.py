"""Prizes by category and place, and the rules they are given by.

Money is a whole number of minor units of one currency, such as cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.standings.prizes.categories import BadFundError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.standings.prizes.categories import Category


class Sharing(StrEnum):
    """Method by which equals share the money of their places."""

    # By the order of the standings. Only those whom no tie-break separates share.
    NONE = "none"
    # All with equal points share their common sum.
    EQUAL = "equal"
    # Half by the order of the standings, half shared among equal points: the system of Vlastimil
    # Hort (German Wikipedia, "Hort-System"). Here all with equal points share the second half, also
    # those behind the last place with a prize.
    HORT = "hort"


@dataclass(frozen=True, slots=True)
class Prize:
    """One prize: money in minor units, something else in words, or both.

    Its place is its number among the prizes of its category.
    """

    category: Category
    amount: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """An organiser's decisions about the awards.

    Attributes:
        sharing: how equals share money.
        rounding: each sum is a multiple of this number of minor units.
        is_cumulative: whether a player can win in several categories. Else each gets the most
            valuable prize available to them.
        least_points_halves: players with fewer half points win no prize.
        least_games: players with fewer games win no prize.
    """

    sharing: Sharing = Sharing.NONE
    rounding: int = 1
    is_cumulative: bool = False
    least_points_halves: int = 0
    least_games: int = 0


@dataclass(frozen=True, slots=True)
class Fund:
    """All prizes in the organiser's order, and the rules.

    The order assigns the prizes of a category to places. Among categories with equal prizes the
    first one has priority.
    """

    prizes: tuple[Prize, ...]
    rules: Rules = field(default_factory=Rules)

    def by_category(self) -> Mapping[Category, Sequence[Prize]]:
        """Return the prizes by category, both in their order: the first of each is for its first place."""
        groups: dict[Category, list[Prize]] = {}
        for prize in self.prizes:
            groups.setdefault(prize.category, []).append(prize)
        return groups

    @property
    def total(self) -> int:
        """Return all the money, in minor units."""
        return sum(prize.amount for prize in self.prizes)

    def check(self) -> None:
        """Raise BadFundError for a fund that cannot be given out.

        The codes are `prize-category`, `prize-empty` for a prize of zero or less, and
        `prize-rounding` for a sum that is no multiple of the rounding. `prize-order` is for a place
        that would win more than the place before it, and `prize-rules` for numbers below their
        minimum.
        """
        rules = self.rules
        if rules.rounding < 1 or rules.least_points_halves < 0 or rules.least_games < 0:
            raise BadFundError("prize-rules", str(rules))
        for prize in self.prizes:
            prize.category.check()
            if prize.amount < 0 or not (prize.amount or prize.words):
                raise BadFundError("prize-empty", str(prize))
            if prize.amount % rules.rounding:
                raise BadFundError("prize-rounding", f"{prize.amount} by {rules.rounding}")
        for group in self.by_category().values():
            amounts = [prize.amount for prize in group]
            if amounts != sorted(amounts, reverse=True):
                raise BadFundError("prize-order", str(amounts))


def split(total: int, percents: Sequence[int], *, rounding: int = 1) -> list[int]:
    """Return the parts of `total`, in minor units, by these per cents.

    The first gets the rest of rounding.

    Every part is a multiple of `rounding` and no part is larger than the one before it.

    Raises:
        BadFundError: `prize-percents` unless they fall from the first to the last and make 100,
            `prize-rounding` for a total that is no multiple of the rounding.
    """
    is_falling = list(percents) == sorted(percents, reverse=True)
    if sum(percents) != 100 or not is_falling or min(percents) < 1:
        raise BadFundError("prize-percents", "/".join(map(str, percents)))
    if total < 1 or total % rounding:
        raise BadFundError("prize-rounding", f"{total} by {rounding}")
    units = total // rounding
    parts = [units * percent // 100 for percent in percents]
    parts[0] += units - sum(parts)
    return [part * rounding for part in parts]
