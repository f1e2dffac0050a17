"""Figures for Prometheus at `/metrics`: counters of this host's web processes, and figures of the database.

The work of workers, moves and flags among it, is read from the database.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    generate_latest,
    multiprocess,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from config.server import FOLDER
from tournaments.services.operations import figures

# A scrape counts rows. More frequent scrapes get equal figures.
_KEPT_S = 10.0


def answer(request: HttpRequest) -> HttpResponse:
    """Return all figures for a client with the token, 404 without a configured token, or 401."""
    token = settings.METRICS_TOKEN
    if not token:
        return HttpResponse(status=404)
    sent = request.headers.get("Authorization", "")
    if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    text = generate_latest(_counted()) + generate_latest(_database)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _counted() -> CollectorRegistry:
    """Return the counts of this process, or of all web processes that share its folder."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return REGISTRY
    for file in Path(folder).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not _is_alive(pid):
            multiprocess.mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


class _DatabaseCollector:
    """The figures of the database, as of some seconds ago."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._metrics: list[Metric] = []
        self._until = 0.0

    def collect(self) -> Iterable[Metric]:
        """Return the figures, or, if the database is away, one figure that says it."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._metrics = list(_read())
                self._until = time.monotonic() + _KEPT_S
            return self._metrics

    def forget(self) -> None:
        """Read the figures again at the next scrape."""
        self._until = 0.0


def _read() -> Iterable[Metric]:
    up = GaugeMetricFamily("rayuela_database_up", "Whether the database answers.")
    try:
        now = figures.read(timezone.now())
    except Error:
        up.add_metric([], 0)
        yield up
        return
    up.add_metric([], 1)
    yield up
    yield CounterMetricFamily("rayuela_plies", "Plies stored, of people and bots.", now.plies)
    yield CounterMetricFamily("rayuela_flags", "Games lost on time.", now.flags)
    yield GaugeMetricFamily("rayuela_games_live", "Games that go on.", now.live_games)
    yield GaugeMetricFamily("rayuela_database_bytes", "Size of the database.", now.database_bytes)
    silence = GaugeMetricFamily("rayuela_tick_age_seconds", "Since the tick was last here.")
    if now.tick_age_s is not None:
        silence.add_metric([], now.tick_age_s)
    yield silence
    waiting = GaugeMetricFamily("rayuela_work_waiting", "Due, without a worker.", labels=["kind"])
    age = GaugeMetricFamily("rayuela_work_age_seconds", "Age of the oldest.", labels=["kind"])
    running = GaugeMetricFamily("rayuela_work_running", "Leased to a worker.", labels=["kind"])
    failed = GaugeMetricFamily("rayuela_work_failed", "Given up after losses.", labels=["kind"])
    for kind, count in now.given_up.items():
        failed.add_metric([kind], count)
    yield failed
    for state in now.work:
        waiting.add_metric([state.kind], state.waiting)
        age.add_metric([state.kind], state.age_s)
        if state.running is not None:
            running.add_metric([state.kind], state.running)
    yield from (waiting, age, running)


database_collector = _DatabaseCollector()
_database = CollectorRegistry()
_database.register(database_collector)
