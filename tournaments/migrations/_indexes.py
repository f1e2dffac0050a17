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
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        usual = self._of(schema_editor)
        usual.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        usual = self._of(schema_editor)
        usual.database_backwards(self, app_label, schema_editor, from_state, to_state)

    @staticmethod
    def _of(schema_editor: BaseDatabaseSchemaEditor) -> type[migrations.AddIndex]:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        return AddIndexConcurrently if is_postgresql else migrations.AddIndex
