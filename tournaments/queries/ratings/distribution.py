"""The distribution of a pool's ratings, and the place of one player in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F
from django.db.models.lookups import LessThan

from tournaments.models import Player, Pool
from tournaments.queries.ratings import leaderboard

STEP_ELO = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A player's rating among the pool's, how many are below it, and whether it is a guess yet."""

    centielo: int
    below: int
    is_provisional: bool = False


@dataclass(frozen=True, slots=True)
class Distribution:
    """Players of a pool by rating, in steps of `STEP_ELO` points, and the reader's own place."""

    players: int
    steps: Mapping[int, int]
    place: Place | None

    @property
    def percent_below(self) -> int | None:
        """Return the share of the other players below the reader, in percent, or None without others."""
        if self.place is None or self.players < 2:
            return None
        return round(100 * self.place.below / (self.players - 1))


def distribution(pool: Pool, player: Player | None, now: datetime) -> Distribution:
    """The spread of the published ratings, with the place of `player` if rated."""
    mine = leaderboard.place_of(player, pool, now) if player else None
    own = mine[0] if mine else None
    steps, below = _counted(pool, own)
    place = None if mine is None else Place(mine[0], below, mine[1])
    return Distribution(sum(steps.values()), steps, place)


def _counted(pool: Pool, own: int | None) -> tuple[Mapping[int, int], int]:
    """Return the players in each step, and the number below `own`, counted by the database if it has the ratings."""
    rows = leaderboard.stored_figures(pool)
    if rows is None:
        figures = leaderboard.figures_of(pool).values()
        steps = Counter(centielo // (100 * STEP_ELO) * STEP_ELO for centielo in figures)
        return steps, sum(centielo < own for centielo in figures) if own is not None else 0
    by_step = rows.values(step=F("figure") / (100 * STEP_ELO)).annotate(players=Count("pk"))
    below = rows.filter(LessThan(F("figure"), own)).count() if own is not None else 0
    return {
        step * STEP_ELO: players for step, players in by_step.values_list("step", "players")
    }, below
