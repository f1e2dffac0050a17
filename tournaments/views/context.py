"""The context that every page has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.services.notifications import inbox, news
from tournaments.views import preferences

if TYPE_CHECKING:
    from django.http import HttpRequest


def visitor_preferences(request: HttpRequest) -> dict[str, preferences.Preferences]:
    """`preferences`: how the visitor likes pages and boards."""
    return {"preferences": preferences.of(request)}


def account(request: HttpRequest) -> dict[str, str | int]:
    """`account_stream`: where the account's news continue after those that this page was drawn from; `unread` notices."""
    if not request.user.is_authenticated:
        return {}
    topic = news.of_user(request.user.pk)
    return {
        "account_stream": f"?t={topic}&after={topic}={news.last_seqs([topic])[topic]}",
        "unread": inbox.unread(request.user),
    }
