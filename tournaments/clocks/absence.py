"""The absence after which the opponent of a player who has left may claim the game."""

from __future__ import annotations

from datetime import timedelta

# As on lichess: long enough for a new connection, and shorter than the clock of an absent player.
_LEAST, _MOST = timedelta(seconds=60), timedelta(seconds=180)


def claim_after(remaining_ms: int) -> timedelta:
    """Return the absence that allows a claim: a tenth of the absent player's time, within one and three minutes.

    `remaining_ms` is the player's clock at the start of the turn.
    """
    return min(max(_LEAST, timedelta(milliseconds=remaining_ms) / 10), _MOST)
