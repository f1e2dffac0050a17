"""The advantage of the first side in each game, in hundredths of an Elo point.

It is part of the formula of casual ratings.
"""

from __future__ import annotations

# Measured with our own players against themselves, at random set-ups: at Morlox the one who begins
# as Black won 246 of 400 games of `greedy` and 81 of 120 of a search of 60 nodes (82 and 127 Elo,
# +-35 and 65), at Morelli 373 and lost 391 of 800. Nothing is known of The Perfect Game?. Another
# number is another formula: it needs a new name in `glicko2.FORMULA`.
_CENTIELO = {"morelli": 0, "morlox": 80_00, "perfect": 0}


def advantage_centielo(ruleset: str) -> int:
    """What moving first is worth in games of this rule set, by its key."""
    return _CENTIELO[ruleset.partition("(")[0]]
