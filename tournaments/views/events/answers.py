"""Answers for the pages and files of an event: 304 without a change, 202 while another request computes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.translation import get_language

from tournaments import database_time
from tournaments.models import Event
from tournaments.services.results import builds, computations
from tournaments.services.results.computations import ComputingError
from tournaments.views import preferences

P = ParamSpec("P")

# A page also shows facts without news, such as the duration of a game.
_PAGE_LASTS_S = 30
_RETRY_AFTER_S = 2
# Django's cache has 300 entries. Longer pages are sheets, which are stored as rows.
_MOST_BYTES = 256_000
_READING = ("GET", "HEAD")
_FILE = "Content-Disposition"


@dataclass(frozen=True, slots=True)
class _Page:
    """A page that is equal for all."""

    content: bytes
    headers: tuple[tuple[str, str], ...]


def respond(request: HttpRequest, event: Event, draw: Callable[[], HttpResponse]) -> HttpResponse:
    """Tag the pages of a public event for visitors without an account, and answer 304 while the tag is valid.

    The tag is made of the event's state, so that an unchanged page costs three queries. Shared
    caches may keep files, and must ask each time. Pages and files of a private event get no tag.
    """
    is_for_all = request.method in _READING and not event.access_code and _is_anonymous(request)
    try:
        return _answer(request, event, draw) if is_for_all else draw()
    except ComputingError:
        return computing(request)


def _answer(request: HttpRequest, event: Event, draw: Callable[[], HttpResponse]) -> HttpResponse:
    address = _address(request)
    state = _hash([computations.state_of(event), _moment(), builds.BUILD])
    # A page with a form goes with the secret in the visitor's cookie.
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    tag = _hash([state, secret, *address])
    if tag in _known(request):
        return _tagged(HttpResponseNotModified(), tag)
    key = f"page-{event.pk}-{_hash([state, *address])}"
    page: _Page | None = cache.get(key)
    if page is not None:
        return _tagged(HttpResponse(page.content, headers=dict(page.headers)), tag)
    response = draw()
    if not _is_plain(response):
        return response
    if _is_for_all(request, response):
        page = _Page(response.content, tuple(response.items()))
        cache.set(key, page, _PAGE_LASTS_S)
    return _tagged(response, tag)


def _is_for_all(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a process keeps the page for others: no file, and no form, which has a secret."""
    has_form = bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE"))
    is_long = len(response.content) > _MOST_BYTES
    return not (has_form or is_long or response.has_header(_FILE))


def _is_plain(response: HttpResponse) -> bool:
    """Return whether the response is a page without its own cache rules."""
    return (
        response.status_code == 200
        and not response.has_header("Cache-Control")
        and not response.cookies
    )


def computed(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Answer 202 while a worker computes a table or a file of a large event, for pages of several events."""

    @wraps(view)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        request = args[0]
        assert isinstance(request, HttpRequest)
        try:
            return view(*args, **kwargs)
        except ComputingError:
            return computing(request)

    return wrapped


def computing(request: HttpRequest) -> HttpResponse:
    """Return 202: another request is computing the page or file.

    The browser asks again automatically.
    """
    context = {"retry_after_s": _RETRY_AFTER_S, "address": request.get_full_path()}
    response = render(request, "events/computing.html", context, status=202)
    response["Retry-After"] = response["Refresh"] = str(_RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response


def _tagged(response: HttpResponse, tag: str) -> HttpResponse:
    response["ETag"] = f'W/"{tag}"'
    kept_by = "public" if response.has_header(_FILE) else "private"
    response["Cache-Control"] = f"{kept_by}, no-cache"
    return response


def _known(request: HttpRequest) -> set[str]:
    tags = request.headers.get("If-None-Match", "").split(",")
    return {tag.strip().removeprefix("W/").strip('"') for tag in tags}


def _is_anonymous(request: HttpRequest) -> bool:
    """Return whether the visitor has no account, is no guest and has no message: all such visitors see equal pages."""
    return preferences.has_common_cookies(request)


def _address(request: HttpRequest) -> list[str]:
    """Return the address of the request, with the language and the preferences of the answer."""
    return [
        request.get_full_path(),
        request.get_host(),
        request.scheme or "",
        get_language() or "",
        repr(preferences.of(request)),
    ]


def _moment() -> str:
    return str(int(database_time.now().timestamp()) // _PAGE_LASTS_S)


def _hash(words: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(words).encode(errors="replace")).hexdigest()[:32]
