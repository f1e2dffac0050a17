"""The built-in bots by strength: somebody to play at once, of a level one chooses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from engine import players as engines
from tournaments.models import Player, Pool, Rating
from tournaments.ratings.glicko2 import Standing
from tournaments.ratings.systems import read
from tournaments.services import database_time
from tournaments.services.ratings import ledger, pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.services.clocks import game_clocks

# What is known of somebody without a rated game.
NEWCOMER = Standing()


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its number from 1, the weakest, and the bot that plays it."""

    number: int
    bot: Player
    is_recommended: bool = False


def levels(
    player: Player | None, *, ruleset: str, clock: game_clocks.Clock | None = None
) -> Sequence[Level]:
    """The levels there are, weakest first, each with one bot; one is recommended.

    It is the one for `player` in the game of `ruleset`, with the ratings of the time class of
    `clock` before those of others; for None the one for a newcomer.

    Built-in engines have a known order (`engine.players`).
    """
    bots = Player.objects.of_workers().filter(bot__is_active=True, bot__program=None)
    by_strength: dict[tuple[int, int], Player] = {}
    for bot in bots.select_related("bot").order_by("pk"):
        by_strength.setdefault(engines.create(bot.bot.engine).strength, bot)
    weakest_first = [by_strength[strength] for strength in sorted(by_strength)]
    own_pools = list(pools.pools_of_game(ruleset, Pool.Kind.MIXED))
    if clock is not None and not clock.kind.is_unlimited:
        time_class = pools.time_class(clock.initial_ms, clock.increment_ms)
        own_pools.sort(key=lambda pool: pool.time_class != time_class)
    recommendation = _recommendation(weakest_first, player, own_pools)
    return [
        Level(number, bot, bot == recommendation)
        for number, bot in enumerate(weakest_first, start=1)
    ]


def _recommendation(
    weakest_first: Sequence[Player], player: Player | None, own_pools: Sequence[Pool]
) -> Player | None:
    """The bot whose rating is nearest to what is certain of the player's.

    That is the rating less one deviation: one lucky win is not met by the strongest bot. Where no
    bot has a rating it is the weakest.
    """
    if not weakest_first:
        return None
    strength = _certain_centielo(player, own_pools)
    bot_ratings = _ratings_of_bots(weakest_first, own_pools)
    rated = [bot for bot in weakest_first if bot.pk in bot_ratings]
    if not rated:
        return weakest_first[0]
    fitted = _in_order([bot_ratings[bot.pk] for bot in rated])
    return min(zip(rated, fitted, strict=True), key=lambda pair: abs(pair[1] - strength))[0]


def _in_order(ratings: Sequence[int]) -> list[int]:
    """The ratings nearest to these that no stronger bot has less of than a weaker one.

    After a few games luck may have put a bot above those that are known to be stronger. Isotonic
    regression by pooling adjacent violators (Ayer et al. 1955), all weights equal.
    """
    groups: list[list[int]] = []
    for rating in ratings:
        groups.append([rating])
        while len(groups) > 1 and mean(groups[-2]) > mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    return [round(mean(group)) for group in groups for _ in group]


def _certain_centielo(player: Player | None, own_pools: Sequence[Pool]) -> int:
    """The player's rating less its deviation, in the first of the pools that has one."""
    own = {}
    if player is not None:
        rows = Rating.objects.filter(player=player, pool__in=own_pools)
        own = {row.pool_id: row for row in rows}
    for pool in own_pools:
        if pool.pk in own:
            current = read(ledger.standing(own[pool.pk]), database_time.now())
            return current.rating_centielo - current.deviation_centielo
    return NEWCOMER.rating_centielo - NEWCOMER.deviation_centielo


def _ratings_of_bots(bots: Sequence[Player], own_pools: Sequence[Pool]) -> dict[int, int]:
    """The ratings of bots: of the first of the pools that has one, else the mean of all others."""
    by_bot: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Rating.objects.filter(player__in=bots, pool__kind=Pool.Kind.MIXED, games__gt=0)
    for bot_id, pool_id, centielo in rows.values_list("player_id", "pool_id", "centielo"):
        by_bot[bot_id][pool_id] = centielo
    return {
        bot_id: next(
            (ratings[pool.pk] for pool in own_pools if pool.pk in ratings),
            sum(ratings.values()) // len(ratings),
        )
        for bot_id, ratings in by_bot.items()
    }
