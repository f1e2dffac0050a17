"""The columns of a game: fixed values, values that its moves change, or its result."""

from __future__ import annotations

from tournaments.models import Game

# Fixed values of a game, and those that its match counts before its first ply.
MADE_WITH = {
    "id",
    "ruleset",
    "setup",
    "first",
    "second",
    "pairing",
    "match",
    "number",
    "armageddon_percent",
    "is_rated",
    "pool",
    "predicted_millionths",
    "predicted_by",
    "fuel",
    "fuel_meter",
    "allows_vacation",
    "opening_plies",
    "clock_kind",
    "clock_initial_ms",
    "clock_increment_ms",
    "clock_cap_ms",
    "created_at",
}


def test_every_column_belongs_to_one_group() -> None:
    columns = [*MADE_WITH, *Game.STATE_COLUMNS, *Game.RESULT_COLUMNS]
    assert sorted(columns) == sorted(field.name for field in Game._meta.fields)
