"""What is dear of a large event is computed by a worker: it asks for the same address as the visitor did.

The visitor is asked to come again (202), and finds what the worker has kept (`memory`). A thousand
visitors who need the same send for one worker, by whatever addresses they came.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, QueryDict
from django.urls import resolve
from django.utils import translation

from tournaments.services import enqueue, limits
from tournaments.services.accounts import throttles
from tournaments.services.errors import TooManyError
from tournaments.services.results import memory, shared_store

if TYPE_CHECKING:
    from tournaments.services.results.memory import Need

log = logging.getLogger(__name__)

# A worker that has not begun by then is not waited for: the request computes by itself.
_BEGINS_WITHIN_S = 15.0
# Who comes again soon after a worker was done, and finds the event changed once more, is not sent
# away forever: at the latest so long after the first try the request computes by itself.
_SOON_S = 5.0
_LONG_S = 10.0
_LASTS_S = 300.0


@dataclass(frozen=True, slots=True)
class Address:
    """What a visitor asks for, in which words.

    Attributes:
        path: with the query.
        host, scheme: as the visitor named them.
        language: of the page.
        cookies: the preferences, which say how boards look.
        urlconf: where the address is looked up; empty for the pages.
    """

    path: str
    host: str
    scheme: str
    language: str
    cookies: tuple[tuple[str, str], ...] = ()
    urlconf: str = ""


def ask(address: Address, need: Need, *, event_id: int) -> bool:
    """Have a worker compute what a visitor of the address needs of the event.

    Returns whether one will; else the caller computes by itself.

    Raises:
        TooManyError: it is one of many, and too many of them were asked for.
    """
    now = shared_store.now_s()
    key = f"drawing-{need.key}"
    words = {"address": asdict(address), "mark": need.mark, "asked_at": now, "done_at": None}
    if shared_store.note(key, words, _LASTS_S, is_first=True):
        _send(key, need, event_id)
        return True
    known = shared_store.noted(key)
    if known is None:
        return False  # the store is away
    if known["done_at"] is None:
        return now - known["asked_at"] < _BEGINS_WITHIN_S or shared_store.is_claimed(key)
    if known["mark"] == need.mark:
        return False  # it is not what a worker can compute
    is_new = now - known["done_at"] > _SOON_S
    if not is_new and now - known["asked_at"] > _LONG_S:
        return False
    shared_store.note(key, {**words, "asked_at": now if is_new else known["asked_at"]}, _LASTS_S)
    _send(key, need, event_id)
    return True


def _send(key: str, need: Need, event_id: int) -> None:
    """Send for a worker, and count it; one that is not sent for is not waited for. Raises TooManyError."""
    if need.is_one_of_many:
        try:
            throttles.count(throttles.Visitor(event_id=event_id), limits.COMPUTATIONS_OF_EVENT)
        except TooManyError:
            shared_store.forget(key)
            raise
    enqueue.drawing(key)


def draw(key: str) -> None:
    """Compute what is needed under that key, unless somebody does; the page or file itself is thrown away."""
    words = shared_store.noted(key)
    if words is None or words["done_at"] is not None:
        return
    token = shared_store.claim(key)
    if token is None:
        return
    try:
        _request(words["address"])
    except (Http404, PermissionDenied):
        log.info("drawing.refused path=%s", words["address"]["path"])
    finally:
        done = {**words, "done_at": shared_store.now_s()}
        shared_store.note(key, done, _LASTS_S)
        shared_store.release(key, token)


class _Request(HttpRequest):
    """A request that came through no server."""

    def _get_scheme(self) -> str:
        return str(self.META["wsgi.url_scheme"])


def _request(address: dict[str, Any]) -> None:
    """Ask the view for it, as a guest who may see everything: nobody is shown the answer."""
    request = _Request()
    path, _, query = address["path"].partition("?")
    request.method, request.path, request.path_info = "GET", path, path
    request.GET = QueryDict(query)
    request.META = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_HOST": address["host"],
        "SERVER_NAME": address["host"],
        "SERVER_PORT": "443",
        "REMOTE_ADDR": "",
        "wsgi.url_scheme": address["scheme"],
    }
    request.COOKIES = dict(address["cookies"])
    request.user = AnonymousUser()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    match = resolve(path, address["urlconf"] or None)
    with memory.working(), translation.override(address["language"]):
        response = match.func(request, *match.args, **match.kwargs)
        if response.streaming:
            response.close()
