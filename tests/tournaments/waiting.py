"""Waits of one transaction for another, on PostgreSQL."""

from __future__ import annotations

import time

import pytest
from django.db import connection

_PATIENCE_S = 10.0
_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def for_a_lock() -> None:
    """Return when another transaction waits for a lock. SQLite starts that when this one has ended."""
    if connection.vendor != "postgresql":
        return
    until = time.monotonic() + _PATIENCE_S
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            # A transaction remembers who was there when it first asked.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(_WAITING)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.01)
    pytest.fail("no transaction waits for a lock")
