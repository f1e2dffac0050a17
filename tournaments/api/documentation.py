"""The documentation for people, in the site's own look, from the document that programs read."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from tournaments.api import openapi, problems
from tournaments.api.deprecation import Deprecated
from tournaments.api.operations import DEPRECATED, ROUTES
from tournaments.api.v1 import v1
from tournaments.models import Scope
from tournaments.text import api_changes, refusals
from tournaments.text import problems as words


@dataclass(frozen=True, slots=True)
class Explanation:
    """An operation, as the page explains it."""

    name: str
    method: str
    path: str
    summary: str
    paragraphs: Sequence[str]
    scopes: Sequence[str]
    limits: Sequence[str]
    parameters: Sequence[Mapping[str, Any]]
    statuses: Sequence[str]
    example: str
    deprecated: Deprecated | None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Return the documentation: the first steps, the common rules, and each operation with an example."""
    subjects: dict[str, list[Explanation]] = {}
    for method, path, operation in openapi.operations(openapi.document(v1)):
        subjects.setdefault(operation["tags"][0], []).append(_explanation(method, path, operation))
    context = {
        "subjects": subjects.items(),
        "scopes": [(scope.value, scope.label) for scope in Scope],
        "root": f"{settings.SITE_URL}{openapi.ROOT}",
        "site": settings.SITE_URL,
    }
    return render(request, "api/index.html", context)


@require_safe
def changes(request: HttpRequest) -> HttpResponse:
    """Return the policy of changes, the deprecated operations and the changes of each release."""
    explanations = itertools.starmap(_explanation, openapi.operations(openapi.document(v1)))
    context = {
        "deprecated": [each for each in explanations if each.deprecated],
        "changes": api_changes.html(),
    }
    return render(request, "api/changes.html", context)


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """Return the page of a problem's code, to which `type` refers."""
    sentence = words.SENTENCES.get(code) or refusals.SENTENCES.get(code)
    if sentence is None:
        raise Http404
    context = {"code": code, "sentence": sentence, "status": problems.STATUSES.get(code)}
    return render(request, "api/problem.html", context)


@require_safe
def openapi_document(_request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    response = JsonResponse(openapi.document(v1))
    response["Cache-Control"] = "public, max-age=300"
    return response


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    """The answer at an address below `/api/v1/` that no operation has."""
    return problems.of_code(request, "not-found")


def _explanation(method: str, path: str, operation: Mapping[str, Any]) -> Explanation:
    route = ROUTES[operation["operationId"]]
    return Explanation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        paragraphs=[p.replace("\n", " ") for p in operation.get("description", "").split("\n\n")],
        scopes=[scope.value for scope in route.scopes],
        limits=[limit.name for limit in route.limits],
        parameters=[each for each in operation["parameters"] if each["in"] != "path"],
        statuses=sorted(operation["responses"]),
        example=openapi.curl(method, operation),
        deprecated=DEPRECATED.get(operation["operationId"]),
    )
