"""Files that browsers and crawlers look for at the root of a site."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import database_time
from tournaments.queries import site_texts

_LOGO = "rayuela/base/logo.svg"
# Files of `tests.icons` by name, size and purpose.
_ICONS = (
    ("icon-192", 192, "any"),
    ("icon-512", 512, "any"),
    ("icon-maskable-512", 512, "maskable"),
)
# `security.txt` is written for each reader. RFC 9116, 2.5.5 advises less than a year.
_SECURITY_LASTS = timedelta(days=180)
# Positions tried out by links, fragments of live pages, and pages of one visitor.
_DISALLOWED = (
    "/games/*/figures/*?",
    "/game/*?",
    "/*/live/",
    "/live/",
    "/stream/",
    "/offline/",
    "/account/",
    "/notices/",
    "/settings/",
    "/sign-in/",
    "/sign-up/",
    "/admin/",
    "/health/",
)
_RULES = "".join(["User-agent: *\n", *(f"Disallow: {path}\n" for path in _DISALLOWED)])


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Return the paths that crawlers are asked to leave alone (RFC 9309), and the map of the site."""
    sitemap = f"\nSitemap: {settings.SITE_URL}{reverse('sitemap')}\n"
    return HttpResponse(_RULES + sitemap, content_type="text/plain; charset=utf-8")


@require_safe
def security(_request: HttpRequest) -> HttpResponse:
    """Return the address for reports of faults in the site's security (RFC 9116). 404 without an address."""
    contact = site_texts.texts()["contact"]
    if not contact:
        raise Http404
    page = f"{settings.SITE_URL}{reverse('contact')}"
    # RFC 9116, 2.5.4: an address begins with its scheme.
    is_mail = "@" in contact and "://" not in contact
    address = f"mailto:{contact}" if is_mail else contact if "://" in contact else page
    expires = (
        database_time.now().replace(hour=0, minute=0, second=0, microsecond=0) + _SECURITY_LASTS
    )
    fields = {
        "Contact": quote(address, safe=":/?&=#@%+~"),
        "Expires": f"{expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": f"{settings.SITE_URL}{reverse('security')}",
        "Policy": page,
    }
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """The logo, for browsers that ask for `/favicon.ico` without reading the page."""
    return HttpResponsePermanentRedirect(staticfiles_storage.url(_LOGO))


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """The web app manifest, by which a phone installs the site."""
    icons = [
        {"src": staticfiles_storage.url(_LOGO), "sizes": "any", "type": "image/svg+xml"},
        *(
            {
                "src": staticfiles_storage.url(f"rayuela/base/{name}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in _ICONS
        ),
    ]
    return JsonResponse(
        {
            "id": "/",
            "name": "Rayuela",
            "short_name": "Rayuela",
            "description": _("Rayuela: tournaments and ratings for abstract board games"),
            "start_url": reverse("home"),
            "scope": "/",
            "background_color": "#fbf7ef",
            "theme_color": "#5a529b",
            "display": "standalone",
            "icons": icons,
        },
        content_type="application/manifest+json",
    )


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the script that shows notifications. At the root it may serve all pages of the site."""
    path = finders.find("rayuela/notifications/service_worker.js")
    assert isinstance(path, str), "the file is part of the site"
    response = HttpResponse(Path(path).read_bytes(), content_type="text/javascript; charset=utf-8")
    # Browsers look for a new one at visits. An old one would show notifications for a day.
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker stores for visits without a network."""
    return render(request, "offline.html")
