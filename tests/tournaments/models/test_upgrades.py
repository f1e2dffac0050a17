"""Migrations under play: code of the release before works with the new tables until a contraction."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

import pytest
from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, migrations, models, transaction
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.processes import ROOT
from tests.tournaments import upgrades
from tournaments.errors import is_lock_refused
from tournaments.management.commands import migrate
from tournaments.services.operations import health

APP = upgrades.APP
# The migrations of all releases, as `sha256sum` prints them. A line is added at a release.
RELEASED = {
    path: digest
    for digest, path in map(
        str.split, (upgrades.FOLDER / "released.sha256").read_text().splitlines()
    )
}
LAST_RELEASED = max(RELEASED).rpartition("/")[2].removesuffix(".py")
# Tables that grow with the games. A statement that reads all of their rows stops the play.
LARGE = {
    *("auditentry", "clockcharge", "game", "ledgerentry", "newsitem", "pairing", "ply"),
    *("prediction", "transcript"),
}
# Constraints of these tables in migrations from before this rule. A check of 100,000 games takes
# less than a tenth of a second.
BEFORE_THE_RULE = {
    "0006_teams",
    "0013_third_place",
    "0021_games_of_ties",
    "0035_unusual_results",
    "0049_armageddon",
    "0058_matches_of_two",
}


@pytest.mark.parametrize("path", RELEASED)
def test_a_released_migration_never_changes(path: str) -> None:
    assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == RELEASED[path]


def _unreleased() -> Iterator[tuple[Migration, Operation, ProjectState]]:
    """Yield the operations of the site's migrations since the last release, with the state before each.

    Operations on tables that no release has are left out.
    """
    loader = MigrationLoader(None)
    state = ProjectState()
    added = set()
    (leaf,) = loader.graph.leaf_nodes(APP)
    for key in loader.graph.forwards_plan(leaf):
        migration = loader.get_migration(*key)
        for operation in migration.operations:
            is_later = key[0] == APP and key[1] > LAST_RELEASED
            if is_later and isinstance(operation, migrations.CreateModel):
                added.add(operation.name_lower)
            elif is_later and getattr(operation, "model_name_lower", "") not in added:
                yield migration, operation, state
            operation.state_forwards(key[0], state)


def _is_narrower(former: models.Field, field: models.Field) -> bool:
    """Return whether a value that the former column takes may be refused."""
    if field.get_internal_type() != former.get_internal_type() or (former.null and not field.null):
        return True
    lengths = [each.max_length or float("inf") for each in (former, field)]
    return lengths[1] < lengths[0]


def _contracts(operation: Operation, state: ProjectState) -> bool:
    """Return whether code from before the operation fails after it."""
    match operation:
        case migrations.RemoveField() | migrations.DeleteModel() | migrations.RenameField():
            return True
        case migrations.RenameModel() | migrations.AlterModelTable():
            return True
        case migrations.AlterField(model_name=model, name=name, field=field):
            return _is_narrower(state.models[APP, model.lower()].fields[name], field)
        case migrations.AddField(field=field):
            return not (field.null or field.many_to_many or migrate.has_plain_default(field))
        case _:
            return False


def _stops_the_play(operation: Operation) -> bool:
    """Return whether the operation reads all rows of a large table under a lock."""
    if getattr(operation, "model_name", "").lower() not in LARGE:
        return False
    if isinstance(operation, AddIndexConcurrently | AddConstraintNotValid):
        return False
    return isinstance(operation, migrations.AddIndex | migrations.AddConstraint)


def test_a_migration_that_code_of_the_release_before_cannot_work_with_has_the_word_contract() -> (
    None
):
    offences = {
        f"{migration.name}: {operation.describe()}"
        for migration, operation, state in _unreleased()
        if _contracts(operation, state) and not health.is_contraction(str(migration))
    }
    assert offences == set()


def test_no_migration_reads_a_large_table_under_a_lock() -> None:
    offences = {
        migration.name for migration, operation, _ in _unreleased() if _stops_the_play(operation)
    }
    assert offences == BEFORE_THE_RULE


@pytest.mark.parametrize(
    ("operation", "contracts", "stops"),
    [
        (migrations.RemoveField("game", "result"), True, False),
        (migrations.AddField("game", "n", models.IntegerField()), True, False),
        (migrations.AddField("game", "n", models.IntegerField(null=True)), False, False),
        (migrations.AddField("game", "n", models.IntegerField(default=0)), False, False),
        (
            migrations.AddField("game", "at", models.DateTimeField(default=dict.fromkeys)),
            True,
            False,
        ),
        (migrations.AlterField("game", "name", models.CharField(max_length=9)), True, False),
        (migrations.AlterField("game", "name", models.CharField(max_length=11)), False, False),
        (migrations.AlterField("game", "name", models.TextField()), True, False),
        (migrations.AddIndex("game", models.Index(fields=["name"], name="n")), False, True),
        (AddIndexConcurrently("game", models.Index(fields=["name"], name="n")), False, False),
        (migrations.AddIndex("club", models.Index(fields=["name"], name="n")), False, False),
    ],
)
def test_the_rules_tell_operations_apart(
    operation: Operation, contracts: bool, stops: bool
) -> None:
    state = ProjectState()
    fields = [("id", models.AutoField(primary_key=True)), ("name", models.CharField(max_length=10))]
    migrations.CreateModel("Game", fields).state_forwards(APP, state)
    assert _contracts(operation, state) == contracts
    assert _stops_the_play(operation) == stops


@cache
def _released_columns() -> dict[str, set[str]]:
    """Return the columns of each table, as the last release knows them."""
    state = MigrationLoader(None).project_state((APP, LAST_RELEASED))
    return {
        model._meta.db_table: {str(field.column) for field in model._meta.local_concrete_fields}
        for model in state.apps.get_models(include_auto_created=True)
        if model._meta.app_label == APP
    }


def _columns(condition: str) -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            f" WHERE table_schema = current_schema() AND {condition}"
        )
        return set(cursor.fetchall())


@pytest.fixture
def postgresql(transactional_db: None) -> None:
    """A PostgreSQL: SQLite is the file of one installation, all of whose parts are of one release."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is not upgraded under play")


@pytest.mark.usefixtures("postgresql")
def test_code_of_the_last_release_adds_rows_to_every_table() -> None:
    needed = _columns("is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'")
    present = _columns("TRUE")
    for table, columns in _released_columns().items():
        assert {(table, column) for column in columns} <= present
        unknown = {column for of, column in needed if of == table} - columns
        assert not unknown, f"{table}: code of the last release leaves {unknown} empty"


@pytest.mark.usefixtures("postgresql")
def test_defaults_of_the_database_are_those_of_the_fields() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, column_default FROM information_schema.columns"
            " WHERE table_name = 'tournaments_event' AND column_name IN"
            " ('is_listed', 'fee', 'duration_s', 'setup_seed', 'rating_lists')"
        )
        defaults = dict(cursor.fetchall())
    assert defaults["is_listed"] == "true"
    assert defaults["fee"] == "''::character varying"
    assert defaults["rating_lists"] in {"'[]'::jsonb", "''::character varying"}


@pytest.fixture
def lock(postgresql: None) -> Iterator[Callable[[], None]]:
    """Yield the release of a lock that another connection holds on the table of events, whose default is away."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_event ALTER COLUMN is_listed DROP DEFAULT")
    holder = connection.copy()
    with holder.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE tournaments_event IN ACCESS SHARE MODE")
    yield holder.close
    holder.close()
    migrate.give_defaults(connection)


_IS_LISTED = (
    "table_name = 'tournaments_event' AND column_name = 'is_listed' AND column_default = 'true'"
)


@pytest.mark.long
def test_a_migration_waits_for_a_table_in_use(
    lock: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _s: lock())
    call_command("migrate", verbosity=0)
    assert "A table is in use" in capsys.readouterr().err
    assert _columns(_IS_LISTED)


@pytest.mark.long
@pytest.mark.usefixtures("lock")
def test_a_migration_gives_up_after_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "_TRIES", 1)
    with pytest.raises(OperationalError) as caught:
        call_command("migrate", verbosity=0)
    assert is_lock_refused(caught.value)
    assert not _columns(_IS_LISTED)


@pytest.mark.engines
@pytest.mark.django_db
def test_another_fault_of_the_database_is_no_lock() -> None:
    with (
        pytest.raises(DatabaseError) as caught,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT lock FROM no_such_table_of_locks")
    assert not is_lock_refused(caught.value)


def test_guards_of_released_migrations_are_known() -> None:
    assert import_module(f"{APP}.migrations.{LAST_RELEASED}").GUARDS
