"""The triggers of games and rounds once more: SQLite loses them when it makes a table anew, and rounds have more to freeze."""

from django.db import migrations

# What a round was paired from and with, once everybody has seen it.
FROZEN = [
    "event_id",
    "number",
    "is_wave",
    "report",
    "problem",
    "evidence",
    "engine",
    "setup",
    "setup_seed",
]
# As 0002 had it, for the way back.
FROZEN_BEFORE = ["event_id", "number", "problem", "evidence", "engine", "setup"]
_RESULT = ["result", "ending", "ply", "attempt", "first_id", "second_id"]


def _sqlite(columns):
    frozen = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in columns)
    result = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in _RESULT)
    return [
        "DROP TRIGGER IF EXISTS game_result_once",
        "DROP TRIGGER IF EXISTS round_frozen",
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
        f"WHEN OLD.result IS NOT NULL AND ({result}) "
        "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END",
        "CREATE TRIGGER round_frozen BEFORE UPDATE ON tournaments_round "
        f"WHEN OLD.state <> 'draft' AND ({frozen}) "
        "BEGIN SELECT RAISE(ABORT, 'a published round does not change'); END",
    ]


def _postgresql(columns):
    new, old = (", ".join(f"{row}.{column}" for column in columns) for row in ("NEW", "OLD"))
    return [
        "DROP TRIGGER round_frozen ON tournaments_round",
        "CREATE TRIGGER round_frozen BEFORE UPDATE ON tournaments_round FOR EACH ROW "
        f"WHEN (OLD.state <> 'draft' AND ({new}) IS DISTINCT FROM ({old})) "
        "EXECUTE FUNCTION rayuela_round_frozen()",
    ]


def _make(schema_editor, columns):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make(columns):
        schema_editor.execute(statement, params=None)


def add(apps, schema_editor):
    _make(schema_editor, FROZEN)


def remove(apps, schema_editor):
    """A column cannot be dropped while a trigger reads it."""
    _make(schema_editor, FROZEN_BEFORE)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_pairing_claims")]

    operations = [migrations.RunPython(add, remove)]
