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
    """The levels there are, weakest first, each with one bot; for a player with rated games against bots one is recommended.

    Built-in engines have a known order: any legal move, what looks best at once, and searches by the time they take.
    """
    bots = Player.objects.bots().filter(bot__is_active=True, bot__program=None)
    found: dict[tuple[int, int], Player] = {}
    for bot in bots.select_related("bot").order_by("pk"):
        found.setdefault(_strength(bot.bot.engine), bot)
    ordered = [found[strength] for strength in sorted(found)]
    advised = _advised(ordered, player)
    return [Level(number, bot, bot == advised) for number, bot in enumerate(ordered, start=1)]


def _strength(engine: str) -> tuple[int, int]:
    searched = _SEARCH.fullmatch(engine)
    if searched:
        return 2, int(searched[1])
    return (0, 0) if engine == "random" else (1, 0)


def _advised(ordered: Sequence[Player], player: Player | None) -> Player | None:
    """The bot whose ratings are nearest to the player's, in the pools where people meet bots; the second for a newcomer."""
    if player is None or not ordered:
        return None
    rated = Rating.objects.filter(pool__kind=Pool.Kind.MIXED)
    own = dict(rated.filter(player=player).values_list("pool_id", "centielo"))
    if not own:
        return ordered[min(1, len(ordered) - 1)]
    distances: dict[int, list[int]] = {}
    for bot_id, pool_id, centielo in rated.filter(pool__in=own, player__in=ordered).values_list(
        "player_id", "pool_id", "centielo"
    ):
        distances.setdefault(bot_id, []).append(abs(centielo - own[pool_id]))
    best = round(sum(own.values()) / len(own))
    guess = [abs(INITIAL_CENTIELO - best)]
    return min(ordered, key=lambda bot: min(distances.get(bot.pk, guess)))
