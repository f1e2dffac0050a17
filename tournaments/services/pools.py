"""Rating pools: which games are rated together."""

from __future__ import annotations

from functools import lru_cache

import games
from tournaments.models import Pool


@lru_cache(maxsize=1024)  # asked for each of thousands of games at once
def key_of(ruleset_key: str) -> str:
    """The key of the pool of games played by this rule set: one a game, edition and board size."""
    ruleset = games.load(ruleset_key)
    parts = [ruleset.family]
    if "edition" in ruleset.options:
        parts.append(ruleset.options["edition"])
    if "size" in ruleset.options:
        parts.append(f"{ruleset.size}x{ruleset.size}")
    return "-".join(parts)


def pool_of(ruleset_key: str) -> Pool:
    """That pool. Made when it is the first."""
    ruleset = games.load(ruleset_key)
    pool, _ = Pool.objects.get_or_create(
        key=key_of(ruleset_key), defaults={"family": ruleset.family, "name": _name(ruleset)}
    )
    return pool


def name_of(ruleset_key: str) -> str:
    """The name of the pool of games played by this rule set, whether or not there has been a rated one."""
    return _name(games.load(ruleset_key))


def _name(ruleset: games.Ruleset) -> str:
    if ruleset.family == "perfect":
        return "The Perfect Game?"
    edition = " (original)" if ruleset.options.get("edition") == "original" else ""
    return f"{ruleset.family.capitalize()} {ruleset.size}×{ruleset.size}{edition}"
