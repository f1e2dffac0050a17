"""The shared rating and match-statistics vectors. Their README gives the source of each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parents[2] / "data" / "ratings-vectors"


@cache
def vectors(name: str) -> dict[str, Any]:
    """One file of the folder, as it is."""
    return dict(json.loads((_FOLDER / f"{name}.json").read_text()))
