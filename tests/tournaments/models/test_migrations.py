"""Old databases are migrated with all of their data, and all constraints of the database hold on every way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module

import pytest
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from tests import erasure
from tests.tournaments import upgrades
from tournaments.management.commands import migrate
from tournaments.migrations import _triggers
from tournaments.models import Event, Game, LedgerEntry, Round
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import standings
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle

# Each of the tests asks for `db`: pytest-django would run the others later, after a second trip.
pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db]

APP = upgrades.APP
GUARDS = import_module("tournaments.migrations.0002_triggers").GUARDS


@dataclass(frozen=True)
class Schema:
    """Names of the triggers, and by table the columns and the constraints with the indexes."""

    guards: set[str]
    tables: Mapping[str, object]


@dataclass(frozen=True)
class Trip:
    """The schema of the database as it is made for tests, and after each part of a trip from an empty one."""

    before: Schema
    at_first: Schema
    after: Schema
    back_and_forth: Schema


@pytest.fixture(scope="module")
def trip(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Trip]:
    """Migrate an empty database, store an event at 0002 on the way, and leave no rows.

    All tests share this trip. It goes all the way forwards, and a few migrations back: an upgrade
    is not reversed (docs/operate/upgrade.md), and each migration back takes a second.
    """
    with django_db_blocker.unblock():
        before = _schema()
        _drop_all()
        try:
            MigrationExecutor(connection).migrate([(APP, "0001_initial")])
            at_first = _schema()
            _store_earlier_event()
        finally:
            after = _migrated_to_newest()
        executor = MigrationExecutor(connection)
        names = sorted(name for app, name in executor.loader.graph.nodes if app == APP)
        executor.migrate([(APP, names[-4])])
        yield Trip(before, at_first, after, _migrated_to_newest())
        if connection.vendor == "postgresql":
            migrate.give_defaults(connection)
        erasure.erase_append_only()
        call_command("flush", verbosity=0, interactive=False)


def _drop_all() -> None:
    """Drop every table of the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
            return
        cursor.execute("PRAGMA foreign_keys = OFF")
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)}")
        cursor.execute("PRAGMA foreign_keys = ON")


def _migrated_to_newest() -> Schema:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return _schema()


def _store_earlier_event() -> None:
    executor = MigrationExecutor(connection)
    state = executor.migrate([(APP, "0002_triggers")])
    with transaction.atomic():
        upgrades.load("0002_triggers", state.apps)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [*state.apps.get_models()]):
            cursor.execute(statement)


@pytest.fixture
def earlier_event(trip: Trip) -> Event:
    """An event in its second round, stored at 0002, after all migrations since."""
    return Event.objects.get(slug=upgrades.SLUG)


def test_an_event_of_before_goes_on(earlier_event: Event) -> None:
    first, second = earlier_event.rounds.order_by("number")
    assert (first.state, second.state) == (Round.State.CLOSED, Round.State.PUBLISHED)
    for game in Game.objects.ongoing():
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(earlier_event.pk)
    second.refresh_from_db()
    assert second.state == Round.State.CLOSED
    assert LedgerEntry.objects.filter(kind="game").count() == 2 * 4
    assert sum(row.points_halves for row in standings.event_table(earlier_event).rows) == 2 * 4
    for closed in (first, second):
        verdict = round_verification.verify(closed)
        assert verdict.is_confirmed
        assert verdict.is_seed_committed


def test_what_was_decided_before_stays_so(earlier_event: Event) -> None:
    with pytest.raises(IntegrityError, match="a finished game"), transaction.atomic():
        Game.objects.filter(result="first").update(result="draw")
    with pytest.raises(IntegrityError, match="a published round"), transaction.atomic():
        Round.objects.update(report="another")


def test_every_guard_is_made_in_one_step_by_the_migrations_and_again_after_a_way_back(
    trip: Trip,
) -> None:
    every = _triggers.names(GUARDS, connection.vendor)
    schemas = (trip.before, trip.at_first, trip.after, trip.back_and_forth)
    assert [schema.guards for schema in schemas] == [every, set(), every, every]


def test_tables_made_in_one_step_are_those_that_the_migrations_make(trip: Trip) -> None:
    assert trip.before.tables != trip.at_first.tables
    assert trip.before.tables == trip.after.tables
    assert trip.before.tables == trip.back_and_forth.tables


def test_the_command_makes_tables_in_an_empty_database_only(trip: Trip) -> None:
    call_command("migrate", verbosity=0)
    assert _schema() == trip.after


def _schema() -> Schema:
    describe = {"sqlite": _statements, "postgresql": _description}[connection.vendor]
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        tables = {name: describe(cursor, name) for name in names if name.startswith(APP)}
    return Schema(_guards(), tables)


def _statements(cursor: CursorWrapper, table: str) -> object:
    """Return the sorted parts of the table's statements: a later column is the last one of its table, or not."""
    cursor.execute(
        "SELECT sql FROM sqlite_master WHERE tbl_name = %s AND type != 'trigger'", [table]
    )
    parts = [re.split(r', (?=["CFU])', sql[sql.index("(") + 1 :]) for (sql,) in cursor if sql]
    return sorted(part.removesuffix(")") for statement in parts for part in statement)


def _description(cursor: CursorWrapper, table: str) -> object:
    of = connection.introspection
    columns = of.get_table_description(cursor, table)
    of_types = sorted((each.name, each.type_code, each.null_ok) for each in columns)
    return of_types, of.get_constraints(cursor, table)


def _guards() -> set[str]:
    of_vendor = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(of_vendor[connection.vendor])
        return {name for (name,) in cursor.fetchall()}
