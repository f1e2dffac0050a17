"""The rule sets in which the kernel is held against `games`: the conformance suite's, and the limits of sizes."""

from __future__ import annotations

import functools
import random

import games
from tests.games.rulesets import KEYS as MENUS

_LIMITS = (
    "morelli(size=9)",
    "morelli(size=15)",
    "morelli(size=17)",
    "morelli(size=31)",
    "morelli(edition=original,size=31)",
    "morlox(size=2)",
    "morlox(size=14,swap=on)",
    "morlox(size=15,swap=off)",
    "morlox(size=26)",
)
# A game that the kernel does not play, such as a new one, is ignored.
_FAMILIES = {key.partition("(")[0] for key in _LIMITS} | {"perfect"}
KEYS = [games.load(key).key for key in (*MENUS, *_LIMITS) if key.partition("(")[0] in _FAMILIES]
LARGE = [key for key in KEYS if games.load(key).size > 13]


def start(key: str, seed: int) -> games.Position:
    """Return a starting position of the rule set."""
    return games.load(key).initial(seed=seed)


@functools.lru_cache(maxsize=64)
def some_position(key: str, seed: int) -> games.Position:
    """Return a position of a random game, the first and the last among those that may come."""
    rng = random.Random(seed)
    positions = [start(key, seed)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].play(positions[-1].random_move(rng)))
    return rng.choice(positions)
