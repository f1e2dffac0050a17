"""Figures for Prometheus at `/metrics`: counters of this host's web processes, and figures of the database.

The work of workers, moves and flags among it, is read from the database.
"""

from __future__ import annotations

import hmac
import logging
import os
import ssl
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    generate_latest,
    multiprocess,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from config import metrics
from config.server import FOLDER
from tournaments import database_time
from tournaments.services.operations import figures

log = logging.getLogger(__name__)

# A scrape counts rows. More frequent scrapes get equal figures.
_KEPT_S = 10.0
_CERTIFICATE_KEPT_S = 3600.0
_CERTIFICATE_PATIENCE_S = 2.0


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
        if not metrics.is_alive(pid):
            multiprocess.mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


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
        lead_s = database_time.lead_of_host().total_seconds()
        now = figures.read(database_time.now())
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
    opened, most = now.connections or (None, None)
    name = "rayuela_database_connections"
    yield _value(name, "Connections of all clients of PostgreSQL.", opened)
    yield _value(f"{name}_max", "The limit of connections.", most)
    yield _value("rayuela_tick_age_seconds", "Since the tick was last here.", now.tick_age_s)
    lead = "How far the clock of this host is ahead of the database's."
    yield _value("rayuela_clock_lead_seconds", lead, lead_s)
    yield from _certificate()
    age = "Since the latest success of a task."
    yield _labelled("rayuela_upkeep_age_seconds", age, "task", now.upkeep_ages_s)
    messages = "Messages that wait in Redis."
    yield _labelled("rayuela_queue_messages", messages, "queue", now.queues)
    yield _labelled("rayuela_work_failed", "Given up after losses.", "kind", now.given_up)
    waiting = {str(state.kind): state.waiting for state in now.work}
    yield _labelled("rayuela_work_waiting", "Due, without a worker.", "kind", waiting)
    ages = {str(state.kind): state.age_s for state in now.work}
    yield _labelled("rayuela_work_age_seconds", "Age of the oldest.", "kind", ages)
    running = {str(state.kind): state.running for state in now.work if state.running is not None}
    yield _labelled("rayuela_work_running", "Leased to a worker.", "kind", running)


def _value(name: str, text: str, value: float | None) -> Metric:
    """Return a figure, which has no sample if there is no value."""
    metric = GaugeMetricFamily(name, text)
    if value is not None:
        metric.add_metric([], value)
    return metric


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    metric = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric


class _Certificate:
    """The end of the site's certificate, read by a connection to `SITE_URL` at most once an hour."""

    def __init__(self) -> None:
        self._ends_at_s: float | None = None
        self._until = 0.0

    def __call__(self) -> Iterable[Metric]:
        """Return the seconds until the end, without a value for a site without https, and while none is read."""
        if time.monotonic() >= self._until:
            self._until = time.monotonic() + _CERTIFICATE_KEPT_S
            self._ends_at_s = _end_of_certificate(settings.SITE_URL)
        left_s = None if self._ends_at_s is None else self._ends_at_s - time.time()
        yield _value("rayuela_certificate_seconds", "Until the site's certificate ends.", left_s)


def _end_of_certificate(url: str) -> float | None:
    """Return the end in seconds of Unix time. None without https, and if the site does not answer."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        return None
    place = (parts.hostname, parts.port or 443)
    try:
        # Not verified: an invalid certificate has an end too.
        text = ssl.get_server_certificate(place, timeout=_CERTIFICATE_PATIENCE_S)
    except (OSError, ValueError) as error:
        log.warning("metrics.certificate host=%s error=%s", parts.hostname, error)
        return None
    return x509.load_pem_x509_certificate(text.encode()).not_valid_after_utc.timestamp()


_certificate = _Certificate()
database_collector = _DatabaseCollector()
_database = CollectorRegistry()
_database.register(database_collector)
