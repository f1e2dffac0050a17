"""Web processes changed one after the other, and the schema, while a hundred games are played."""

from __future__ import annotations

import signal
import time

import psycopg
import pytest

from tests import processes
from tests.faults import audit, installation, people

pytestmark = pytest.mark.slow

# A move every 15 s of each of a hundred games, seven a second, is the load of two busy cores beside
# the restarts.
_GAMES, _PACE_S = 100, 15.0
_COLUMN = "ALTER TABLE tournaments_game ADD COLUMN IF NOT EXISTS of_a_later_release text NULL"


def _migrate(site: installation.Installation) -> None:
    """Change a live database as a release does: the command, then a column that may be empty, with a short lock."""
    site.manage("migrate", "-v", "0")

    def add() -> bool:
        try:
            with psycopg.connect(site.url, options="-c lock_timeout=2000") as database:
                database.execute(_COLUMN)
        except psycopg.errors.LockNotAvailable:
            return False
        return True

    processes.until(add, patience_s=60)


def test_a_release_under_a_hundred_games() -> None:
    with installation.running(webs=2, is_small=False) as site:
        pair = people.pair(site.ports)
        tables = [people.sit_down(*pair) for _ in range(_GAMES)]
        with people.playing(tables, pace_s=_PACE_S, threads=8):
            for part in site.webs:
                starts = part.starts
                _migrate(site)
                part.signal(signal.SIGTERM)
                processes.until(lambda part=part, starts=starts: part.starts > starts)  # type: ignore[misc]
                port = site.ports[site.webs.index(part)]
                processes.until(
                    lambda port=port: processes.answers(f"http://127.0.0.1:{port}/healthz")  # type: ignore[misc]
                )
            for part in site.workers:
                part.signal(signal.SIGTERM)
                time.sleep(2)
            audit.assert_games_go_on(tables, time.monotonic())
        # One of two web processes is always there.
        assert max(wait for table in tables for wait in table.waits_s) < 10
        audit.assert_nothing_lost(site, tables)
        audit.assert_data_holds(site)
