"""The context that every page has."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from tournaments.models import ChatReport, Player, PlayerReport, PuzzleReport
from tournaments.services.notifications import inbox, news
from tournaments.views import guest_cookie, preferences
from tournaments.views.access import account_player_of


def visitor_preferences(request: HttpRequest) -> dict[str, preferences.Preferences]:
    """`preferences`: how the visitor likes pages and boards."""
    return {"preferences": preferences.of(request)}


def site_address(_request: HttpRequest) -> dict[str, str]:
    """`site_url`: the address of the site, for links that leave it."""
    return {"site_url": settings.SITE_URL}


def account(request: HttpRequest) -> dict[str, str | int | Player]:
    """Return the context variables about the visitor.

    `guest` is the guest who looks, if any. Otherwise `account_stream` is the stream of the
    account's news after those that this page shows. `unread` is the number of notices,
    `unread_messages` that of private messages, and
    `reports_waiting`, for moderators, the number of reports without a decision.
    """
    if not request.user.is_authenticated:
        guest = guest_cookie.of(request)
        return {"guest": guest} if guest else {}
    topic = news.of_user(request.user.pk)
    waiting = inbox.waiting(request.user, account_player_of(request))
    context: dict[str, str | int | Player] = {
        "account_stream": f"?t={topic}&after={topic}={waiting.last_seq}",
        "unread": waiting.notices,
        "unread_messages": waiting.messages,
    }
    if request.user.is_staff and request.user.has_perm("tournaments.moderate"):
        context["reports_waiting"] = open_reports()
    return context


def open_reports() -> int:
    """Number of open reports of chat lines, players and puzzles."""
    lines = ChatReport.objects.filter(verdict__isnull=True).count()
    players = PlayerReport.objects.filter(resolved_at=None).count()
    return lines + players + PuzzleReport.objects.filter(resolved_at=None).count()
