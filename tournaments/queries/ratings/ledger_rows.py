"""Rows of the ledger as plain values: thousands of them are made and chained together.

A model's instance costs more than all other parts of a row.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import date, datetime
from operator import attrgetter
from typing import NamedTuple

from tournaments.ratings.systems import Line

# A line's columns in a row.
_COLUMNS = {"player": "player_id", "game": "game_id"}
NAMES = {field.name: _COLUMNS.get(field.name, field.name) for field in fields(Line)}
# The facts of a row or a line as a tuple, in one order.
FACTS = tuple(NAMES.values())
facts_of = attrgetter(*NAMES)


class Row(NamedTuple):
    """A row that is not stored yet. The names are those of the columns."""

    pool_id: int
    player_id: int
    game_id: int | None
    side: str
    period: date | None
    seq: int
    kind: str
    revision: int
    reverses_id: int | None
    correction_id: int | None
    before_centielo: int
    delta_centielo: int
    after_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str
    inputs: dict[str, int | str]
    entered_at: datetime
    digest: str = ""
