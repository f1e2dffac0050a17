"""The built-in bots by strength: opponents of a chosen level, available immediately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from django.db.models import QuerySet

from engine.players import create as engine_of
from tournaments import database_time
from tournaments.models import Bot, Player, Pool, Rating, statements
from tournaments.queries.clocks import game_clocks
from tournaments.queries.ratings import certainty, ledger, pools
from tournaments.ratings.systems import read

# The recommendation for a player without a rating: not the weakest, so that the first game is a
# real one.
_FIRST_LEVEL = 2


@dataclass(frozen=True, slots=True)
class Level:
    """One level.

    Attributes:
        number: from 1, the weakest, to `count`.
        bot: the bot that plays it.
        rating: that of the bot in the requested game and time class, else in another time class, or
            None while it is provisional.
    """

    number: int
    count: int
    bot: Player
    rating: Rating | None = None
    is_recommended: bool = False


def levels(
    player: Player | None, *, ruleset: str, clock: game_clocks.Clock | None = None
) -> Sequence[Level]:
    """Return the levels, weakest first, each with one bot. One is recommended.

    It is the one for `player` in the game of `ruleset`, with the ratings of the time class of
    `clock` before those of others. For None it is the level for a newcomer.

    They are the kernel's levels. A site without them offers its built-in bots, whose engines have a
    known order (`engine.players`).
    """
    weakest_first = _bots_by_strength()
    bots = list(weakest_first.values())
    own_pools = pools.pools_of_game(ruleset, Pool.Kind.MIXED)
    if clock is not None and not clock.kind.is_unlimited:
        time_class = pools.time_class(clock.initial_ms, clock.increment_ms)
        own_pools.sort(key=lambda pool: pool.time_class != time_class)
    ratings = _ratings_of(bots)
    recommendation = _recommendation(bots, ratings, player, own_pools)
    return [
        Level(
            number,
            max(weakest_first),
            bot,
            _certain_rating(ratings[bot.pk], own_pools),
            bot == recommendation,
        )
        for number, bot in weakest_first.items()
    ]


def level_of(bot: Bot) -> int | None:
    """Return the level of a built-in bot, or None for others."""
    return engine_of(bot.engine).level if bot.engine and not bot.is_remote else None


def _bots_by_strength() -> dict[int, Player]:
    """One bot of each level by its number, the weakest first."""
    by_strength: dict[tuple[int, int], Player] = {}
    by_level: dict[int, Player] = {}
    for player in _built_in.all():
        engine = engine_of(player.bot.engine)
        by_strength.setdefault(engine.strength, player)
        if engine.level is not None:
            by_level.setdefault(engine.level, player)
    if by_level:
        return {number: by_level[number] for number in sorted(by_level)}
    weakest_first = (by_strength[strength] for strength in sorted(by_strength))
    return dict(enumerate(weakest_first, start=1))


@statements.query
def _built_in() -> QuerySet[Player]:
    """Return the bots of the site, for which each page with levels asks."""
    rows = Player.objects.of_workers().filter(bot__is_active=True, bot__program=None)
    return rows.select_related("bot").order_by("pk")


def _recommendation(
    weakest_first: Sequence[Player],
    ratings: Mapping[int, Mapping[int, Rating]],
    player: Player | None,
    own_pools: Sequence[Pool],
) -> Player | None:
    """Return the strongest bot whose rating is not above the certain part of the player's.

    The certain part is the rating less one deviation: one lucky win does not lead to the strongest
    bot. If all are above it, return the weakest rated one. For a player or for bots without a
    rating, return the second weakest.
    """
    certain = _certain_centielo(player, own_pools)
    rated = [bot for bot in weakest_first if ratings[bot.pk]]
    if certain is None or not rated:
        return weakest_first[:_FIRST_LEVEL][-1] if weakest_first else None
    fitted = _in_order([_centielo(ratings[bot.pk], own_pools) for bot in rated])
    within = [pair for pair in zip(rated, fitted, strict=True) if pair[1] <= certain]
    # The first of several bots of one strength.
    return max(within, key=lambda pair: pair[1])[0] if within else rated[0]


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


def _certain_centielo(player: Player | None, own_pools: Sequence[Pool]) -> int | None:
    """The player's rating less its deviation, in the first of the pools that has one."""
    if player is None:
        return None
    rows = {row.pool_id: row for row in _ratings_of_player.all(player=player.pk)}
    row = _first_rating(rows, own_pools)
    if row is None:
        return None
    current = read(ledger.standing(row), database_time.now())
    return current.rating_centielo - current.deviation_centielo


@statements.query
def _ratings_of_player(player: int) -> QuerySet[Rating]:
    return Rating.objects.filter(player=player)


def _ratings_of(bots: Sequence[Player]) -> Mapping[int, Mapping[int, Rating]]:
    """The ratings of bots among people, of each by pool."""
    by_bot: dict[int, dict[int, Rating]] = {bot.pk: {} for bot in bots}
    for row in _ratings_among_people.all():
        if row.player_id in by_bot:
            by_bot[row.player_id][row.pool_id] = row
    return by_bot


@statements.query
def _ratings_among_people() -> QuerySet[Rating]:
    """Return the ratings of the bots of the site."""
    rows = Rating.objects.filter(pool__kind=Pool.Kind.MIXED, games__gt=0)
    built_in = rows.filter(player__kind=Player.Kind.BOT, player__bot__program=None)
    return built_in.select_related("pool")


def _first_rating(ratings: Mapping[int, Rating], own_pools: Sequence[Pool]) -> Rating | None:
    """The rating in the first of the pools that has one."""
    return next((ratings[pool.pk] for pool in own_pools if pool.pk in ratings), None)


def _certain_rating(ratings: Mapping[int, Rating], own_pools: Sequence[Pool]) -> Rating | None:
    """Return the first rating unless it is provisional."""
    row = _first_rating(ratings, own_pools)
    if row is None or certainty.of_rating(row, database_time.now()).is_provisional:
        return None
    return row


def _centielo(ratings: Mapping[int, Rating], own_pools: Sequence[Pool]) -> int:
    """The rating of the first of the pools that has one, else the mean of all others."""
    own = _first_rating(ratings, own_pools)
    return own.centielo if own else round(mean(row.centielo for row in ratings.values()))
