"""Files that browsers and crawlers look for at the root of a site."""

from __future__ import annotations

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

_LOGO = "rayuela/base/logo.svg"
# Positions tried out by links, fragments of live pages, and pages of one visitor.
_DISALLOWED = (
    "/games/*/figures/*?",
    "/game/*?",
    "/*/live/",
    "/live/",
    "/stream/",
    "/account/",
    "/notices/",
    "/settings/",
    "/sign-in/",
    "/sign-up/",
    "/admin/",
    "/health/",
)
_ROBOTS = "".join(["User-agent: *\n", *(f"Disallow: {path}\n" for path in _DISALLOWED)])


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Return the paths that crawlers are asked to leave alone (RFC 9309)."""
    return HttpResponse(_ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """The logo, for browsers that ask for `/favicon.ico` without reading the page."""
    return HttpResponsePermanentRedirect(staticfiles_storage.url(_LOGO))


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """The web app manifest, by which a phone installs the site."""
    icon = {"src": staticfiles_storage.url(_LOGO), "sizes": "any", "type": "image/svg+xml"}
    return JsonResponse(
        {
            "id": "/",
            "name": "Rayuela",
            "short_name": "Rayuela",
            "description": _("Rayuela: tournaments and ratings for abstract board games"),
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "icons": [icon],
        },
        content_type="application/manifest+json",
    )
