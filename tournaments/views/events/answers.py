"""How the pages and files of an event are answered: 304 while nothing has changed, 202 while somebody computes."""

from __future__ import annotations

import hashlib
from functools import partial, wraps
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.translation import get_language

from tournaments.models import Event
from tournaments.services import database_time
from tournaments.services.results import builds, drawing, memory, shared_store
from tournaments.views import preferences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ParamSpec

    from tournaments.services.results.memory import Need

    P = ParamSpec("P")

# A page also tells what no news is made of, such as how long something has lasted.
_PAGE_LASTS_S = 30
_RETRY_AFTER_S = 2
_READING = ("GET", "HEAD")
_FILE = "Content-Disposition"


def conditional(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Tag what visitors without an account read of a public event, and answer 304 while the tag holds.

    The tag is made of the event's state, so that a page that nobody has touched costs three queries.
    Files may be kept by shared caches, which ask each time; nothing of a private event is tagged.
    """

    @wraps(view)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if memory.is_working():
            return view(*args, **kwargs)
        request = args[0]
        assert isinstance(request, HttpRequest)
        draw = partial(view, *args, **kwargs)
        try:
            event = _event(request, str(kwargs["slug"]))
            if event is None:
                return draw()
            with memory.asking(partial(_ask_worker, request, event)):
                return _answer(request, event, draw)
        except memory.ComputingError:
            return computing(request)

    return wrapped


def _event(request: HttpRequest, slug: str) -> Event | None:
    """The event that is read about; None for an unknown one, and for whatever changes something."""
    if request.method not in _READING or "\x00" in slug:
        return None
    return Event.objects.filter(slug=slug).first()


def _ask_worker(request: HttpRequest, event: Event, need: Need) -> bool:
    cookies = request.COOKIES.get(preferences.COOKIE, "")
    query = request.GET.copy()
    query.pop("code", None)  # which opens a private event, and is no worker's business
    address = drawing.Address(
        f"{request.path}?{query.urlencode()}",
        request.get_host(),
        request.scheme or "",
        get_language() or settings.LANGUAGE_CODE,
        ((preferences.COOKIE, cookies),) if cookies else (),
    )
    return drawing.ask(address, need, event_id=event.pk)


def _answer(request: HttpRequest, event: Event, draw: Callable[[], HttpResponse]) -> HttpResponse:
    if event.access_code or not _is_anonymous(request):
        return draw()
    address = _address(request)
    state = _hash([memory.mark(event), _moment(), builds.BUILD])
    # A page with a form goes with the secret in the visitor's cookie.
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    tag = _hash([state, secret, *address])
    if tag in _known(request):
        return _tagged(HttpResponseNotModified(), tag)
    response = _page_of(event, request, address, state, draw)
    return _tagged(response, tag) if _is_plain(response) else response


def _page_of(
    event: Event,
    request: HttpRequest,
    address: Sequence[str],
    state: str,
    view: Callable[[], HttpResponse],
) -> HttpResponse:
    """The answer; of a large event a page is drawn once for all who ask for it in the same words.

    A page with a form is drawn for each, as it has a secret of its own. Whoever asks for the head
    alone is answered from the same page.
    """
    drawn: list[HttpResponse] = []

    def draw() -> shared_store.KeptPage | None:
        drawn.append(response := view())
        if not _is_plain(response) or response.has_header(_FILE):
            return None
        if request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):
            return None
        return shared_store.KeptPage(response.content, tuple(response.items()))

    page = memory.recall(event, f"page {_hash(address)}", draw, depends_on=state, is_light=True)
    if drawn:
        return drawn[0]
    return view() if page is None else HttpResponse(page.content, headers=dict(page.headers))


def _is_plain(response: HttpResponse) -> bool:
    """Whether it is a page that says nothing of its own about who may keep it."""
    return (
        response.status_code == 200
        and not response.has_header("Cache-Control")
        and not response.cookies
    )


def computing(request: HttpRequest) -> HttpResponse:
    """202: another request is computing the page or file; the browser asks again by itself."""
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
    """Whether the visitor has no account, is no guest and carries no message, so that all of them see the same."""
    return preferences.has_common_cookies(request)


def _address(request: HttpRequest) -> list[str]:
    """What the visitor asks for, in which words."""
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
