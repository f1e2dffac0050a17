"""Django's PostgreSQL with connections that are tried before a request without a round trip, and plans that are kept."""

from __future__ import annotations

import select
from collections.abc import Sequence
from typing import Any, cast

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

# A statement that has come so often on a connection is prepared (psycopg's own figure).
_PREPARED_AFTER = 5


class _KeepingCursor(base.CursorMixin, psycopg.Cursor[Any]):
    """Sends values beside the statement, which PostgreSQL then reads and plans once for a connection."""

    def execute(  # type: ignore[override]  # Django asks for no more
        self, query: str, params: Sequence[object] | None = None
    ) -> _KeepingCursor:
        """Execute as usual.

        Other statements on the connection are not prepared, because each text comes once.
        """
        self.connection.prepare_threshold = _PREPARED_AFTER
        try:
            super().execute(query, params)
        finally:
            self.connection.prepare_threshold = None
        return self


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for how it looks whether a connection still lives, and for `keeping_cursor`."""

    def keeping_cursor(self) -> CursorWrapper:
        """Return a cursor for statements with a constant text, as those of `tournaments.models.statements`.

        A move took PostgreSQL 1.9 ms of a processor with all of its statements planned each time,
        and takes 1.0. Django only prepares all or no statements of a connection, and most of its
        statements come once.
        """
        self.ensure_connection()
        with self.wrap_database_errors:
            cursor = self._prepare_cursor(_KeepingCursor(self.connection))  # type: ignore[attr-defined]
            return cast("CursorWrapper", cursor)

    def is_usable(self) -> bool:
        """Return whether the connection can be used.

        A server that has ended it has sent a message, which can be read without a query. Only then,
        or if another message has come, the query is sent: it cost a move a twelfth of its time.
        """
        poll = select.poll()
        try:
            poll.register(self.connection.fileno(), select.POLLIN)
        except psycopg.OperationalError:
            return False
        return not poll.poll(0) or super().is_usable()
