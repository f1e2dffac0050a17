"""The rule sets of the conformance suite: every menu, on the smallest and the default board."""

from __future__ import annotations

import itertools

import games
from games import registry


def keys_of(family: registry.Family) -> list[str]:
    """Return every combination of the family's menus, with two sizes and limits only, that makes a rule set."""
    menus = []
    for option in family.options:
        values = option.menu or (option.default,)
        if option.name in {"size", "limit"}:
            values = tuple(dict.fromkeys((option.menu[0], option.default)))
        menus.append([f"{option.name}={value}" for value in values])
    keys = [f"{family.name}({','.join(choice)})" for choice in itertools.product(*menus)]
    return [key for key in keys if _is_loadable(key)]


def _is_loadable(key: str) -> bool:
    try:
        games.load(key)
    except (
        games.UnknownOptionError
    ):  # options that exclude each other, such as Morelli's editions and set-ups
        return False
    return True


KEYS = [key for family in registry.available() for key in keys_of(family)]
# Larger or smaller than the menus offer, or the limits of a range.
KEYS += ["morelli(size=5)", "morelli(edition=original,size=5,setup=adjacent)"]
