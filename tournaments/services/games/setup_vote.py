"""The sealed vote on the set-up in Morelli's original edition (2.5): both choose, then both are opened."""

from __future__ import annotations

import random

import games
from games.morelli.setup import MODES
from tournaments.services.errors import RefusedError


def ruleset_by_ballot(ruleset: str, vote: str) -> str:
    """The key of the same rules with the set-up left to a ballot. Raises RefusedError `vote-bad`."""
    loaded = games.load(ruleset)
    if vote not in MODES or loaded.options.get("edition") != "original":
        raise RefusedError("vote-bad", f"{vote[:20]!r} in {ruleset}")
    options = ",".join(f"{k}={v}" for k, v in (dict(loaded.options) | {"setup": "ballot"}).items())
    return games.load(f"{loaded.family}({options})").key


def setup_by_votes(ruleset: str, first: str, second: str) -> str:
    """The set-up two votes settle: the same for one mode, the third for two. Raises RefusedError `vote-bad`."""
    if first not in MODES or second not in MODES:
        raise RefusedError("vote-bad", f"{first[:20]!r} and {second[:20]!r}")
    loaded = games.load(ruleset)
    return loaded.setup_text(loaded.initial(votes=f"{first}/{second}"))


def vote_by_lot(seed: int) -> str:
    """How a bot votes: each mode as likely as the others."""
    return random.Random(seed).choice(MODES)
