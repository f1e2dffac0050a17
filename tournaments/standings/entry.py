"""An entry of the catalogue of tie-breaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tournaments.standings.encounter import separated_by_points
from tournaments.standings.field import Edition, System

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.standings.field import Field, Row
    from tournaments.standings.names import Modifiers

    # The parts of tied positions that are still tied, best first.
    Split = Callable[[Field, Sequence[int], bool], list[list[int]]]

_BOTH = frozenset(System)


class Combination(Enum):
    """Combination of the contributions that were not cut into a value."""

    SUM = "sum"
    ONLY = "only"  # there is one at most; none: undefined
    MEAN = "mean"  # rounded to the unit, halves up; none: undefined
    PERFORMANCE = "performance"  # the mean and a bonus for the score (10.2)
    PERFECT = "perfect"  # the rating that would be expected to score as much (10.3)
    ENCOUNTER = "encounter"  # depends on who is tied (6): only a ranking knows


@dataclass(frozen=True, slots=True)
class Entry:
    """A tie-break as C.07 defines it.

    Attributes:
        code: its name, as in report files.
        article: the article of C.07. Empty for a tie-break that C.07 does not have.
        meaning: its definition, in one English line. The code is the key of a translation.
        rows: the rows that a field contributes to it, a row a position.
        combination: how the contributions make the value.
        scale: units a point in the value: 2 for half points.
        row_scale: the scale of contributions, or 0 if it is that of the value.
        fits: the systems it is meant for.
        allowed: letters of the modifiers it takes.
        is_higher_better: its order, before the modifier R.
        since: the first edition that has it.
        cuts_first_rounds: whether cuts leave out the first rounds (14.1.1), not the least values.
        needs_ratings: whether one unrated participant makes it undefined for all.
        split: how the tied are separated, if only a ranking knows.
    """

    code: str
    article: str
    meaning: str
    rows: Callable[[Field, Modifiers], list[Row]]
    combination: Combination = Combination.SUM
    scale: int = 1
    row_scale: int = 0
    fits: frozenset[System] = _BOTH
    allowed: str = ""
    is_higher_better: bool = True
    since: Edition = Edition.AUGUST_2024
    cuts_first_rounds: bool = False
    needs_ratings: bool = False
    split: Split = separated_by_points

    @property
    def term_scale(self) -> int:
        """Units a point in contributions."""
        return self.row_scale or self.scale
