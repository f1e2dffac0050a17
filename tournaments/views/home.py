"""The front page: a puzzle and the games for visitors, the dashboard for players, and live boards."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

import games
from tournaments import database_time
from tournaments.models import Event, Game
from tournaments.queries import puzzles as puzzle_queries
from tournaments.queries.events import conditions, festivals, open_events
from tournaments.services import demo
from tournaments.services.events import entries
from tournaments.services.matches import matches
from tournaments.services.notifications import until_news
from tournaments.views import dashboard, preferences, puzzles
from tournaments.views.access import player_of, user_of
from tournaments.views.games import board_cards
from tournaments.views.rules import cards

_LIVE = 3


def home(request: HttpRequest) -> HttpResponse:
    """Return the front page. For visitors it is drawn again after news, at most once a second.

    The stream that the page opens tells it of events within that second.
    """
    if not _is_anybody(request):
        return _drawn(request)
    words = (request.get_host(), request.scheme, get_language(), preferences.of(request))
    key = "front-page-" + hashlib.sha256(repr(words).encode()).hexdigest()
    content = until_news.recall(
        key,
        lambda: _drawn(request).content,
        keeps=lambda: not request.META.get("CSRF_COOKIE_NEEDS_UPDATE"),
    )
    return HttpResponse(content)


def _is_anybody(request: HttpRequest) -> bool:
    """Return whether the page is equal for all requests in these words."""
    is_plain = request.method in ("GET", "HEAD") and not request.GET
    return is_plain and preferences.has_common_cookies(request)


def _drawn(request: HttpRequest) -> HttpResponse:
    player, user = player_of(request), user_of(request)
    now, look = database_time.now(), preferences.of(request).look
    live_games = _live_games(request)
    context: dict[str, Any] = {
        "player": player,
        "demo_is_loading": demo.is_loading(now),
        "live_games": [board_cards.card(game, look) for game in live_games],
        "live_stream": board_cards.stream(live_games),
        "festivals": festivals.current(user)[: dashboard.LIST_LENGTH],
        "recent_games": conditions.visible_games(
            Game.objects.finished().with_players().order_by("-ended_at"), user
        )[: dashboard.LIST_LENGTH],
    }
    daily = puzzle_queries.of_the_day(games.available()[0].name, now)
    if daily is not None:
        context["daily"] = puzzles.context_of(request, daily)
    if player is None:
        context["cards"] = cards.of_all(look)
    else:
        context |= dashboard.context(player, user, look, now)
    entered_ids = {row.event.pk for row in context.get("entered_events", [])}
    listed = conditions.visible(Event.objects.listed(), user).filter(section=None, occurrence=None)
    rows = open_events.rows(entries.with_playing(listed), now)
    others = [row for row in rows if row.event.pk not in entered_ids]
    context["events"] = others[: dashboard.LIST_LENGTH]
    return render(request, "home.html", context)


@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The boards that are being played, as they are now."""
    look = preferences.of(request).look
    cards = [board_cards.card(game, look) for game in _live_games(request)]
    return render(request, "games/_live_boards.html", {"live_games": cards})


def _live_games(request: HttpRequest) -> Sequence[Game]:
    """Games of others than the visitor to watch: exhibitions first, then the latest.

    Exhibitions that are over begin again.
    """
    matches.ask_for_exhibitions()
    games_of_others = Game.objects.ongoing().with_players().not_of(player_of(request))
    under_way = conditions.visible_games(games_of_others, user_of(request)).filter(ply__gt=0)
    return list(under_way.order_by("-match__pace_ms", "-pk")[:_LIVE])
