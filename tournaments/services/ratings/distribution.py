"""The distribution of a pool's ratings, and the place of one player in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.services.ratings import leaderboard

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.models import Player, Pool

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


def distribution(pool: Pool, player: Player | None, now: datetime) -> Distribution:
    """The spread of the published ratings, with the place of `player` if rated."""
    figures = leaderboard.figures_of(pool).values()
    steps = Counter(centielo // (100 * STEP_ELO) * STEP_ELO for centielo in figures)
    mine = leaderboard.place_of(player, pool, now) if player else None
    place = None
    if mine is not None:
        own, is_provisional = mine
        place = Place(own, sum(centielo < own for centielo in figures), is_provisional)
    return Distribution(len(figures), steps, place)
