"""`manage.py migrate`: Django's command, which makes all tables of an empty database in one step.

Django draws up all models again for each of some 300 operations, and on SQLite makes a table again for
each new column: 6 s of the processor at the first start and for each test database. The tables, made
from the models as they stand after the last migration, take 0.3 s.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from tournaments.migrations import _triggers

APP = "tournaments"
# A later migration replaces the guards of the same names.
_GUARDS = [
    guard
    for name in ("0002_triggers", "0045_logs_of_empty_events")
    for guard in import_module(f"{APP}.migrations.{name}").GUARDS
]


class Command(migrate.Command):
    """Django's command."""

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's own
        """Make the tables of an empty database, then do what Django's command does."""
        is_partial = options["app_label"] or options["plan"] or options["check_unapplied"]
        if not is_partial and not options["fake"]:
            make_tables(connections[options["database"]])
        super().handle(*args, **options)


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
