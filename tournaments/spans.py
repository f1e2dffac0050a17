"""Spans of traces inside services. Without tracing (`config.tracing`) they cost nothing."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Protocol


class _Start(Protocol):
    """Starts a span, which ends with its block."""

    def __call__(
        self, name: str, *, attributes: dict[str, int | str]
    ) -> AbstractContextManager[object]: ...


class Spans:
    """The way to start a span, which tracing replaces by its own."""

    def __init__(self) -> None:
        self.start: _Start = lambda name, *, attributes: nullcontext()


spans = Spans()

# The parts of OpenTelemetry that tracing uses. The first finds out whether there is any.
_MODULES = (
    "opentelemetry",
    "opentelemetry.sdk",
    "opentelemetry.exporter",
    "opentelemetry.exporter.otlp.proto.http",
    "opentelemetry.instrumentation.celery",
)


def are_possible() -> bool:
    """Return whether the packages of requirements-traces.lock are installed."""
    try:
        return all(find_spec(name) is not None for name in _MODULES)
    except ModuleNotFoundError:
        return False
