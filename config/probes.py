"""Pages for machines.

`/healthz` tells whether this process answers, `/readyz` whether it can serve. `/metrics` has the
figures. They come before everything else: a load balancer names no host of ours, follows no
redirect and has no cookie.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    JsonResponse,
)

from config import scrape
from tournaments.services.operations import health


class ProbesMiddleware:
    """Answers the addresses of machines, and passes everything else on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._answers = {"/healthz": _healthz, "/readyz": _readyz, "/metrics": scrape.answer}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        answer = self._answers.get(request.path)
        if answer is None:
            return self._get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = answer(request)
        response["Cache-Control"] = "no-store"
        return response


def _healthz(_request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


def _readyz(_request: HttpRequest) -> HttpResponse:
    readiness = health.readiness()
    probes = {
        probe.name: {"status": probe.verdict, "detail": probe.detail} for probe in readiness.probes
    }
    status = 200 if readiness.is_ready else 503
    return JsonResponse({"status": readiness.verdict, "probes": probes}, status=status)
