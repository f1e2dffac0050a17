"""The sealed vote on the set-up in Morelli's original edition (2.5)."""

from __future__ import annotations

import random

import games
from games.morelli.setup import MODES
from tournaments.services.errors import RefusedError


def ruleset_by_ballot(ruleset: str, vote: str) -> str:
    """The key of the same rules with the set-up left to a ballot.

    Raises RefusedError `vote-bad`.
    """
    rules = games.load(ruleset)
    if vote not in MODES or rules.options.get("edition") != "original":
        raise RefusedError("vote-bad", f"{vote[:20]!r} in {ruleset}")
    options = ",".join(f"{k}={v}" for k, v in (dict(rules.options) | {"setup": "ballot"}).items())
    return games.load(f"{rules.family}({options})").key


def setup_by_votes(ruleset: str, first: str, second: str) -> str:
    """The set-up two votes settle: the same for one mode, the third for two.

    Raises RefusedError `vote-bad`.
    """
    if first not in MODES or second not in MODES:
        raise RefusedError("vote-bad", f"{first[:20]!r} and {second[:20]!r}")
    rules = games.load(ruleset)
    return rules.setup_text(rules.initial(votes=f"{first}/{second}"))


def random_vote(seed: int) -> str:
    """How a bot votes: each mode as likely as the others."""
    return random.Random(seed).choice(MODES)
