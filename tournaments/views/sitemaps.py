"""The map of the site for search engines: public pages only, in files of bounded size.

Rows are divided by their numbers, so that a file costs one query by the primary key, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib.sitemaps import Sitemap, views
from django.core.paginator import EmptyPage, PageNotAnInteger
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

import games
from tournaments.models import Event, Game, Player, Rating
from tournaments.queries.events import conditions
from tournaments.text import help_pages
from tournaments.views.rules import course

# Numbers of rows that one file covers.
NUMBERS = 5_000
_KEPT_S = 3600
_STATIC = (
    *("home", "games", "learn", "puzzles", "events", "lobby", "watch", "players", "leaderboard"),
    *("bots", "archive", "analysis", "help", "about", "privacy", "contact"),
)
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class _File(Generic[M]):
    object_list: Sequence[M]


@dataclass(frozen=True, slots=True)
class _Files(Generic[M]):
    """The rows of a section in files. Acts as Django's paginator for its sitemap."""

    rows: QuerySet[M]

    @property
    def num_pages(self) -> int:
        last = self.rows.order_by("-pk").values_list("pk", flat=True).first() or 1
        return (int(last) - 1) // NUMBERS + 1

    def page(self, number: int | str) -> _File[M]:
        """Return one file, from 1. Raises EmptyPage, PageNotAnInteger."""
        if not str(number).isascii() or not str(number).isdigit():
            raise PageNotAnInteger(str(number))
        last = int(number) * NUMBERS
        if not 1 <= int(number) <= self.num_pages:
            raise EmptyPage(str(number))
        rows = self.rows.filter(pk__gt=last - NUMBERS, pk__lte=last).order_by("pk")
        return _File(list(rows))


class _Pages(Sitemap):  # type: ignore[type-arg]  # generic in its stubs only
    """Pages that exist on every site, by their paths."""

    def items(self) -> Sequence[str]:
        families = [family.name for family in games.available()]
        return [
            *(reverse(name) for name in _STATIC),
            *(reverse("rules", args=[family]) for family in families),
            *(reverse("course", args=[family]) for family in families),
            *(
                reverse("exercise", args=[family, name])
                for family in families
                for name in course.of_family(family)
            ),
            *(reverse("help-page", args=[name]) for name in sorted(help_pages.names())),
        ]

    def location(self, item: str) -> str:
        return item


class _Rows(Sitemap):  # type: ignore[type-arg]  # generic in its stubs only
    """Pages of rows, each with the time of its last change if that is known."""

    def __init__(self, rows: Callable[[], QuerySet[Model]], changed_at: str = "") -> None:
        self._rows = rows
        self._changed_at = changed_at

    @property
    def paginator(self) -> _Files[Model]:  # type: ignore[override]  # has what the sitemap asks for
        return _Files(self._rows())

    def lastmod(self, item: Model) -> datetime | None:
        return getattr(item, self._changed_at) if self._changed_at else None

    def get_latest_lastmod(self) -> None:
        """Return None, where Django would read all rows."""


def _events() -> QuerySet[Event]:
    return conditions.visible(Event.objects.listed(), None).only("slug")


def _players() -> QuerySet[Player]:
    rated = Rating.objects.filter(player=OuterRef("pk"), games__gt=0)
    return Player.objects.named().filter(Exists(rated)).only("pk")


def _games() -> QuerySet[Game]:
    return conditions.visible_games(Game.objects.finished(), None).only("ended_at")


_SECTIONS: dict[str, Any] = {
    "pages": _Pages(),
    "events": _Rows(_events),
    "players": _Rows(_players),
    "games": _Rows(_games, "ended_at"),
}
_cached_for_an_hour = cache_control(public=True, max_age=_KEPT_S)


@require_safe
@_cached_for_an_hour
def index(request: HttpRequest) -> HttpResponse:
    """Return the files of the map."""
    return views.index(request, _SECTIONS, sitemap_url_name="sitemap-section")


@require_safe
@_cached_for_an_hour
def section(request: HttpRequest, section: str) -> HttpResponse:
    """Return the addresses of one file, `?p=` of a section."""
    return views.sitemap(request, _SECTIONS, section)
