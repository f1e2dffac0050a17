"""The price of a move to a running service, and the machines that more games need."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tests.bench.load import service

if TYPE_CHECKING:
    from collections.abc import Iterator

_GAMES = (100, 1_000, 5_000, 20_000)
_PACES_S = (2, 10)
# A core that is busier than this lets moves wait for each other.
_BUSY = 0.6
# The connections of a web process to PostgreSQL.
_CONNECTIONS_OF_WEB, _DAY_S = 4, 86_400
_STATEMENT = """
    SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint,
        (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """Use of the service until now: seconds of processors, bytes of the log and of tables."""

    web_s: float
    database_s: float
    log_bytes: float
    table_bytes: float

    def since(self, earlier: Reading, moves: int) -> Reading:
        """Return the use by a move."""
        values = (
            (getattr(self, each.name) - getattr(earlier, each.name)) / moves
            for each in fields(Reading)
        )
        return Reading(*values)


def read(running: service.Service) -> Reading:
    """Read the counters of a service on PostgreSQL."""
    from django.db import connection

    assert running.database_pid is not None, "on PostgreSQL"
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT)
        log_bytes, table_bytes = cursor.fetchone()
    connection.close()
    return Reading(
        service.processor_s(running.web_pid),
        service.processor_s(running.database_pid),
        float(log_bytes),
        float(table_bytes),
    )


def lines(cost: Reading, web_kb: float) -> Iterator[str]:
    """Yield a table of machines for numbers of games, from the use by a move and the memory of a web process."""
    yield (
        f"a move: {1e3 * cost.web_s:.1f} ms of a web process, {1e3 * cost.database_s:.1f} ms of PostgreSQL,"
        f" {cost.log_bytes / 1e3:.1f} kB of its log, {cost.table_bytes / 1e3:.1f} kB of tables and indexes"
    )
    yield (
        f"{'games':>7} {'a move each':>12} {'moves/s':>8} {'web cores':>10} {'database':>9} {'processes':>10}"
        f" {'memory':>8} {'connections':>12} {'log a day':>10} {'tables':>8}"
    )
    for games in _GAMES:
        for pace_s in _PACES_S:
            moves = games / pace_s
            web, database = moves * cost.web_s / _BUSY, moves * cost.database_s / _BUSY
            processes = math.ceil(web)
            yield (
                f"{games:7,} {pace_s:10} s {moves:8,.0f} {web:10.1f} {database:9.1f} {processes:10}"
                f" {processes * web_kb / 1e6:5.1f} GB {processes * _CONNECTIONS_OF_WEB:12}"
                f" {moves * cost.log_bytes * _DAY_S / 1e9:7.1f} GB {moves * cost.table_bytes * _DAY_S / 1e9:5.1f} GB"
            )
