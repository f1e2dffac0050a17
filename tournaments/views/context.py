"""What every page knows of whoever is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.services import news

if TYPE_CHECKING:
    from django.http import HttpRequest


def account(request: HttpRequest) -> dict[str, str]:
    """`account_stream`: where the account's news continue after those that this page was drawn from."""
    if not request.user.is_authenticated:
        return {}
    topic = news.of_user(request.user.pk)
    return {"account_stream": f"?t={topic}&after={topic}={news.reached([topic])[topic]}"}
