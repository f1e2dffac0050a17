"""Readiness of this process: probes of its needs, one by one."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tournaments import database_time
from tournaments.models import Heartbeat, Topic
from tournaments.services.operations import work

# After this silence no process decides flags or finds lost work.
SILENCE = timedelta(seconds=30)
_PATIENCE_MS = 1000
_FREE_SHARE = 0.05
_FREE_BYTES = 1 << 30
# Codes of the second factor and lines of the log follow the host's clock. A code lasts for 30 s.
_CLOCK_LEAD = timedelta(seconds=5)
# Anybody may ask, and the answer costs a write: this long one answer serves all who ask.
_KEPT_S = 2.0


class Verdict(StrEnum):
    """The state of a part of the service.

    `FAILING` takes this node out of service, so it is for faults of this node alone. `DEGRADED` serves.
    """

    OK = "ok"
    DEGRADED = "degraded"
    FAILING = "failing"


_ORDER = (Verdict.OK, Verdict.DEGRADED, Verdict.FAILING)


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing that was tried: its name, how well it is, and a detail for operators."""

    name: str
    verdict: Verdict
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Readiness:
    """All probes, and the worst of their verdicts."""

    verdict: Verdict
    probes: Sequence[Probe]

    @property
    def is_ready(self) -> bool:
        """Return whether requests may be sent here."""
        return self.verdict is not Verdict.FAILING


class _LatestAnswer:
    """The last answer and when it was had, on the monotonic clock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.readiness: Readiness | None = None
        self.until = 0.0


_latest = _LatestAnswer()


def readiness() -> Readiness:
    """Return whether this process can serve now, from probes of at most two seconds ago."""
    with _latest.lock:
        if _latest.readiness is None or time.monotonic() >= _latest.until:
            _latest.readiness = examine()
            _latest.until = time.monotonic() + _KEPT_S
        return _latest.readiness


def examine(now: datetime | None = None) -> Readiness:
    """Return the results of every probe, at `now` or at the database's moment.

    Probes of the database are left out while it is away.
    """
    probes = [_disk(), _redis()]
    database = _tried("database", _database)
    probes.append(database)
    if database.verdict is Verdict.OK:
        probes.append(_tried("migrations", _migrations))
        probes.append(_tried("clock", _clock))
        probes.append(_tried("tick", lambda: tick(now or database_time.now())))
        probes.append(_tried("work", lambda: _work(now or database_time.now())))
    verdict = max((probe.verdict for probe in probes), key=_ORDER.index)
    return Readiness(verdict, probes)


def tick(now: datetime) -> Probe:
    """Return the time since the last tick.

    A missing tick is degraded, not failing: all nodes lack it, and if all of them refused requests,
    pages and moves would stop too.
    """
    beat_at = Heartbeat.objects.filter(pk=1).values_list("beat_at", flat=True).first()
    if beat_at is None:
        return Probe("tick", Verdict.DEGRADED, "never")
    silence = now - beat_at
    verdict = Verdict.OK if silence <= SILENCE else Verdict.DEGRADED
    return Probe("tick", verdict, f"{silence.total_seconds():.0f} s ago")


def _tried(name: str, probe: Callable[[], Probe]) -> Probe:
    try:
        return probe()
    except Error as error:
        return Probe(name, Verdict.FAILING, str(error).strip().partition("\n")[0][:200])


def _database() -> Probe:
    """Read and write a row within a second. The write is rolled back."""
    with _patience(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {_PATIENCE_MS}")
        Topic.objects.exists()
        Topic.objects.create(name=f"probe:{secrets.token_hex(8)}")
        transaction.set_rollback(True)
    return Probe("database", Verdict.OK)


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    """Limit SQLite's wait for other writers to a second. SQLite stores the limit in the connection."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        try:
            yield
        finally:
            usual_ms = int(1000 * connection.settings_dict["OPTIONS"].get("timeout", 5))
            cursor.execute(f"PRAGMA busy_timeout = {usual_ms}")


def _migrations() -> Probe:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in missing)
        return Probe("migrations", Verdict.FAILING, f"not applied: {names}"[:200])
    if later := migrations_of_a_later_release():
        verdict = Verdict.FAILING if any(map(is_contraction, later)) else Verdict.DEGRADED
        return Probe("migrations", verdict, f"of a later release: {', '.join(later)}"[:200])
    return Probe("migrations", Verdict.OK)


def is_contraction(migration: str) -> bool:
    """Return whether code of the release before that migration, `app.name`, cannot work after it."""
    return "_contract_" in migration


def migrations_of_a_later_release() -> list[str]:
    """Return migrations of the site, as `app.name`, that the database has and this code does not know.

    This code works with the database if none of them is a contraction.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    return unknown(f"{app}.{name}" for app, name in applied)


def unknown(migrations: Iterable[str]) -> list[str]:
    """Return the migrations of the project, as `app.name`, that this code does not know."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    names = {f"{app}.{name}" for app, name in loader.disk_migrations}
    return sorted(
        each for each in migrations if each.startswith("tournaments.") and each not in names
    )


def _disk() -> Probe:
    usage = shutil.disk_usage(settings.HOME)
    is_short = usage.free < min(_FREE_SHARE * usage.total, _FREE_BYTES)
    verdict = Verdict.FAILING if is_short else Verdict.OK
    return Probe("disk", verdict, f"{usage.free >> 20} MiB free")


def _clock() -> Probe:
    """Compare the host's clock with the database's, which decides about games."""
    lead = database_time.lead_of_host()
    verdict = Verdict.OK if abs(lead) <= _CLOCK_LEAD else Verdict.DEGRADED
    return Probe("clock", verdict, f"{lead.total_seconds():+.1f} s from the database's")


def _redis() -> Probe:
    if not settings.REDIS_URL:
        return Probe("redis", Verdict.OK, "none")
    # Hidden, as in `live`: a start without Redis does not import its client.
    from tournaments import redis_bus

    is_there = redis_bus.is_reachable(settings.REDIS_URL)
    # Moves are accepted without it, and pages catch up.
    return Probe("redis", Verdict.OK if is_there else Verdict.DEGRADED)


def _work(now: datetime) -> Probe:
    late = [state for state in work.states(now) if state.is_late]
    detail = ", ".join(f"{state.kind} {state.age_s:.0f} s" for state in late)
    return Probe("work", Verdict.DEGRADED if late else Verdict.OK, detail)
