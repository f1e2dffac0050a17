"""The place of a version in its rating pools and in current events, with its next games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournaments.models import Bot, Event, Game, Match, Pool
from tournaments.queries.bots import bot_catalogue
from tournaments.queries.ratings import leaderboard
from tournaments.queries.ratings.leaderboard import Published

# The number of places on the page of a pool.
_RANKED = 1_000


@dataclass(frozen=True, slots=True)
class PoolPlace:
    """The place of a version in a pool.

    Attributes:
        published: its rating as the page of the pool has it; None beyond the first thousand.
        players: the number of players in the pool with a rated game.
    """

    pool: Pool
    published: Published | None
    players: int


@dataclass(frozen=True, slots=True)
class EventPlace:
    """A version in a current event.

    Attributes:
        next_game: the game in progress, else the game that waits longest for a worker; None if no
            game is drawn.
        waiting_since: the end of its last game there, or its entry; None during a game.
    """

    event: Event
    next_game: Game | None
    waiting_since: datetime | None


@dataclass(frozen=True, slots=True)
class BotStanding:
    """The places of a version."""

    pools: Sequence[PoolPlace]
    events: Sequence[EventPlace]


def standing_of(bot: Bot, now: datetime) -> BotStanding:
    """The places of the version at `now`, the most played pool and the latest entry first."""
    ratings = bot.player.ratings.filter(games__gt=0).select_related("pool").order_by("-games")
    pools = [_place(bot, rating.pool, now) for rating in ratings]
    return BotStanding(pools, _events(bot))


def _place(bot: Bot, pool: Pool, now: datetime) -> PoolPlace:
    rows = leaderboard.published(pool, now, _RANKED)
    own = next((row for row in rows if row.rating.player_id == bot.player_id), None)
    return PoolPlace(pool, own, pool.ratings.filter(games__gt=0).count())


def _events(bot: Bot) -> list[EventPlace]:
    places = []
    for entry in bot_catalogue.open_entries(bot):
        games = Game.objects.of(bot.player).filter(pairing__event=entry.event).with_players()
        open_games = games.ongoing().select_related("match", "first", "second")
        is_due = Q(match__isnull=True) | Q(
            match__state__in=[Match.State.QUEUED, Match.State.LEASED]
        )
        # `leased` comes before `queued`.
        current = open_games.filter(is_due).order_by("match__state", "match__due_at", "pk").first()
        is_playing = current is not None and (
            current.match is None or current.match.state == Match.State.LEASED
        )
        since = None
        if not is_playing:
            last = games.finished().order_by("-ended_at").values_list("ended_at", flat=True).first()
            since = last or entry.entered_at
        places.append(EventPlace(entry.event, current, since))
    return places
