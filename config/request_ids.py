"""One id for a request and everything it leads to: in the logs, in `X-Request-ID`, in the messages to workers."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from celery import Task, signals
from django.http import HttpRequest, HttpResponseBase

log = logging.getLogger(__name__)

# The key of an ASGI scope and a WSGI environment under which `config.edge` passes the id of a
# trusted proxy. No header of a client can have it.
HANDED_ON = "rayuela.request_id"
# A header of a Celery message.
_HEADER = "request_id"
_ACCEPTABLE = re.compile(r"[A-Za-z0-9-]{8,64}")

current: ContextVar[str] = ContextVar("request_id", default="")


class RequestIdMiddleware:
    """Middleware that gives each request its id: a trusted proxy's, else a new one.

    Logs the answer, at INFO.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        token = current.set(acceptable(request.META.get(HANDED_ON, "")) or uuid.uuid4().hex)
        # For answers that name it.
        request.META["REQUEST_ID"] = current.get()
        began_s = time.monotonic()
        try:
            response = self._get_response(request)
            response["X-Request-ID"] = current.get()
            took_ms = round(1000 * (time.monotonic() - began_s))
            facts = {"method": request.method, "path": request.path, "ms": took_ms}
            log.info(
                "request method=%(method)s path=%(path)s status=%(status)s ms=%(ms)s",
                {**facts, "status": response.status_code},
                extra={**facts, "status": response.status_code},
            )
        finally:
            current.reset(token)
        return response


def acceptable(text: object) -> str:
    """Return the text if it may be an id (8 to 64 letters, digits and hyphens), else an empty text."""
    return text if isinstance(text, str) and _ACCEPTABLE.fullmatch(text) else ""


@signals.before_task_publish.connect
def send_along(headers: dict[str, Any] | None = None, **_: object) -> None:
    """Add the id of the current request to a message."""
    if headers is not None and current.get():
        headers.setdefault(_HEADER, current.get())


@signals.task_prerun.connect
def take_up(task: Task[Any, Any] | None = None, **_: object) -> None:
    """Log a task under the id that its message carries."""
    current.set(acceptable(task.request.get(_HEADER)) if task is not None else "")


@signals.task_postrun.connect
def put_down(**_: object) -> None:
    """Forget the id: the next task has its own."""
    current.set("")
