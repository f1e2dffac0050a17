"""Small live boards on pages of events: the top boards of an event, and all boards of a match of teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments.models import Event, Game, Pairing, statements
from tournaments.models.events import MAX_BOARDS
from tournaments.views import preferences
from tournaments.views.games import board_cards

TOP_BOARDS = 4
# A stream has no more topics (`config.streams`).
_MOST_FOLLOWED = 10


def of_event(request: HttpRequest, event: Event, *, has_games: bool) -> dict[str, Any]:
    """Return the top boards for the template."""
    address = reverse("event-boards", args=[event.slug])
    games = _top_games(event) if has_games else []
    return _context(request, games, _("Top boards"), address)


def of_match(request: HttpRequest, event: Event, pairing: Pairing) -> dict[str, Any]:
    """Return the boards of a match of teams for the template: games in progress and games that are over."""
    query = urlencode({"match": pairing.pk})
    address = f"{reverse('event-boards', args=[event.slug])}?{query}"
    return _context(request, _of_match(event, pairing.pk), _("Boards of the match"), address)


def _context(
    request: HttpRequest, games: Sequence[Game], title: str, address: str
) -> dict[str, Any]:
    ongoing = [game for game in games if game.result is None]
    look = preferences.of(request).look
    return {
        "live_games": board_cards.cards(games, look),
        "live_stream": board_cards.stream(ongoing[:_MOST_FOLLOWED]) if ongoing else "",
        "live_title": title,
        "live_address": address,
    }


def boards(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the top boards of the event, or with `match` those of this match, as they are now."""
    match = request.GET.get("match", "")
    is_match = match.isascii() and match.isdigit() and len(match) <= 18
    rows = _of_match(event, int(match)) if is_match else _top_games(event)
    look = preferences.of(request).look
    cards = board_cards.cards(rows, look)
    return render(request, "games/_live_boards.html", {"live_games": cards})


def _top_games(event: Event) -> Sequence[Game]:
    """Return the games in progress on the first boards."""
    return _first_boards.all(event=event.pk)


@statements.query
def _first_boards(event: int) -> QuerySet[Game]:
    rows = Game.objects.ongoing().filter(pairing__event=event).with_players()
    return rows.order_by("pairing__board", "pk")[:TOP_BOARDS]


def _of_match(event: Event, pairing_id: int) -> Sequence[Game]:
    """Return the latest game of each board of a match, by boards. Over the board there is none to watch."""
    if not event.is_of_teams or event.is_over_the_board:
        return []
    games = Game.objects.filter(pairing=pairing_id, pairing__event=event).with_players()
    latest = {(game.number - 1) % event.boards: game for game in games.order_by("number")}
    return [latest[board] for board in sorted(latest)][:MAX_BOARDS]
