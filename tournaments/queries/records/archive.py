"""Finished games and players, searched and read a page at a time.

A page ends with the number from which the next one continues. The thousandth page costs as much as
the first, and no row is skipped or shown twice while games are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Prefetch, Q

from tournaments.models import Entry, Event, Game, Player, Rating
from tournaments.models.games import GameQuerySet
from tournaments.models.players import PlayerQuerySet, canonical_name

PAGE = 50


@dataclass(frozen=True, slots=True)
class Search:
    """The criteria of a search for games. An empty search finds all finished games.

    Attributes:
        family, size: a game by its name in keys, and the length of its side.
        player, opponent: the players at the board, on either side.
        result: `first`, `second` or `draw`; `won` and `lost` are of `player`.
        since, until: the days on which it ended, in UTC, both included.
    """

    family: str = ""
    size: int | None = None
    player: Player | None = None
    opponent: Player | None = None
    result: str = ""
    since: date | None = None
    until: date | None = None
    only_rated: bool = False


@dataclass(frozen=True, slots=True)
class GamePage:
    """Games, the latest begun first. `older` is the parameter of the next page, if there is one."""

    games: Sequence[Game]
    older: int | None


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """Players by name. `after` is the parameter of the next page, if there is one."""

    players: Sequence[Player]
    after: str | None


def page_of(selection: GameQuerySet, *, before: int | None = None, most: int = PAGE) -> GamePage:
    """At most `most` games of a selection, of those whose number is below `before`."""
    if before is not None:
        selection = selection.filter(pk__lt=before)
    rows = list(selection.order_by("-pk")[: most + 1])
    return GamePage(rows[:most], rows[most - 1].pk if len(rows) > most else None)


def games_of(search: Search) -> GameQuerySet:
    """All games of a search, with their players."""
    finished = Game.objects.finished().exclude(result=Game.Result.VOID)
    return finished.filter(_condition(search)).with_players()


def _condition(search: Search) -> Q:
    condition = Q()
    if search.family:
        condition &= Q(ruleset__startswith=f"{search.family}(")
    if search.size is not None:
        option = f"size={search.size}"
        condition &= Q(ruleset__contains=f"{option},") | Q(ruleset__contains=f"{option})")
    for player in (search.player, search.opponent):
        if player is not None:
            condition &= Q(first=player) | Q(second=player)
    if search.result in {"won", "lost"}:
        own, other = ("first", "second") if search.result == "won" else ("second", "first")
        as_first = Q(first=search.player, result__in=(own, f"{own}-forfeit"))
        as_second = Q(second=search.player, result__in=(other, f"{other}-forfeit"))
        condition &= as_first | as_second
    elif search.result:
        condition &= Q(result=search.result)
    if search.since is not None:
        condition &= Q(ended_at__date__gte=search.since)
    if search.until is not None:
        condition &= Q(ended_at__date__lte=search.until)
    if search.only_rated:
        condition &= Q(is_rated=True)
    return condition


def player_named(name: str) -> Player | None:
    """Return the player of this name, with any capitals and blanks, guests excluded."""
    return Player.objects.named().filter(canonical=canonical_name(name)).first()


def players_named_like(words: str) -> PlayerQuerySet:
    """Return all players whose name contains `words`, guests excluded."""
    return Player.objects.named().filter(canonical__contains=canonical_name(words))


def search_players(words: str, *, after: str = "", most: int = PAGE) -> PlayerPage:
    """Return players whose name contains `words` and comes after `after`, guests excluded.

    Accounts that organise events and have neither entered one nor played are found by a search for words alone.
    """
    ratings = Rating.objects.select_related("pool").order_by("-games")
    named = (
        players_named_like(words)
        .filter(canonical__gt=after)
        .select_related("bot__owner__player")
        .prefetch_related(Prefetch("ratings", ratings, to_attr="most_played"))
    )
    if not words:
        named = named.exclude(
            Exists(Event.objects.filter(organiser=OuterRef("user"))),
            ~Exists(Entry.objects.filter(player=OuterRef("pk"))),
            ~Exists(Game.objects.filter(first=OuterRef("pk"))),
            ~Exists(Game.objects.filter(second=OuterRef("pk"))),
        )
    rows = list(named.order_by("canonical")[: most + 1])
    return PlayerPage(rows[:most], rows[most - 1].canonical if len(rows) > most else None)
