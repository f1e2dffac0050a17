"""Indexes of large tables. Nothing of the app is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


class AddIndex(AddIndexConcurrently):
    """Builds an index beside the play, in a migration that is not atomic.

    SQLite has no such statement, and its site does not run meanwhile.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: ProjectState
    ) -> None:
        self._of(schema_editor).database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: ProjectState
    ) -> None:
        self._of(schema_editor).database_backwards(self, app_label, schema_editor, *states)

    @staticmethod
    def _of(schema_editor: BaseDatabaseSchemaEditor) -> type[migrations.AddIndex]:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        return AddIndexConcurrently if is_postgresql else migrations.AddIndex
