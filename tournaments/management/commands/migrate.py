"""`manage.py migrate`: Django's command for a database under play, and in one step for an empty database.

**Under play.** A statement that changes a table waits for its transactions, and all later ones wait
for it. It gives up after the `lock_timeout` of the connection, and the migration is tried again.
Code of the earlier release works meanwhile. It does not know new columns, so that PostgreSQL fills
them in its rows: each column gets the default of its field in the database too, which Django drops.

**In one step.** Django draws up all models again for each of some 300 operations, and on SQLite makes a table again for
each new column: 6 s of the processor at the first start and for each test database. The tables, made
from the models as they stand after the last migration, take 0.3 s.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.apps import apps
from django.core.management.commands import migrate
from django.db import OperationalError, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from tournaments.errors import is_lock_refused
from tournaments.migrations import _triggers

APP = "tournaments"
# Some five minutes, with the waits for the locks.
_TRIES = 40
_LONGEST_PAUSE_S = 5
# A later migration replaces the guards of the same names.
_GUARDS = [
    guard
    for name in ("0002_triggers", "0045_logs_of_empty_events", "0076_exchanged_sides")
    for guard in import_module(f"{APP}.migrations.{name}").GUARDS
]


class Command(migrate.Command):
    """Django's command."""

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's own
        """Make the tables of an empty database, then do what Django's command does."""
        connection = connections[options["database"]]
        reads_only = options["plan"] or options["check_unapplied"]
        if not (reads_only or options["app_label"] or options["fake"]):
            make_tables(connection)
        if reads_only:
            super().handle(*args, **options)
            return
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = 0")
        self._insist(lambda: super(Command, self).handle(*args, **options))
        if connection.vendor == "postgresql":
            self._insist(lambda: give_defaults(connection))

    def _insist(self, step: Callable[[], object]) -> None:
        """Take a step, again and again while a lock does not come.

        Raises OperationalError for the last of `_TRIES` locks, and for other faults.
        """
        for number in range(1, _TRIES + 1):
            try:
                step()
            except OperationalError as error:
                if number == _TRIES or not is_lock_refused(error):
                    raise
                pause_s = min(number, _LONGEST_PAUSE_S)
                self.stderr.write(f"A table is in use. Again in {pause_s} s.")
                time.sleep(pause_s)
            else:
                return


def give_defaults(connection: BaseDatabaseWrapper) -> None:
    """Give each column without a null the default of its field in PostgreSQL, if it has none.

    Defaults that are computed for each row, such as times and keys, have none in the database.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND is_nullable = 'NO'"
            " AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER'"
        )
        bare = set(cursor.fetchall())
    for model in apps.get_app_config(APP).get_models(include_auto_created=True):
        table = model._meta.db_table
        fields = [
            field
            for field in model._meta.local_concrete_fields
            if (table, field.column) in bare and has_plain_default(field)
        ]
        if not fields:
            continue
        with connection.schema_editor() as editor:
            quote = editor.quote_name
            changes = ", ".join(
                f"ALTER COLUMN {quote(str(field.column))}"
                f" SET DEFAULT {editor.quote_value(editor.effective_default(field))}"
                for field in fields
            )
            editor.execute(f"ALTER TABLE {quote(table)} {changes}")


def has_plain_default(field: models.Field[Any, Any]) -> bool:
    """Return whether all rows have one default: a value, an empty list or mapping, or an empty text."""
    if field.has_default():
        return not callable(field.default) or field.default in {list, dict}
    return field.blank and field.empty_strings_allowed


def make_tables(connection: BaseDatabaseWrapper) -> None:
    """Make the tables of the site, with all of its migrations as applied, in a database that has none of them.

    Migrations of rows are not run, because there are no rows. The guards are made as they are after the last
    migration.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    if any(app == APP for app, _ in loader.applied_migrations):
        return
    targets = loader.graph.leaf_nodes(APP)
    own = [node for node, _ in executor.migration_plan(targets) if node.app_label == APP]
    executor.migrate([node for node in own[0].dependencies if node[0] != APP])
    state = loader.project_state(targets)
    with connection.schema_editor() as editor:
        for model in [key for key in state.models if key[0] == APP]:
            editor.create_model(state.apps.get_model(*model))
        _triggers.recreate(editor, _GUARDS)
        for node in own:
            executor.recorder.record_applied(APP, node.name)
