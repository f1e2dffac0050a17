"""The limit of each address of the site, and the answer beyond the limit.

`tournaments.urls` declares the limit of a form at its address. A POST to any other address is
answered by 405, so that each new form needs a declared limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.urls import URLPattern

from tournaments import limits as services
from tournaments.errors import TooManyError
from tournaments.limits import Limit
from tournaments.services.accounts import throttles
from tournaments.text import limits as words
from tournaments.views import refusals
from tournaments.views.access import visitor_of

T = TypeVar("T")

# Limits of forms. `BY_SERVICES` lists the limits that services count.
SIGN_UPS = (services.SIGN_UPS, services.SIGN_UPS_OF_ALL)
RESETS = (services.RESETS,)
PASSWORDS = (services.CHANGES_OF_PLACE,)
CHANGES = (services.CHANGES, services.CHANGES_OF_PLACE)
OAUTH = (services.OAUTH,)
PUZZLES = (services.PUZZLES, services.PUZZLES_OF_PLACE)
GAMES = (services.GAMES, services.GAMES_OF_PLACE)
OFFERS = (services.OFFERS, services.OFFERS_OF_PLACE)
REPORTS = (services.REPORTS,)
EVENTS = (services.EVENTS, services.EVENTS_OF_PLACE)
# The view counts an import as an event. Most posts only look at the file.
EVENT_LOOKS = (services.EVENT_LOOKS, services.EVENT_LOOKS_OF_PLACE)
ENTRIES = (services.ENTRIES, services.ENTRIES_OF_PLACE)
DESK = (services.DESK, services.DESK_OF_PLACE)
RESULT_REPORTS = (services.RESULT_REPORTS,)
CORRECTIONS = (services.CORRECTIONS,)
BOTS = (services.BOTS,)
UPLOADS = (services.BOTS, services.UPLOADS_OF_PLACE)
SPRT_TESTS = (services.SPRT_TESTS,)
SUITES = (services.SUITES,)
ANALYSES = (services.ANALYSES, services.ANALYSES_OF_PLACE)
# Pages that compute for each visitor.
FORECASTS = (services.FORECASTS, services.FORECASTS_OF_PLACE)
COMPUTATIONS = (services.COMPUTATIONS, services.COMPUTATIONS_OF_PLACE)
# Limits of forms count only requests that compute something.
_WITH_A_QUERY = {"event-plan", "rating-calculator"}

# Keys are the names of addresses, as `tournaments.urls` declares them.
LIMITS: dict[str, Sequence[Limit]] = {}
EXEMPT: dict[str, str] = {}
READ: dict[str, Sequence[Limit]] = {}


def forms(limits: Sequence[Limit], *patterns: URLPattern) -> Sequence[URLPattern]:
    """Declare addresses whose forms are under these limits."""
    return _declare(LIMITS, limits, patterns)


def unlimited_forms(reason: str, *patterns: URLPattern) -> Sequence[URLPattern]:
    """Declare addresses whose forms are under no limit of this kind, for this reason."""
    return _declare(EXEMPT, reason, patterns)


def pages(limits: Sequence[Limit], *patterns: URLPattern) -> Sequence[URLPattern]:
    """Declare addresses of pages that are under these limits."""
    return _declare(READ, limits, patterns)


def _declare(table: dict[str, T], value: T, patterns: Sequence[URLPattern]) -> Sequence[URLPattern]:
    for pattern in patterns:
        name = pattern.name or ""
        assert name not in {*LIMITS, *EXEMPT, *READ}, f"{name} is declared twice"
        table[name] = value
    return patterns


# Limits that services count, inside the transaction that creates the object.
BY_SERVICES: Sequence[Limit] = (
    services.SIGN_INS_OF_ONE,
    services.SIGN_INS_OF_NAME,
    services.SIGN_INS_OF_PLACE,
    services.SIGN_INS_OF_DEVICE,
    services.PASSWORDS,
    services.GUESTS,
    services.GUESTS_OF_ALL,
    services.GUEST_GAMES,
    services.BOT_GAMES,
    services.CHAT,
    services.CONVERSATIONS,
    services.CONVERSATIONS_OF_NEW,
    services.UPLOADS,
    services.RECHECKS,
    services.STUDIES,
    services.STUDIES_OF_PLACE,
    services.COMPUTATIONS_OF_EVENT,
    services.PICTURES,
    services.PICTURES_OF_ALL,
)


def count(request: HttpRequest) -> HttpResponse | None:
    """Count the request if it is limited. Return 405 for a form without a declared limit.

    Raises TooManyError.
    """
    match = request.resolver_match
    # Django's admin is for staff with a confirmed second factor. The API counts by its own table.
    if match is None or {"admin", "v1"} & set(match.namespaces):
        return None
    name = match.url_name or ""
    if request.method == "POST":
        if name in EXEMPT:
            return None
        if name not in LIMITS:
            return HttpResponseNotAllowed(["GET", "HEAD", "OPTIONS"])
        throttles.count(visitor_of(request), *LIMITS[name])
    elif name in READ and (request.GET or name not in _WITH_A_QUERY):
        throttles.count(visitor_of(request), *READ[name])
    return None


# Long forms. The answer contains the entries, to be sent again.
_LONG_FORMS = {"event-new", "event-import", "event-settings"}
_OF_THE_BROWSER = "csrfmiddlewaretoken"


def _entries(request: HttpRequest) -> list[tuple[str, str]]:
    match = request.resolver_match
    if request.method != "POST" or match is None or match.url_name not in _LONG_FORMS:
        return []
    lists = request.POST.lists()
    return [
        (name, str(value)) for name, values in lists for value in values if name != _OF_THE_BROWSER
    ]


def too_many(request: HttpRequest, error: TooManyError) -> HttpResponse:
    """429 with `Retry-After`: a page, or JSON for the page's script."""
    limit = error.limit
    response: HttpResponse
    if refusals.is_script(request):
        body = {
            "code": "too-many",
            "limit": limit.name,
            "sentence": words.sentence(limit.subject, error.retry_after_s),
        }
        response = JsonResponse(body, status=429)
    else:
        context = {
            "sentence": words.sentence(limit.subject, error.retry_after_s),
            "entries": _entries(request),
            "most": throttles.most_of(limit) or limit.most,
            "span": words.span(int(limit.window.total_seconds())),
        }
        response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(error.retry_after_s)
    response["Cache-Control"] = "no-store"
    return response
