"""Help, and the pages about the service: its purpose, its privacy, its operator."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments import limits
from tournaments.edges.files import attachment
from tournaments.queries import site_texts
from tournaments.services import retention
from tournaments.services.accounts import guests
from tournaments.text import help_pages

if TYPE_CHECKING:
    from django.http import HttpRequest

_DAY_S = 24 * 3600
_HOUR = timedelta(hours=1)
# Pages under the addresses that earlier releases gave them.
_FORMER_NAMES = {
    "write-a-bot": "tutorials/first-bot",
    "remote-bots": "bots/remote-bots",
    "protocol": "reference/protocol",
    "wasm": "bots/wasm",
    "bots": "explanation/fair-clock",
    "sandbox": "operate/sandbox",
    "leagues": "bots/ladders-and-sprt",
}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show all pages by audience, or the headings that contain the words of `q`."""
    words = request.GET.get("q", "")[:100]
    context = {
        "sections": [
            (section.title, [(name, help_pages.title(name)) for name in section.names])
            for section in help_pages.sections()
        ],
        "words": words,
        "matches": help_pages.search(words) if words.strip() else None,
    }
    return render(request, "help/index.html", context)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one page, with the others of its section beside it."""
    if name not in help_pages.names():
        raise Http404
    section = next(section for section in help_pages.sections() if name in section.names)
    context = {
        "page": help_pages.page(name),
        "name": name,
        "section": section.title,
        "others": [(other, help_pages.title(other)) for other in section.names],
        "files": list(help_pages.FILES) if section.title == "Bots" else [],
    }
    return render(request, "help/page.html", context)


@require_safe
def picture(_request: HttpRequest, name: str) -> HttpResponse:
    """Send a picture of a page."""
    if name not in help_pages.PICTURES:
        raise Http404
    path = help_pages.PICTURES[name]
    kind = "image/svg+xml" if path.suffix == ".svg" else "image/png"
    answer = HttpResponse(path.read_bytes(), content_type=kind)
    answer["Cache-Control"] = "public, max-age=3600"
    return answer


@require_safe
def former_page(_request: HttpRequest, name: str = "") -> HttpResponsePermanentRedirect:
    """Lead from an address below `/guides/` to the page of today."""
    if not name:
        return HttpResponsePermanentRedirect(reverse("help"))
    if name not in _FORMER_NAMES:
        raise Http404
    return HttpResponsePermanentRedirect(reverse("help-page", args=[_FORMER_NAMES[name]]))


@require_safe
def file(_request: HttpRequest, name: str) -> HttpResponse:
    """Send a file of the SDK, a sample or the kernel, to be saved."""
    if name not in help_pages.FILES:
        raise Http404
    path = help_pages.FILES[name]
    is_module = path.suffix == ".wasm"
    kind = "application/wasm" if is_module else "text/plain; charset=utf-8"
    return attachment(path.read_bytes(), kind, path.name)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Return the page about the site and its operator."""
    return render(request, "help/about.html", site_texts.texts())


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Return the page about stored data, its retention and its purpose."""
    days = {kind.name: kind.days for kind in retention.kinds()}
    windows = [
        limit.window
        for limit in vars(limits).values()
        if isinstance(limit, limits.Limit) and limit.by == limits.By.NETWORK
    ]
    context = {
        "days": days,
        "session_days": settings.SESSION_COOKIE_AGE // _DAY_S,
        "guest_days": guests.STAYS.days,
        "limit_hours": max(windows) // _HOUR,
        **site_texts.texts(),
    }
    return render(request, "help/privacy.html", context)


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Say how the operator is reached."""
    return render(request, "help/contact.html", site_texts.texts())
