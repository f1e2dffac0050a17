"""The start of a session and the end of others: the devices on the account's page."""

from __future__ import annotations

from datetime import date, datetime

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.models import User
from tournaments.services import sessions
from tournaments.services.notifications import push_devices
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in


def sign_in(request: HttpRequest, user: User) -> None:
    """Begin a session of `user`, for whom a password or a code has spoken."""
    login(request, user)
    note(request)


def note(request: HttpRequest) -> None:
    """Store the browser and the address with the session that has just begun."""
    sessions.begin(
        request.session,
        user_agent=request.headers.get("User-Agent", ""),
        address=request.META.get("REMOTE_ADDR", ""),
    )


@members_only
def end_session(request: HttpRequest, name: str) -> HttpResponse:
    """Sign out one of the other devices."""
    try:
        sessions.end(user=signed_in(request), name=name, current_key=request.session.session_key)
    except RefusedError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
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


# In this order: most browsers name others besides themselves.
_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_words(user_agent: str) -> str:
    """Return the browser and its system, such as "Firefox, Linux", or the first word of an unknown user agent."""
    names = [
        next((name for sign, name in table if sign in user_agent), None)
        for table in (_BROWSERS, _SYSTEMS)
    ]
    recognised = ", ".join(name for name in names if name)
    return recognised or user_agent.split(" ")[0][:40] or _("an unknown browser")
