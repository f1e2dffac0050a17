"""Traces by OpenTelemetry: one for a request, the tasks that it sends for, and their matches.

Only with TRACES_URL, the address of a collector, and with the packages of requirements-traces.lock.
A trace begins here: the headers of visitors about traces of their own are not read. Spans have
routes, and neither addresses nor texts of visitors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import signals
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase

from config import metrics, request_ids
from tournaments.spans import are_possible, spans

log = logging.getLogger(__name__)

_SERVER_ERROR = 500


def is_on() -> bool:
    """Return whether this process traces."""
    return bool(settings.TRACES_URL) and are_possible()


def prepare() -> None:
    """Let Celery carry traces in its messages. It has no thread yet, so that this process may fork."""
    if settings.TRACES_URL and not are_possible():
        log.error("traces.missing: TRACES_URL is set, requirements-traces.lock is not installed")
    if not is_on():
        return
    from opentelemetry.instrumentation.celery import CeleryInstrumentor

    CeleryInstrumentor().instrument()
    # A process of a pool, and the process of a pool `solo`.
    signals.worker_process_init.connect(_start_worker)
    signals.worker_process_shutdown.connect(_send_the_rest)


def start(service: str) -> None:
    """Send the spans of this process under that name of a service."""
    if not is_on():
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.TRACES_URL)))
    trace.set_tracer_provider(provider)
    spans.start = trace.get_tracer("rayuela").start_as_current_span


def _start_worker(**_: object) -> None:
    start("rayuela-worker")


def _send_the_rest(**_: object) -> None:
    """Send the spans of a process of a pool, which ends without Python's usual farewell."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.shutdown()


class TracesMiddleware:
    """Middleware that gives each request a span with its route and its id of the log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not is_on():
            raise MiddlewareNotUsed
        from opentelemetry import trace

        self._get_response = get_response
        self._tracer, self._trace = trace.get_tracer("rayuela"), trace

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request within its span."""
        with self._tracer.start_as_current_span(
            "request", kind=self._trace.SpanKind.SERVER
        ) as span:
            response = self._get_response(request)
            route = metrics.route(request)
            span.update_name(f"{request.method} {route}")
            span.set_attributes(
                {
                    "http.request.method": request.method or "",
                    "http.route": route,
                    "http.response.status_code": response.status_code,
                    "request_id": request_ids.current.get(),
                }
            )
            if response.status_code >= _SERVER_ERROR:
                span.set_status(self._trace.StatusCode.ERROR)
        return response
