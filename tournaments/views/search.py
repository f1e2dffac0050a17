"""The search for players, events and games that every page offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Club, Event, Festival, Game, Player, Series, User
from tournaments.queries.events import clubs, conditions, festivals, series
from tournaments.queries.records import archive
from tournaments.views.access import user_of

LENGTH = 80
MOST = 10
# The largest key of a row in the database.
_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Matches:
    """Rows with the words of a search, of each kind the first ones.

    Attributes:
        games: the game with that number, if it exists.
        has_more_players: whether further players have the words in their names.
    """

    players: Sequence[Player] = ()
    clubs: Sequence[Club] = ()
    events: Sequence[Event] = ()
    festivals: Sequence[Festival] = ()
    series: Sequence[Series] = ()
    games: Sequence[Game] = ()
    has_more_players: bool = False

    @property
    def is_empty(self) -> bool:
        """Return whether nothing has the words."""
        events = (*self.events, *self.festivals, *self.series)
        return not (self.players or self.clubs or events or self.games)


def find(words: str, user: User | None) -> Matches:
    """Return what `user` may see of the rows whose names contain `words`, or the game with that number."""
    if not words:
        return Matches()
    page = archive.search_players(words, most=MOST)
    listed = conditions.visible(Event.objects.listed(), user).filter(name__icontains=words)
    return Matches(
        page.players,
        list(clubs.listing(words)[:MOST]),
        list(listed.order_by("-pk")[:MOST]),
        list(festivals.without_figures(user).filter(name__icontains=words).order_by("-pk")[:MOST]),
        list(series.listing().filter(name__icontains=words).order_by("-pk")[:MOST]),
        _games(words.removeprefix("#"), user),
        page.after is not None,
    )


def _games(number: str, user: User | None) -> Sequence[Game]:
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS):
        return ()
    games = conditions.visible_games(Game.objects.filter(pk=int(number)), user)
    return list(games.with_players())


def search(request: HttpRequest) -> HttpResponse:
    """Return the players, the events and the game that the words name."""
    words = request.GET.get("q", "").strip()[:LENGTH]
    matches = find(words, user_of(request))
    return render(request, "search.html", {"words": words, "length": LENGTH, "matches": matches})
