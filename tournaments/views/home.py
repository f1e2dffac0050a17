"""The front page: a puzzle and the games for visitors, the dashboard for players, and live boards."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

import games
from games import svg
from tournaments import database_time
from tournaments.models import Event, Game, Player, Puzzle, User
from tournaments.queries import puzzles as puzzle_queries
from tournaments.queries.events import conditions, festivals, open_events
from tournaments.services import demo
from tournaments.services.matches import matches
from tournaments.services.notifications import until_news
from tournaments.views import common_lists, dashboard, preferences, puzzles
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
    context: dict[str, Any] = {"player": player, "demo_is_loading": demo.is_loading(now)}
    if player is None:
        context["cards"] = cards.of_all(look)
    else:
        context |= dashboard.context(player, user, look, now)
    entered_ids = {row.event.pk for row in context.get("entered_events", [])}
    lists = _lists(request, entered_ids, look, now)
    context |= {
        "live": lists.live,
        "events": lists.events,
        "latest": lists.latest,
        "daily": _daily_for(player, lists.daily, look),
    }
    return render(request, "home.html", context)


@dataclass(frozen=True, slots=True)
class _Live:
    """Boards of games to watch, drawn, with their stream and their players."""

    boards: SafeString
    stream: str
    player_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Events:
    """The list of open events and festivals, drawn, and the numbers of its events."""

    html: SafeString
    ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Daily:
    """The puzzle of the day, drawn."""

    puzzle_id: int
    name: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class _Lists:
    """Parts of the page that are equal for all readers of the same events."""

    live: _Live
    events: _Events
    latest: SafeString
    daily: _Daily | None


def _lists(
    request: HttpRequest, entered_ids: Collection[int], look: svg.Look, now: datetime
) -> _Lists:
    """Return these parts. For players a process keeps those without private events until there is news."""
    player, reader = player_of(request), conditions.reader_of_lists(user_of(request))
    # The page of visitors is kept whole. Older parts in it would outlive the news after them.
    if reader is not None or _is_anybody(request):
        return _drawn_lists(player, reader, entered_ids, look, now)
    lists = common_lists.recall(
        "front-lists", reader, lambda: _drawn_lists(None, reader, (), look, now), look
    )
    if player is not None and player.pk in lists.live.player_ids:
        lists = replace(lists, live=_live(player, reader, look))
    if not lists.events.ids.isdisjoint(entered_ids):
        lists = replace(lists, events=_events(reader, now, entered_ids))
    return lists


def _drawn_lists(
    player: Player | None,
    reader: User | None,
    entered_ids: Collection[int],
    look: svg.Look,
    now: datetime,
) -> _Lists:
    latest = Game.objects.finished().with_players().order_by("-ended_at")
    recent_games = conditions.visible_games(latest, reader)[: dashboard.LIST_LENGTH]
    daily = puzzle_queries.of_the_day(games.available()[0].name, now)
    return _Lists(
        _live(player, reader, look),
        _events(reader, now, entered_ids),
        render_to_string("games/_latest_results.html", {"recent_games": recent_games}),
        None if daily is None else _daily(None, daily, look),
    )


def _live(player: Player | None, reader: User | None, look: svg.Look) -> _Live:
    rows = _live_games(player, reader)
    boards = {"live_games": board_cards.cards(rows, look)}
    return _Live(
        render_to_string("games/_live_boards.html", boards),
        board_cards.stream(rows),
        frozenset(pk for game in rows for pk in (game.first_id, game.second_id)),
    )


def _events(reader: User | None, now: datetime, entered_ids: Collection[int]) -> _Events:
    """Return the list without the events in which the player is entered, who has a list of those."""
    listed = conditions.visible(Event.objects.listed(), reader)
    listed = listed.filter(section=None, occurrence=None)
    rows = open_events.rows(open_events.with_playing(listed), now)
    others = [row for row in rows if row.event.pk not in entered_ids][: dashboard.LIST_LENGTH]
    current = festivals.current(reader)[: dashboard.LIST_LENGTH]
    html = render_to_string("events/_list.html", {"events": others, "festivals": current})
    return _Events(html, frozenset(row.event.pk for row in others))


def _daily(player: Player | None, puzzle: Puzzle, look: svg.Look) -> _Daily:
    board = puzzles.context_for(player, puzzle, look)
    html = render_to_string("puzzles/_daily.html", {"board": board})
    return _Daily(puzzle.pk, board["name"], html)


def _daily_for(player: Player | None, daily: _Daily | None, look: svg.Look) -> _Daily | None:
    """Return the puzzle of the day for a player, who may have tried it."""
    if daily is None or player is None:
        return daily
    first = player.puzzle_tries.filter(puzzle=daily.puzzle_id).select_related("puzzle").first()
    return daily if first is None else _daily(player, first.puzzle, look)


@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The boards that are being played, as they are now."""
    look = preferences.of(request).look
    reader = conditions.reader_of_lists(user_of(request))
    cards = board_cards.cards(_live_games(player_of(request), reader), look)
    return render(request, "games/_live_boards.html", {"live_games": cards})


def _live_games(player: Player | None, reader: User | None) -> Sequence[Game]:
    """Games of others than the player to watch: exhibitions first, then the latest.

    Exhibitions that are over begin again.
    """
    matches.ask_for_exhibitions()
    games_of_others = Game.objects.ongoing().with_players().not_of(player)
    under_way = conditions.visible_games(games_of_others, reader).filter(ply__gt=0)
    return list(under_way.order_by("-match__pace_ms", "-pk")[:_LIVE])
