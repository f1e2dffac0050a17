"""Previews as PNG and games as GIF, for messengers and pages that link to the site.

A worker draws a picture when it is first asked for. The request waits for it a moment, because robots of
messengers ask once.
"""

from __future__ import annotations

import threading
import time

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from tournaments.errors import TooManyError
from tournaments.models import Picture
from tournaments.queries import previews
from tournaments.queries.previews import Preview
from tournaments.services import pictures
from tournaments.views.access import visitor_of
from tournaments.views.events import answers

_KEPT_S = 365 * 24 * 3600
_CHANGES_WITHIN_S = 60
# Seconds that a request waits for a worker, and the number of requests that do so in a process.
WAITS_S = 3.0
_WAITING = threading.BoundedSemaphore(4)
_LOOKS_EVERY_S = 0.1
_RETRY_AFTER_S = 5


@require_safe
def preview(request: HttpRequest, kind: str, **key: int | str) -> HttpResponse:
    """Return the preview of an object as PNG, or 503 while a worker draws the first one.

    `key` is the part of the address that names the object.
    """
    (name,) = key.values()
    shared = _preview(Picture.Kind(kind), str(name))
    picture = _picture(request, shared)
    if picture is not None:
        return _answer(request, shared, picture, "image/png")
    response = HttpResponse(status=503, content_type="text/plain")
    response["Retry-After"] = str(_RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def replay_gif(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a finished game as an animated GIF, or a page with 202 while a worker draws it."""
    shared = _preview(Picture.Kind.REPLAY, str(pk))
    picture = _picture(request, shared)
    if picture is None:
        return answers.computing(request)
    response = _answer(request, shared, picture, "image/gif")
    response["Content-Disposition"] = f'inline; filename="rayuela-{pk}.gif"'
    return response


def _preview(kind: Picture.Kind, name: str) -> Preview:
    shared = previews.find(kind, name)
    if shared is None:
        raise Http404
    return shared


def _picture(request: HttpRequest, shared: Preview) -> Picture | None:
    """Return the picture of the present state, or an earlier one while that is being drawn."""
    picture = pictures.stored(shared)
    if picture is not None and picture.version == shared.version:
        return picture
    try:
        pictures.ask(shared, visitor_of(request))
    except TooManyError:
        if picture is None:
            raise
        return picture
    return picture or _awaited(shared)


def _awaited(shared: Preview) -> Picture | None:
    if not _WAITING.acquire(blocking=False):
        return None
    try:
        until = time.monotonic() + WAITS_S
        while (picture := pictures.stored(shared)) is None and time.monotonic() < until:
            time.sleep(_LOOKS_EVERY_S)
        return picture
    finally:
        _WAITING.release()


def _answer(
    request: HttpRequest, shared: Preview, picture: Picture, content_type: str
) -> HttpResponse:
    assert picture.content is not None, "stored"
    response = HttpResponse(bytes(picture.content), content_type=content_type)
    is_asked_for = request.GET.get("v") == picture.version == shared.version
    response["Cache-Control"] = (
        f"public, max-age={_KEPT_S}, immutable"
        if is_asked_for
        else f"public, max-age={_CHANGES_WITHIN_S}"
    )
    etag = f'"{picture.version}"'
    response["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=response)
    assert answer is not None, "given the response"
    return answer
