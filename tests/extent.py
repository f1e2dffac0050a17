"""The part of a long list that one run looks at: a part, another with each seed, or all of it under `--all`."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

Item = TypeVar("Item")
# Examples of a law in the profile of `--all` (`tests/conftest.py`).
WHOLE = 100


def is_whole() -> bool:
    """Return whether this run looks at everything."""
    return settings().max_examples >= WHOLE


def drawn(items: Sequence[Item], part: float) -> list[Item]:
    """Return, under `--all`, all `items`, else this part of them, between 0 and 1, in their order.

    The draw is that of the run's seed, which pytest-randomly prints: `--randomly-seed=N` draws it
    again.
    """
    if is_whole():
        return list(items)
    chosen = sorted(random.sample(range(len(items)), max(1, round(len(items) * part))))
    return [items[k] for k in chosen]
