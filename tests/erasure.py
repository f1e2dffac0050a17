"""The end of rows that the triggers of SQLite protect."""

from __future__ import annotations

from django.db import connection


def erase_append_only() -> None:
    """Remove all rows of the project on SQLite, the protected ones included.

    PostgreSQL's TRUNCATE, by which Django flushes it, fires no row triggers.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute("PRAGMA foreign_keys = OFF")
        for table in connection.introspection.table_names(cursor):
            if table.startswith("tournaments_"):
                cursor.execute(f"DELETE FROM {table}")
        cursor.execute("PRAGMA foreign_keys = ON")
        for _, sql in triggers:
            cursor.execute(sql)
