"""Estimates of ratings: their standard errors, and the first rating of a new version of a bot."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection

from tournaments.models import Bot, Pool, Rating


def deviation_centielo(games: int) -> int:
    """Return the standard error of a rating from `games` games, in hundredths of a point.

    One game between equals tells p(1-p) = 1/4 about the difference in units of 400/ln 10 points:
    after n games its standard error is 2 x 400/ln 10 / sqrt(n).
    """
    return round(200 * 400 / math.log(10) / math.sqrt(max(1, games)))


def inherited_ratings(players: Collection[int], pool: Pool) -> dict[int, int]:
    """Return ratings of earlier versions, by which new versions of authors' bots are paired.

    The rating is that of the last earlier version that has games in the pool, in hundredths of an
    Elo point, by player, for `players` with such a version. It has the weight of one game: the
    version's own rating begins at the usual value.
    """
    new = Bot.objects.of_authors().filter(player__in=players)
    versions = list(new.values_list("player_id", "line_id", "version"))
    if not versions:
        return {}
    ratings = Rating.objects.filter(
        pool=pool, player__bot__line__in={line for _, line, _ in versions}
    )
    rated_versions = defaultdict(list)
    for line, version, centielo in ratings.values_list(
        "player__bot__line_id", "player__bot__version", "centielo"
    ):
        rated_versions[line].append((version or 0, centielo))
    centielo_by_player = {}
    for player, line, version in versions:
        earlier = [
            version_rating
            for version_rating in rated_versions[line]
            if version_rating[0] < (version or 0)
        ]
        if earlier:
            centielo_by_player[player] = max(earlier)[1]
    return centielo_by_player
