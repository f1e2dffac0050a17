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
_RESULT = ["result", "ending", "ply", "attempt", "first_id", "second_id"]


def _sqlite():
    frozen = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FROZEN)
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


def _postgresql():
    new, old = (", ".join(f"{row}.{column}" for column in FROZEN) for row in ("NEW", "OLD"))
    return [
        "DROP TRIGGER round_frozen ON tournaments_round",
        "CREATE TRIGGER round_frozen BEFORE UPDATE ON tournaments_round FOR EACH ROW "
        f"WHEN (OLD.state <> 'draft' AND ({new}) IS DISTINCT FROM ({old})) "
        "EXECUTE FUNCTION rayuela_round_frozen()",
    ]


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_pairing_claims")]

    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
