"""Triggers: plies, ledger, news and audit are only added to; a game's result and a published pairing never change."""

from django.db import migrations

APPEND_ONLY = ["ply", "ledgerentry", "newsitem", "auditentry"]
# What a round was paired from and with, once everybody has seen it.
FROZEN = ["event_id", "number", "problem", "evidence", "engine", "setup"]


def _sqlite() -> list[str]:
    statements = []
    for table in APPEND_ONLY:
        for action in ("UPDATE", "DELETE"):
            statements.append(
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON tournaments_{table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    statements.append(
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game "
        "WHEN OLD.result IS NOT NULL AND (NEW.result IS NOT OLD.result OR NEW.ending IS NOT OLD.ending "
        "OR NEW.ply IS NOT OLD.ply OR NEW.attempt IS NOT OLD.attempt OR NEW.first_id IS NOT OLD.first_id "
        "OR NEW.second_id IS NOT OLD.second_id) "
        "BEGIN SELECT RAISE(ABORT, 'a finished game does not change'); END"
    )
    changed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FROZEN)
    statements.append(
        "CREATE TRIGGER round_frozen BEFORE UPDATE ON tournaments_round "
        f"WHEN OLD.state <> 'draft' AND ({changed}) "
        "BEGIN SELECT RAISE(ABORT, 'a published round does not change'); END"
    )
    return statements


def _row(name: str) -> str:
    return ", ".join(f"{name}.{column}" for column in FROZEN)


def _postgresql() -> list[str]:
    statements = [
        "CREATE FUNCTION rayuela_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE FUNCTION rayuela_result_once() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'a finished game does not change' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE TRIGGER game_result_once BEFORE UPDATE ON tournaments_game FOR EACH ROW "
        "WHEN (OLD.result IS NOT NULL AND (NEW.result, NEW.ending, NEW.ply, NEW.attempt, NEW.first_id, NEW.second_id) "
        "IS DISTINCT FROM (OLD.result, OLD.ending, OLD.ply, OLD.attempt, OLD.first_id, OLD.second_id)) "
        "EXECUTE FUNCTION rayuela_result_once()",
        "CREATE FUNCTION rayuela_round_frozen() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'a published round does not change' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE TRIGGER round_frozen BEFORE UPDATE ON tournaments_round FOR EACH ROW "
        f"WHEN (OLD.state <> 'draft' AND ({_row('NEW')}) IS DISTINCT FROM ({_row('OLD')})) "
        "EXECUTE FUNCTION rayuela_round_frozen()",
    ]
    statements += [
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON tournaments_{table} "
        "FOR EACH ROW EXECUTE FUNCTION rayuela_append_only()"
        for table in APPEND_ONLY
    ]
    return statements


def add(apps, schema_editor):
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
    for statement in make():
        schema_editor.execute(statement, params=None)


def remove(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        names = [f"{table}_no_{action}" for table in APPEND_ONLY for action in ("update", "delete")]
        for name in [*names, "game_result_once", "round_frozen"]:
            schema_editor.execute(f"DROP TRIGGER {name}")
        return
    schema_editor.execute("DROP FUNCTION rayuela_append_only() CASCADE")
    schema_editor.execute("DROP FUNCTION rayuela_result_once() CASCADE")
    schema_editor.execute("DROP FUNCTION rayuela_round_frozen() CASCADE")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(add, remove)]
