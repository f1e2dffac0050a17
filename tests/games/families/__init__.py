"""Facts about each family for tests.

A module `NAME.py` has `symmetries(seed)`, pairs of starts that are images of each other. It also
has `CLAIMS`: for each figure of the rules page a function that asks the rules whether its caption
is true.
"""

from __future__ import annotations

import importlib
from typing import Any


def of(family: str) -> Any:
    """Return the module about that family. A family without one is not tested yet."""
    return importlib.import_module(f"tests.games.families.{family}")
