"""A rated game is in a pool and stays there once it is decided; the guards of games and ledgers are made again."""

from importlib import import_module

from django.db import migrations, models

# What never changes once a game has its result.
FIXED = ["ending", "ply", "attempt", "first_id", "second_id", "pool_id"]
_before = import_module("tournaments.migrations.0012_corrections_are_final")
_predictions = import_module("tournaments.migrations.0014_predictions")


def _sqlite():
    # Tables made anew have lost their triggers.
    yield "DROP TRIGGER IF EXISTS game_prediction_fixed"
    yield from _before._sqlite()
    yield from _predictions._sqlite()
    fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    yield "DROP TRIGGER IF EXISTS game_result_once"
    yield (
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
        f"WHEN OLD.result IS NOT NULL AND ({fixed} OR (NEW.result IS NOT OLD.result AND NOT {_before._CORRECTED})) "
        "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END"
    )


def _postgresql(columns=FIXED):
    new, old = (", ".join(f"{row}.{column}" for column in columns) for row in ("NEW", "OLD"))
    yield (
        "CREATE OR REPLACE FUNCTION rayuela_result_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF ({new}) IS DISTINCT FROM ({old}) OR (NEW.result IS DISTINCT FROM OLD.result AND NOT {_before._CORRECTED}) THEN "
        "RAISE EXCEPTION 'a finished game does not change' USING ERRCODE = 'integrity_constraint_violation'; "
        "END IF; RETURN NEW; END $$"
    )
    new, old = (", ".join(f"{row}.{column}" for column in ["result", *columns]) for row in ("NEW", "OLD"))
    yield "DROP TRIGGER game_result_once ON tournaments_game"
    yield (
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game FOR EACH ROW "
        f"WHEN (OLD.result IS NOT NULL AND ({new}) IS DISTINCT FROM ({old})) EXECUTE FUNCTION rayuela_result_once()"
    )


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """A column cannot be dropped while a trigger reads it; 0015 has all guards of SQLite made again on its way back."""
    if schema_editor.connection.vendor == "sqlite":
        statements = ["DROP TRIGGER IF EXISTS game_result_once", "DROP TRIGGER IF EXISTS game_prediction_fixed"]
    else:
        statements = _postgresql(_before.FIXED)
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0016_games_in_pools'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('is_rated', False), ('pool__isnull', False), _connector='OR'), name='game_rated_in_a_pool'),
        ),
        migrations.RunPython(add, remove),
    ]
