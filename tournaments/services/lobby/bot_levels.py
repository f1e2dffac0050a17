"""The built-in bots by strength: somebody to play at once, of a level one chooses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Player, Pool, Rating
from tournaments.ratings import INITIAL_CENTIELO

if TYPE_CHECKING:
    from collections.abc import Sequence

_SEARCH = re.compile(r"search:(\d+)")


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its number from 1, the weakest, and the bot that plays it."""

    number: int
    bot: Player
    is_recommended: bool = False


def levels(player: Player | None = None) -> Sequence[Level]:
    """The levels there are, weakest first, each with one bot.

    One is recommended to a player with rated games against bots.

    Built-in engines have a known order: any legal move, what looks best at once, and searches by
    the time they take.
    """
    bots = Player.objects.bots().filter(bot__is_active=True, bot__program=None)
    by_strength: dict[tuple[int, int], Player] = {}
    for bot in bots.select_related("bot").order_by("pk"):
        by_strength.setdefault(_strength(bot.bot.engine), bot)
    weakest_first = [by_strength[strength] for strength in sorted(by_strength)]
    recommendation = _recommendation(weakest_first, player)
    return [
        Level(number, bot, bot == recommendation)
        for number, bot in enumerate(weakest_first, start=1)
    ]


def _strength(engine: str) -> tuple[int, int]:
    match = _SEARCH.fullmatch(engine)
    if match:
        return 2, int(match[1])
    return (0, 0) if engine == "random" else (1, 0)


def _recommendation(weakest_first: Sequence[Player], player: Player | None) -> Player | None:
    """The bot whose ratings are nearest to the player's, the second for a newcomer.

    They are compared in the pools where people meet bots.
    """
    if player is None or not weakest_first:
        return None
    ratings = Rating.objects.filter(pool__kind=Pool.Kind.MIXED)
    own = dict(ratings.filter(player=player).values_list("pool_id", "centielo"))
    if not own:
        return weakest_first[min(1, len(weakest_first) - 1)]
    distances: dict[int, list[int]] = {}
    for bot_id, pool_id, centielo in ratings.filter(
        pool__in=own, player__in=weakest_first
    ).values_list("player_id", "pool_id", "centielo"):
        distances.setdefault(bot_id, []).append(abs(centielo - own[pool_id]))
    best = round(sum(own.values()) / len(own))
    guess = [abs(INITIAL_CENTIELO - best)]
    return min(weakest_first, key=lambda bot: min(distances.get(bot.pk, guess)))
