"""A game in a frame on other sites, to look at only. No other page may be framed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.services.notifications import news
from tournaments.text import endings
from tournaments.views import csp, preferences
from tournaments.views.access import get_game
from tournaments.views.games import boards, record


@never_cache
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a game without any form."""
    return _page(request, pk, "games/embed.html")


@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the page that changes."""
    return _page(request, pk, "games/_embed.html")


def _page(request: HttpRequest, pk: int, template: str) -> HttpResponse:
    topic = news.of_game(pk)
    # Read before the game, as on the game's own page.
    reached = news.last_seq(topic)
    game = get_game(request, pk)
    view = boards.View.of(request.GET.dict(), preferences.of(request).look)
    page = boards.game_page(game, viewer=None, now=database_time.now(), view=view)
    context = {
        "page": page,
        "game": game,
        "cause": endings.cause(game, list(game.corrections.all())),
        "record": record.panel(game, page.plies, page.shown_ply),
        "stream": f"?t={topic}&after={topic}={reached}",
    }
    return csp.allow_frames(render(request, template, context))
