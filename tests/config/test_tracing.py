"""Traces: a request, the task that it sends for and the match of that task are one, and no visitor is in it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.urls import reverse

from tests import processes
from tests.processes import ROOT
from tests.tournaments.conftest import enter, event_of
from tournaments import checks, spans
from tournaments.services.accounts import players
from tournaments.services.rounds import lifecycle, rounds

needs_packages = pytest.mark.skipif(
    not spans.are_possible(), reason="requirements-traces.lock is not installed"
)

_SITE = """
import sys
import django
django.setup()
from django.test import Client
from config import tracing
from tournaments.courier import courier
from tournaments.models import User
tracing.start("rayuela-web")
client = Client(headers={"host": "localhost", "traceparent": sys.argv[3]})
client.force_login(User.objects.get(pk=sys.argv[1]))
assert client.post(sys.argv[2], {"action": "publish"}).status_code == 302
courier.flush(10)
"""
_WITHOUT_PACKAGES = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Block())
import django
django.setup()
from django.test import Client
print(Client(headers={"host": "localhost"}).get("/robots.txt").status_code)
"""
# A trace that a visitor claims to have begun.
_STRANGER = "0af7651916cd43dd8448eb211c80319c"


class Collector(threading.Thread):
    """A collector of OpenTelemetry, which stores the spans that come by HTTP."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        bodies: list[bytes] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.bodies = bodies
        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/traces"

    def run(self) -> None:
        self.server.serve_forever()

    def traces(self) -> dict[str, dict[str, Any]]:
        """Return the spans by trace and name."""
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

        by_trace: dict[str, dict[str, Any]] = defaultdict(dict)
        for body in self.bodies:
            request = trace_service_pb2.ExportTraceServiceRequest.FromString(body)
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        by_trace[span.trace_id.hex()][span.name] = span
        return by_trace


@pytest.fixture
def collector() -> Iterator[Collector]:
    started = Collector()
    started.start()
    yield started
    started.server.shutdown()
    started.server.server_close()


@needs_packages
@pytest.mark.engine
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_request_its_task_and_the_match_are_one_trace(
    erasable: None, collector: Collector
) -> None:
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    event = event_of(ana, is_automatic=False, rounds_total=1)
    enter(event, *(players.add_bot(name=name, engine="random") for name in ("One", "Two")))
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    variables = {"TRACES_URL": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    worker = ["-m", "celery", "-A", "config.celery", "worker", "-Q", "builtin", "-c", "1",
              "--loglevel", "ERROR", "--without-gossip", "--without-mingle"]  # fmt: skip
    address = reverse("event-act", args=[event.slug])
    stranger = f"00-{_STRANGER}-b7ad6b7169203331-01"
    with processes.program(worker, variables):
        subprocess.run(
            [sys.executable, "-c", _SITE, str(ana.pk), address, stranger],
            cwd=ROOT,
            env={**processes.environment(), **variables},
            check=True,
        )
        processes.until(lambda: any("match" in names for names in collector.traces().values()))
    names = {"POST event-act", "apply_async/tournaments.tasks.play_match"}
    names |= {"run/tournaments.tasks.play_match", "match"}
    trace_id, trace = next(each for each in collector.traces().items() if "match" in each[1])
    processes.until(lambda: names <= set(collector.traces()[trace_id]))
    trace = collector.traces()[trace_id]
    assert trace["match"].parent_span_id == trace["run/tournaments.tasks.play_match"].span_id
    # No visitor chooses a trace, and no address of a page is in it.
    assert trace_id != _STRANGER
    assert not any(event.slug.encode() in body for body in collector.bodies)


@pytest.mark.long
def test_the_site_works_without_the_packages_and_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PACKAGES],
        cwd=ROOT,
        env={
            **os.environ,
            "RAYUELA_HOME": str(settings.HOME),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TRACES_URL": "http://127.0.0.1:9/v1/traces",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "200\n"
    assert "traces.missing" in done.stderr


@pytest.mark.parametrize(
    ("url", "has_packages", "ids"),
    [("", False, []), ("http://c:4318", True, []), ("http://c:4318", False, ["tournaments.E011"])],
)
def test_the_check_of_a_deployment_names_packages_that_lack(
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    has_packages: bool,
    ids: list[str],
) -> None:
    settings.TRACES_URL = url
    monkeypatch.setattr(spans, "are_possible", lambda: has_packages)
    assert [message.id for message in checks.watching_of_work()] == ids


def test_the_check_of_a_deployment_names_events_that_no_broker_carries(
    settings: LazySettings,
) -> None:
    settings.TRACES_URL, settings.REDIS_URL = "", ""
    settings.CELERY_WORKER_SEND_TASK_EVENTS = True
    assert [message.id for message in checks.watching_of_work()] == ["tournaments.W013"]


def test_traces_are_off_and_the_middleware_is_left_out(settings: LazySettings) -> None:
    from django.core.exceptions import MiddlewareNotUsed

    from config import tracing

    settings.TRACES_URL = ""
    with pytest.raises(MiddlewareNotUsed):
        tracing.TracesMiddleware(lambda request: None)  # type: ignore[arg-type,return-value]
