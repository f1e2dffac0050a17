"""The shared pairing corpus: four hundred rounds with the pairing that two other engines agree on."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).resolve().parents[2] / "data" / "pairing-corpus" / "cases.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Case:
    """A tournament before a round, and the boards of that round in order, the bye as opponent 0.

    None means impossible.
    """

    name: str
    round_number: int
    tags: frozenset[str]
    boards: tuple[tuple[int, int], ...] | None
    trf: str


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the file."""
    with gzip.open(_FILE, "rt", encoding="utf-8") as lines:
        return tuple(_case(line) for line in lines)


def _case(line: str) -> Case:
    data = json.loads(line)
    pairs = data["pairs"]
    boards = None if pairs is None else tuple((first, second) for first, second in pairs)
    return Case(data["name"], data["round"], frozenset(data["tags"]), boards, data["trf"])
