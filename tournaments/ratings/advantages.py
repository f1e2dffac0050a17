"""The advantage of the first side in each game, in hundredths of an Elo point.

It is part of the formula of casual ratings: the presentation of each game has its number, and its
source.
"""

from __future__ import annotations

import games


def advantage_centielo(ruleset: str) -> int:
    """Return the value of moving first in games of this rule set, by its key."""
    return games.family_of(ruleset).presentation.first_side_centielo
