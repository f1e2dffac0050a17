"""Positions for posters and for the figures of the rules pages."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

_POSTERS = {
    "morelli": ("morelli(size=9)", 14),
    "morlox": ("morlox(size=9)", 34),
    "perfect": ("perfect()", 96),
}


def poster(family: str) -> games.Position:
    """A position in the middle of a game, always the same, that shows what the game looks like."""
    key, plies = _POSTERS[family]
    rng = random.Random(7)
    position = games.load(key).initial(seed=7)
    while position.ply < plies and position.outcome() is None:
        position = position.play(position.random_move(rng))
    return position


def of_rules(family: str) -> Mapping[str, SafeString]:
    """The figures of a game's rules page by name."""
    return {}
