"""Report files of older programs (TRF06) as TRF16: rulers, byes as results, teams in records 013."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.trf.players import FIRST_ROUND, WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping

# Lines that number the columns, and the line with the names of the columns.
_RULER = re.compile(r"\s[\s\d]*|\d{20,}\s*|DDD SSSS.*")
# A bye of TRF06 is a result without an opponent. A forfeit (+, -) without one is read as it is: in an event of teams it
# is that of an empty board.
_BYES = {"1": "F", "=": "H", "0": "Z"}
_FIRST_MEMBER, _MEMBER_WIDTH, _END_OF_NAME = 37, 5, 36
_TEAM_EVENT = re.compile(r"^092 .*\bteams?\b", re.IGNORECASE | re.MULTILINE)


class Adjustment(StrEnum):
    """A kind of change for an older file."""

    RULER = "ruler"  # left out
    BYE = "bye"  # by its worth
    TEAM = "team"  # a record 310 for each record 013 of an event of teams


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A file that `read` reads, and the numbers of the lines that were changed for it."""

    text: str
    lines: Mapping[Adjustment, list[int]] = field(default_factory=dict)


def adjusted(text: str) -> Adjusted:
    """Return the file with the changes that its age asks for. Its lines keep their numbers."""
    lines: dict[Adjustment, list[int]] = {}
    has_teams = _TEAM_EVENT.search(text) is not None and "\n310 " not in text
    rows, teams = text.split("\n"), 0
    for number, row in enumerate(rows):
        new, kind = row, Adjustment.RULER
        if row.startswith("001 "):
            new, kind = _with_byes(row), Adjustment.BYE
        elif row.startswith("013 ") and has_teams:
            teams += 1
            new, kind = _team(row, teams), Adjustment.TEAM
        elif row.strip() and _RULER.fullmatch(row):
            new = ""
        if new != row:
            rows[number] = new
            lines.setdefault(kind, []).append(number + 1)
    return Adjusted("\n".join(rows), lines)


def _with_byes(row: str) -> str:
    """Return the record of a player with byes in place of results without an opponent."""
    signs = list(row)
    for start in range(FIRST_ROUND - 1, len(row) - 7, WIDTH):
        opponent, result = row[start : start + 4].strip(), row[start + 7]
        if opponent in ("0000", "0") and result in _BYES:
            signs[start + 7] = _BYES[result]
    return "".join(signs)


def _team(row: str, number: int) -> str:
    """Return a record 310 of the name and the members of a record 013."""
    name = row[4:_END_OF_NAME].strip()
    members = [
        row[start : start + 4].strip().rjust(4)
        for start in range(_FIRST_MEMBER - 1, len(row), _MEMBER_WIDTH)
        if row[start : start + 4].strip()
    ]
    return f"310 {number:3} {name:32}".ljust(73) + " ".join(members)
