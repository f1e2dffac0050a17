"""How a pool's ratings are spread, and where one of them stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F

from tournaments.models import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Player, Pool

STEP_ELO = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A player's rating among the pool's, and how many are below it."""

    centielo: int
    below: int


@dataclass(frozen=True, slots=True)
class Distribution:
    """Players of a pool by rating: how many in each step of `STEP_ELO` points, by its lower end, and one's own place."""

    players: int
    steps: Mapping[int, int]
    place: Place | None


def distribution(pool: Pool, player: Player | None) -> Distribution:
    """The spread of the pool's ratings, counted by the database, with the place of `player` if rated."""
    width = STEP_ELO * 100
    ratings = Rating.objects.filter(pool=pool)
    rows = (
        ratings.order_by()
        # Of a remainder and not of a quotient: databases divide whole numbers each in their own way.
        .annotate(step=F("centielo") - F("centielo") % width)
        .values_list("step")
        .annotate(players=Count("pk"))
    )
    steps = {step // 100: players for step, players in rows}
    return Distribution(sum(steps.values()), steps, _place(pool, player))


def _place(pool: Pool, player: Player | None) -> Place | None:
    mine = Rating.objects.filter(pool=pool, player=player).first() if player else None
    if mine is None:
        return None
    below = Rating.objects.filter(pool=pool, centielo__lt=mine.centielo).count()
    return Place(mine.centielo, below)
