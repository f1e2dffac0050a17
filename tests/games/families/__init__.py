"""What tests must know of each family.

A module `NAME.py` has `symmetries(seed)`, pairs of starts that are images of each other, and
`CLAIMS`: for each figure of the rules page a function that asks the rules whether its caption is
so.
"""

from __future__ import annotations

import importlib
from typing import Any


def of(family: str) -> Any:
    """The module about that family; a family without one is not tested yet."""
    return importlib.import_module(f"tests.games.families.{family}")
