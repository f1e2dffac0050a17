"""Counters of this host's web processes for Prometheus. `config.scrape` answers with them.

They share a folder (`PROMETHEUS_MULTIPROC_DIR`, set by `config.server` before this is imported), so
that each of them can answer for all. Imported before Django is ready.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from django.http import HttpRequest, HttpResponseBase
from prometheus_client import Counter, Gauge, Histogram

from tournaments.courier import courier

log = logging.getLogger(__name__)

REQUESTS = Counter("rayuela_http_requests", "Answers of Django.", ["route", "method", "code"])
REQUEST_SECONDS = Histogram(
    "rayuela_http_request_seconds",
    "Time from a complete request to its answer.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
)
# The refused objects: connections, requests, uploads, streams.
REFUSED = Counter("rayuela_refused", "Refused because there were too many.", ["what"])
DROPPED = Counter("rayuela_courier_dropped", "Messages to Redis that were not sent.")
courier.on_drop = DROPPED.inc
LOST = Counter("rayuela_web_processes_lost", "Web processes that were killed, and replaced.")
OPEN = Gauge("rayuela_open", "Open at this moment.", ["what"], multiprocess_mode="livesum")


# By kind, as services/security.py declares them.
SECURITY_EVENTS = Counter("rayuela_security_events", "Security events of accounts.", ["kind"])


class _SecurityCounter(logging.Handler):
    """A counter of the lines about security events."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        SECURITY_EVENTS.labels(getattr(record, "kind", "")).inc()


_security_counter = _SecurityCounter()


def note_lost_processes(folder: Path) -> None:
    """Report each process that ended without being asked to. Its replacement calls this at its start.

    uvicorn starts it and says so at a level that no operator reads. Processes share the folder, which
    is empty when the first of them start.
    """
    for file in folder.glob("counter_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        with contextlib.suppress(FileExistsError):
            if not is_alive(pid):
                (folder / f"lost-{pid}").touch(exist_ok=False)
                LOST.inc()
                log.error("web.process-lost pid=%s", pid)


def is_alive(pid: int) -> bool:
    """Return whether there is a process of that number."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


class MetricsMiddleware:
    """Counter of answers by route, which has the names of addresses and never visitors' input."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        # Here, because the configuration of logs removes earlier handlers. A second time it does nothing.
        logging.getLogger("rayuela.security").addHandler(_security_counter)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        began_s = time.monotonic()
        response = self._get_response(request)
        REQUESTS.labels(route(request), request.method, response.status_code).inc()
        REQUEST_SECONDS.observe(time.monotonic() - began_s)
        return response


def route(request: HttpRequest) -> str:
    """Return the name of the address of an answered request, without its values."""
    match = request.resolver_match
    return (match.view_name or match.route) if match is not None else "none"
