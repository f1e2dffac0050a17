"""The distribution of a pool's ratings, and the place of one player in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Player
    from tournaments.services.ratings.leaderboard import Published

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


def distribution(rows: Sequence[Published], player: Player | None) -> Distribution:
    """The spread of the published ratings, with the place of `player` if rated."""
    steps = Counter(row.centielo // (100 * STEP_ELO) * STEP_ELO for row in rows)
    own = player.pk if player else None
    mine = next((row for row in rows if row.rating.player_id == own), None)
    place = None
    if mine is not None:
        below = sum(row.centielo < mine.centielo for row in rows)
        place = Place(mine.centielo, below, mine.is_provisional)
    return Distribution(len(rows), steps, place)
