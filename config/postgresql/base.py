"""Django's PostgreSQL with connections that are tried before a request without a round trip."""

from __future__ import annotations

import select

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for how it looks whether a connection still lives."""

    def is_usable(self) -> bool:
        """Whether the connection can be used.

        A server that has ended it has said so, and what was said can be read without asking. Only
        then, or where something else has come, the question is asked: it cost a move a twelfth of
        its time.
        """
        poll = select.poll()
        try:
            poll.register(self.connection.fileno(), select.POLLIN)
        except psycopg.OperationalError:
            return False
        return not poll.poll(0) or super().is_usable()
