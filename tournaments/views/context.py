"""What every page knows of whoever asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.services import inboxes, news
from tournaments.views import settings

if TYPE_CHECKING:
    from django.http import HttpRequest


def liking(request: HttpRequest) -> dict[str, settings.Settings]:
    """`liking`: how whoever asks likes pages and boards."""
    return {"liking": settings.of(request)}


def account(request: HttpRequest) -> dict[str, str | int]:
    """`account_stream`: where the account's news continue after those that this page was drawn from; `unread` notices."""
    if not request.user.is_authenticated:
        return {}
    topic = news.of_user(request.user.pk)
    return {
        "account_stream": f"?t={topic}&after={topic}={news.reached([topic])[topic]}",
        "unread": inboxes.unread(request.user),
    }
