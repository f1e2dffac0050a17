"""The start of a session and the end of others: the devices on the account's page."""

from __future__ import annotations

from datetime import date, datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.errors import RefusedError
from tournaments.models import User
from tournaments.queries.accounts import devices as known_devices
from tournaments.services import security, sessions
from tournaments.services.notifications import push_devices
from tournaments.text import refusals as refusal_text
from tournaments.text.browsers import browser_name
from tournaments.views.access import members_only, signed_in


def sign_in(request: HttpRequest, user: User) -> None:
    """Begin a session of `user`, for whom a password or a code has spoken."""
    login(request, user)
    note(request, user)


def note(request: HttpRequest, user: User) -> None:
    """Store the browser and the address with the session that has just begun."""
    sessions.begin(
        request.session,
        user_agent=request.headers.get("User-Agent", ""),
        address=request.META.get("REMOTE_ADDR", ""),
    )
    is_known = known_devices.known(user, _cookie(request))
    security.note(security.SIGN_IN if is_known else security.SIGN_IN_NEW, user)


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Store in a cookie that the browser has signed in to the account, after each change of the password too."""
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        known_devices.remembered(user, _cookie(request)),
        max_age=known_devices.LIFE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _cookie(request: HttpRequest) -> str:
    return request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")


@never_cache
@login_required
def security_events(request: HttpRequest) -> HttpResponse:
    """Return the sign-ins of the account and the changes of its secrets and rights."""
    rows = [(event, security.KINDS.get(event.kind)) for event in security.of(signed_in(request))]
    return render(request, "accounts/security.html", {"rows": rows})


@members_only
def end_session(request: HttpRequest, name: str) -> HttpResponse:
    """Sign out one of the other devices."""
    try:
        sessions.end(user=signed_in(request), name=name, current_key=request.session.session_key)
    except RefusedError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
        security.note(security.SESSION_END, signed_in(request))
        push_devices.remove_signed_out(signed_in(request))
        messages.success(request, _("The device was signed out."))
    return redirect("account")


def devices(request: HttpRequest) -> list[dict[str, str | bool | date | datetime | None]]:
    """The sessions of the account, for its page."""
    rows = sessions.of(signed_in(request), request.session.session_key)
    return [
        {
            "name": row.name,
            "words": browser_words(row.user_agent),
            "address": row.address,
            "began_at": row.began_at,
            "seen_on": row.seen_on,
            "is_this": row.is_this,
        }
        for row in rows
    ]


def browser_words(user_agent: str) -> str:
    """Return the name of a browser, or the first word of an unknown user agent."""
    return browser_name(user_agent) or user_agent.split(" ")[0][:40] or _("an unknown browser")
