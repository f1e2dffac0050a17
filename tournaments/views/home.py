"""The front page: three doors and a live board for guests, and the waiting games for players."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import games
from games import svg
from tournaments import database_time
from tournaments.models import Challenge, Event, Game, StaffMember, User
from tournaments.queries import puzzles as puzzle_queries
from tournaments.queries.events import conditions, festivals
from tournaments.services import demo
from tournaments.services.events import entries
from tournaments.services.matches import matches
from tournaments.services.notifications import news
from tournaments.views import preferences, puzzles
from tournaments.views.access import player_of, user_of
from tournaments.views.games import board_cards, boards
from tournaments.views.rules import figures

_LIST_LENGTH = 6
_LIVE = 3
# Facts without news, such as the time since a game ended, are right after this number of seconds.
_LASTS_S = 10


def _my_events(user: User) -> QuerySet[Event]:
    """Return the open events that the user organises or helps with."""
    helps = StaffMember.objects.filter(user=user).values("event")
    mine = Event.objects.open().filter(Q(organiser=user) | Q(pk__in=helps))
    return entries.with_playing(mine)[:_LIST_LENGTH]


@dataclass(frozen=True, slots=True)
class _KeptPage:
    """The page as visitors see it, the last news before it, and when it was drawn by this process's clock."""

    last_news: int
    drawn_at_s: float
    content: bytes


def home(request: HttpRequest) -> HttpResponse:
    """Return the front page. For visitors it is drawn again after news, at most once a second.

    The stream that the page opens tells it of events within that second.
    """
    if not _is_anybody(request):
        return _drawn(request)
    words = (request.get_host(), request.scheme, get_language(), preferences.of(request))
    key = "front-page-" + hashlib.sha256(repr(words).encode()).hexdigest()
    page: _KeptPage | None = cache.get(key)
    age_s = 0.0 if page is None else time.monotonic() - page.drawn_at_s
    if page is not None and age_s < settings.FRONT_PAGE_LAG_S:
        return HttpResponse(page.content)
    last_news = news.latest()
    if page is not None and page.last_news == last_news and age_s < _LASTS_S:
        return HttpResponse(page.content)
    response = _drawn(request)
    if not request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):
        cache.set(key, _KeptPage(last_news, time.monotonic(), response.content), _LASTS_S)
    return response


def _is_anybody(request: HttpRequest) -> bool:
    """Return whether the page is equal for all requests in these words."""
    is_plain = request.method in ("GET", "HEAD") and not request.GET
    return is_plain and preferences.has_common_cookies(request)


def _drawn(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    live_games = _live_games(request)
    look = preferences.of(request).look
    user = user_of(request)
    events = entries.with_playing(conditions.visible(Event.objects.all(), user))
    context: dict[str, Any] = {
        "player": player,
        "demo_is_loading": demo.is_loading(database_time.now()),
        "live_games": [board_cards.card(game, look) for game in live_games],
        "live_stream": board_cards.stream(live_games),
        "events": events.filter(section=None).open()[:_LIST_LENGTH],
        "festivals": festivals.current(user)[:_LIST_LENGTH],
        "my_events": _my_events(user) if user is not None else [],
        "recent_games": conditions.visible_games(
            Game.objects.finished().with_players().order_by("-ended_at"), user
        )[:_LIST_LENGTH],
    }
    daily = puzzle_queries.of_the_day(games.available()[0].name, database_time.now())
    if daily is not None:
        context["daily"] = puzzles.context_of(request, daily)
    if player is None:
        context |= _front_game(look)
    else:
        mine = list(Game.objects.ongoing().with_players().of(player).order_by("deadline_at"))
        my_turn = [g for g in mine if g.side_of(player) == g.side_to_move]
        context["my_turn"] = len(my_turn)
        context["my_boards"] = [board_cards.card(game, look) for game in my_turn[:_LIST_LENGTH]]
        context["my_other_turns"] = my_turn[_LIST_LENGTH:]
        context["waiting"] = [g for g in mine if g.side_of(player) != g.side_to_move]
        context["challenges"] = (
            Challenge.objects.open()
            .visible_to(player)
            .filter(opponent=player)
            .select_related("challenger", "opponent")
        )
    return render(request, "home.html", context)


def _front_game(look: svg.Look) -> dict[str, Any]:
    """The game that visitors see first: its name, a position of it, and some of its rules."""
    family = games.available()[0]
    pictures = figures.of_rules(family.name, look)
    return {
        "front_game": family.presentation.name,
        "poster": boards.draw(figures.poster(family.name), look=look, id_prefix="poster"),
        "highlights": [
            (pictures[highlight.figure].picture, _(highlight.sentence))
            for highlight in family.presentation.highlights
        ],
    }


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
