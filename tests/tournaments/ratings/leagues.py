"""Generated bot leagues with known strengths."""

from __future__ import annotations

import numpy as np

from tournaments.ratings.bradley_terry import PairTable


def league(players: int, games: int, *, more: int = 0) -> PairTable:
    """A pool of games by Rao and Kupper's model: spread 200, first side's advantage 35, draw threshold 97 raw Elo."""
    rng = np.random.default_rng(players + games)
    unit = np.log(10) / 400
    strengths = rng.normal(0, 200, players) * unit
    total = games + 1_000  # so that `more` adds games and changes none
    first = rng.integers(0, players, total)
    second = (first + rng.integers(1, players, total)) % players
    d = strengths[first] - strengths[second] + 35 * unit
    chance = rng.random(total)
    win = 1 / (1 + np.exp(97 * unit - d))
    loss = 1 / (1 + np.exp(97 * unit + d))
    outcome = np.where(chance < win, 0, np.where(chance < 1 - loss, 1, 2))
    all_games = games + more
    cells = (first * players + second)[:all_games] * 3 + outcome[:all_games]
    counts = np.bincount(cells, minlength=3 * players * players).reshape(-1, 3)
    pairs = np.flatnonzero(counts.any(axis=1))
    names = tuple(f"bot{n:05}" for n in range(players))
    return PairTable(names, pairs // players, pairs % players, *counts[pairs].T.copy())
