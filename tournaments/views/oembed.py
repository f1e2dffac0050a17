"""oEmbed 1.0 (https://oembed.com): the frame of a game or of an event's standings, by the address of its page.

An address is compared with those of the site, and never opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.models import Picture
from tournaments.pictures import PREVIEW_HEIGHT, PREVIEW_WIDTH
from tournaments.queries import previews

_WIDTH, _HEIGHT = 420, 660
_LEAST = 200
_LONGEST_ADDRESS = 500
_KEPT_S = 3600
_HTML = '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"></iframe>'
# The kind of the object behind an address, by the address's name.
_KINDS = {
    "game": Picture.Kind.GAME,
    "embed-game": Picture.Kind.GAME,
    "event": Picture.Kind.EVENT,
    "event-standings": Picture.Kind.EVENT,
    "embed-event": Picture.Kind.EVENT,
}


@dataclass(frozen=True, slots=True)
class _Frame:
    preview: previews.Preview
    address: str


@require_safe
@cache_control(public=True, max_age=_KEPT_S)
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the frame as JSON, 404 for an address without one, and 400 for another format.

    The specification (2.3.4) has 501, which logs count as an error of the server.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse("Only JSON is provided.", status=400, content_type="text/plain")
    frame = _frame_of(request.GET.get("url", ""))
    width = _bounded(request.GET.get("maxwidth", ""), _WIDTH)
    height = _bounded(request.GET.get("maxheight", ""), _HEIGHT)
    preview = frame.preview
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": preview.alt,
            "provider_name": "Rayuela",
            "provider_url": settings.SITE_URL,
            "cache_age": _KEPT_S,
            "html": format_html(_HTML, frame.address, width, height, preview.alt),
            "width": width,
            "height": height,
            "thumbnail_url": preview.url,
            "thumbnail_width": PREVIEW_WIDTH,
            "thumbnail_height": PREVIEW_HEIGHT,
        }
    )


def _frame_of(address: str) -> _Frame:
    """Return the frame for a page of this site. Raises Http404 for all other texts, and for private events."""
    parts, site = _split(address), urlsplit(settings.SITE_URL)
    if (parts.scheme, parts.netloc) != (site.scheme, site.netloc):
        raise Http404
    try:
        match = resolve(parts.path)
    except Resolver404 as error:
        raise Http404 from error
    kind = _KINDS.get(match.view_name)
    if kind is None:
        raise Http404
    (key,) = match.kwargs.values()
    preview = previews.find(kind, str(key))
    if preview is None:
        raise Http404
    return _Frame(preview, f"{settings.SITE_URL}{reverse(f'embed-{kind}', args=[key])}")


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address[:_LONGEST_ADDRESS])
    except ValueError as error:  # such as an open bracket in the host
        raise Http404 from error


def _bounded(text: str, usual: int) -> int:
    """Return the size of the frame within the most that the page asks for, in pixels."""
    return max(_LEAST, min(usual, int(text))) if re.fullmatch(r"[0-9]{1,5}", text) else usual
