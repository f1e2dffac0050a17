"""What the first side is worth in each game, in hundredths of an Elo point: part of the formula of casual ratings."""

from __future__ import annotations

# Of the name of `glicko2.FORMULA`: another number is another formula.
_CENTIELO = {"morelli": 0, "morlox": 0, "perfect": 0}


def advantage_centielo(ruleset: str) -> int:
    """What moving first is worth in games of this rule set, by its key."""
    return _CENTIELO[ruleset.partition("(")[0]]
