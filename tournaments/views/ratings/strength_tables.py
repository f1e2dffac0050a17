"""Tables of strengths as templates show them: of a rating pool and of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.models import Player
from tournaments.queries.ratings import bradley_terry_table
from tournaments.queries.ratings.bradley_terry_table import HeadToHead, Strength, Strengths
from tournaments.views.ratings.charts import pool as pool_charts

ROWS_ON_PAGE = 200


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """A player's strength with its player and its error bar."""

    strength: Strength
    player: Player
    bar: pool_charts.ErrorBar


@dataclass(frozen=True, slots=True)
class Chance:
    """A field of the superiority table: per cent and a class of heat from 0 to 10, or None on the diagonal."""

    percent: int | None
    heat: int


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A player's row of that table."""

    rank: int
    player: Player
    chances: Sequence[Chance]


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of the head-to-head table. `met` is None without a game."""

    met: HeadToHead | None
    heat: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class MetRow:
    """A player's row of that table."""

    rank: int
    player: Player
    cells: Sequence[Cell]


def context(strengths: Strengths, *, repetitions: int) -> dict[str, Any]:
    """Return the context of `_strengths.html` and `_chances.html`."""
    rows = strengths.rows[:ROWS_ON_PAGE]
    players = bradley_terry_table.name_players(rows)
    bars = pool_charts.error_bars([(row.centielo, row.error_centielo) for row in rows])
    compared = rows[: bradley_terry_table.LOS_MATRIX_SIZE]
    return {
        "strengths": strengths,
        "repetitions": repetitions,
        "most": ROWS_ON_PAGE,
        "rows": [
            StrengthRow(row, players[row.player], bar) for row, bar in zip(rows, bars, strict=True)
        ],
        "matrix": [
            ChanceRow(row.rank, players[row.player], _chances(number, line))
            for number, (row, line) in enumerate(zip(compared, strengths.superiority, strict=True))
        ],
        "met": [
            MetRow(row.rank, players[row.player], _cells(number, line))
            for number, (row, line) in enumerate(zip(compared, strengths.met, strict=True))
        ],
    }


def _chances(own: int, thousandths: Sequence[int]) -> list[Chance]:
    return [
        Chance(None, 5) if number == own else Chance(round(chance / 10), _heat(chance / 10))
        for number, chance in enumerate(thousandths)
    ]


def _cells(own: int, line: Sequence[HeadToHead | None]) -> list[Cell]:
    return [
        Cell(met, _heat(met.percent) if met else 5, number == own)
        for number, met in enumerate(line)
    ]


def _heat(percent: float) -> int:
    return min(10, max(0, round(percent / 10)))
