"""Middleware that every request passes before a view looks at it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from tournaments.api import problems
from tournaments.api.problems import V1_ROOT
from tournaments.errors import TooManyError
from tournaments.services import security, sessions
from tournaments.views import limits, trouble

API_ROOT = "/api/"
API_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
METHODS = ["GET", "HEAD", "OPTIONS", "POST"]
# Powers of browsers that ask the user or reveal the device.
_NO_POWERS = ", ".join(
    f"{name}=()"
    for name in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
        *("magnetometer", "microphone", "midi", "payment", "serial", "usb"),
        "xr-spatial-tracking",
    )
)
_FORM = "application/x-www-form-urlencoded"


class VisitMiddleware:
    """Lets security events name the network and the browser of the request that they belong to."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        address = request.META.get("REMOTE_ADDR", "")
        user_agent = request.headers.get("User-Agent", "")
        token = security.visit.set(security.Visit(address, user_agent))
        try:
            return self._get_response(request)
        finally:
            security.visit.reset(token)


class HeadersMiddleware:
    """Headers by which browsers keep pages apart from those of other sites, and refuse powers that no page uses.

    Other sites may show pictures, frames that allow it, and answers of the API. Everything else is for
    pages of this site (Cross-Origin-Resource-Policy). Pages load nothing from other sites
    (Cross-Origin-Embedder-Policy), which the Content-Security-Policy forbids too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._is_for_programs = re.compile(settings.CORS_URLS_REGEX).match

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self._get_response(request)
        is_shared = (
            response.get("Content-Type", "").startswith("image/")
            or getattr(response, "xframe_options_exempt", False)
            or self._is_for_programs(request.path)
        )
        response["Cross-Origin-Resource-Policy"] = "cross-origin" if is_shared else "same-origin"
        response["Cross-Origin-Embedder-Policy"] = "require-corp"
        response["Permissions-Policy"] = _NO_POWERS
        return response


class ApiMiddleware:
    """Leads requests below `/api/` to the addresses of the API, whose answers below `/api/v1/` are never pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if request.path.startswith(API_ROOT):
            request.urlconf = "config.api_urls"
        if not request.path.startswith(V1_ROOT):
            return self._get_response(request)
        method = request.method
        if method == "HEAD":
            # The server leaves the body out.
            request.method = "GET"
        response = problems.instead_of_page(request, self._get_response(request))
        if method == "OPTIONS" and "Allow" in response:
            methods = {*response["Allow"].split(", "), "OPTIONS"}
            methods |= {"HEAD"} if "GET" in methods else set()
            return HttpResponse(status=204, headers={"Allow": ", ".join(sorted(methods))})
        return response


class PlainRequestMiddleware:
    """Filter of requests: 405 for methods that browsers do not send, 400 for a NUL, which PostgreSQL refuses.

    OPTIONS is answered here, since Django's function views would answer it as GET. Programs may
    send more methods to the API.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        is_api = request.path.startswith(V1_ROOT)
        if request.method == "OPTIONS" and not is_api:
            return HttpResponse(status=204, headers={"Allow": ", ".join(METHODS)})
        methods = API_METHODS if is_api else METHODS
        if request.method not in methods:
            return HttpResponseNotAllowed(methods)
        if _has_nul(request):
            return trouble.unreadable()
        return self._get_response(request)


class AccountMiddleware(AuthenticationMiddleware):
    """Django's own, but that the account comes with its session, by one statement."""

    def process_request(self, request: HttpRequest) -> None:
        """Add the lazy account of a request."""
        super().process_request(request)
        request.user = SimpleLazyObject(partial(sessions.user_of, request))  # type: ignore[assignment]  # as Django's own


class LimitsMiddleware:
    """Counter of the requests that `tournaments.views.limits` limits, which answers 429 beyond.

    The answer is 405 for a POST that is not listed there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> HttpResponse | None:
        """Return the answer to a request that is not let through."""
        try:
            return limits.count(request)
        except TooManyError as error:
            return limits.too_many(request, error)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the answer to a request that reached a limit in its service."""
        return limits.too_many(request, error) if isinstance(error, TooManyError) else None


class SessionsLastMiddleware:
    """Keeps those signed in who come back: a session ends two weeks after the last day on which it was used."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self._get_response(request)
        # Answers that shared caches store for all visitors carry no visitor's cookie.
        is_public = "public" in response.get("Cache-Control", "")
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or is_public:
            return response
        session = request.session
        assert isinstance(session, sessions.SessionStore), "SESSION_ENGINE"
        # An unread session was not used, and the database is not asked for anything else now.
        is_read = session.accessed and not session.modified
        if is_read and request.user.is_authenticated and sessions.renew(session):
            _set_cookie(response, session)
        return response


def _set_cookie(response: HttpResponseBase, session: sessions.SessionStore) -> None:
    """Set the cookie as Django's own middleware does for a session that is saved."""
    assert session.session_key is not None, "somebody is signed in with it"
    response.set_cookie(
        settings.SESSION_COOKIE_NAME,
        session.session_key,
        max_age=session.get_session_cookie_age(),
        domain=settings.SESSION_COOKIE_DOMAIN,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=settings.SESSION_COOKIE_HTTPONLY,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
    patch_vary_headers(response, ("Cookie",))


def _has_nul(request: HttpRequest) -> bool:
    query = request.META.get("QUERY_STRING", "")
    if "\x00" in request.path or "%00" in query or "\x00" in query:
        return True
    # Django unquotes octal escapes in cookies.
    if any("\x00" in value for value in request.COOKIES.values()):
        return True
    if request.method != "POST" or request.content_type != _FORM:
        return False
    return b"\x00" in request.body or b"%00" in request.body
