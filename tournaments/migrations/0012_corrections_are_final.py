"""Corrections are only added to; a result changes by one of them and not otherwise; the ledger has its guards again."""

from django.db import migrations

APPEND_ONLY = ["ledgerentry", "correction"]
# What never changes once a game has its result.
FIXED = ["ending", "ply", "attempt", "first_id", "second_id"]
# The latest correction of the game leads from the old result to the new one.
_CORRECTED = (
    "EXISTS (SELECT 1 FROM tournaments_correction c WHERE c.game_id = OLD.id AND c.before = OLD.result"
    " AND c.after = NEW.result AND c.seq ="
    " (SELECT MAX(l.seq) FROM tournaments_correction l WHERE l.game_id = OLD.id))"
)


def _sqlite():
    for table in APPEND_ONLY:
        for action in ("UPDATE", "DELETE"):
            name = f"{table}_no_{action.lower()}"
            yield f"DROP TRIGGER IF EXISTS {name}"
            yield (
                f"CREATE TRIGGER {name} BEFORE {action} ON tournaments_{table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)
    yield "DROP TRIGGER IF EXISTS game_result_once"
    yield (
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
        f"WHEN OLD.result IS NOT NULL AND ({fixed} OR (NEW.result IS NOT OLD.result AND NOT {_CORRECTED})) "
        "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END"
    )


def _postgresql():
    new, old = (", ".join(f"{row}.{column}" for column in FIXED) for row in ("NEW", "OLD"))
    yield (
        "CREATE OR REPLACE FUNCTION rayuela_result_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF ({new}) IS DISTINCT FROM ({old}) OR (NEW.result IS DISTINCT FROM OLD.result AND NOT {_CORRECTED}) THEN "
        "RAISE EXCEPTION 'a finished game does not change' USING ERRCODE = 'integrity_constraint_violation'; "
        "END IF; RETURN NEW; END $$"
    )
    yield (
        "CREATE TRIGGER correction_append_only BEFORE UPDATE OR DELETE ON tournaments_correction "
        "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()"
    )


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    """The way back: a result never changes, and nothing reads the table of corrections."""
    if schema_editor.connection.vendor == "sqlite":
        changed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in ["result", *FIXED])
        statements = [
            "DROP TRIGGER IF EXISTS correction_no_update",
            "DROP TRIGGER IF EXISTS correction_no_delete",
            "DROP TRIGGER IF EXISTS game_result_once",
            "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
            f"WHEN OLD.result IS NOT NULL AND ({changed}) "
            "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END",
        ]
    else:
        statements = [
            "DROP TRIGGER correction_append_only ON tournaments_correction",
            "CREATE OR REPLACE FUNCTION rayuela_result_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'a finished game does not change' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        ]
    for statement in statements:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_corrections")]

    operations = [migrations.RunPython(add, remove)]
