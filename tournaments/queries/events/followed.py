"""The games and events of the players whom a player follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from tournaments.models import Entry, Event, Game, Player, User
from tournaments.models.games import GameQuerySet
from tournaments.queries.events import conditions

MOST = 20


@dataclass(frozen=True, slots=True)
class Activity:
    """The latest games and entries of the followed players that the follower may see.

    Attributes:
        players: the followed players, by name.
        ongoing: their games in progress, the latest first.
        ended: their finished games, the latest first.
        entries: their entries in events that are open, the latest first.
    """

    players: Sequence[Player]
    ongoing: Sequence[Game]
    ended: Sequence[Game]
    entries: Sequence[Entry]


def activity(player: Player, user: User | None) -> Activity:
    """Return the activity of those whom `player` follows."""
    followed = Player.objects.filter(pk__in=player.follows.values("followed"))
    visible = conditions.visible(Event.objects.listed().open(), user)
    entered = Entry.objects.filter(player__in=followed.values("pk"), event__in=visible)
    entered = entered.exclude(state=Entry.State.WITHDRAWN).select_related("player", "event")
    return Activity(
        list(followed.select_related("bot__owner__player").order_by("canonical")),
        list(_games(player, Game.objects.ongoing(), user).order_by("-pk")[:MOST]),
        list(_games(player, Game.objects.finished(), user).order_by("-ended_at")[:MOST]),
        list(entered.order_by("-entered_at")[:MOST]),
    )


def ongoing(player: Player, user: User | None, most: int) -> list[Game]:
    """Return the latest games in progress of those whom `player` follows."""
    if not player.follows.exists():
        return []
    return list(_games(player, Game.objects.ongoing(), user).order_by("-pk")[:most])


def _games(player: Player, games: GameQuerySet, user: User | None) -> GameQuerySet:
    followed = player.follows.values("followed")
    theirs = games.filter(Q(first__in=followed) | Q(second__in=followed))
    return conditions.visible_games(theirs, user).with_players()
