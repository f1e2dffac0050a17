"""Explanations of pairs in formats without brackets: the pairing system's word and numbers as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.queries.formats import FORMATS
from tournaments.text.clocks import duration
from tournaments.views.events.explanations.speech import points

_MEETINGS = {
    word: sentence for each in FORMATS.values() for word, sentence in each.meetings.items()
}
# Numbers that an older round may lack.
_NOT_TOLD = {
    "table_round": 0,
    "higher_seed": 0,
    "lower_seed": 0,
    "gap": 0,
    "waited_first_s": 0,
    "waited_second_s": 0,
    "rank_gap": 0,
    "expected_milli": 500,
    "first_score_halves": 0,
    "second_score_halves": 0,
}


def meeting(board: Mapping[str, Any]) -> str:
    """Return the reason why the two of a board meet, or an empty text for a Swiss, whose brackets explain it."""
    word = str(board.get("meeting") or "")
    if word not in _MEETINGS:
        return ""
    numbers: dict[str, Any] = {**_NOT_TOLD, **board.get("details", {})}
    sentences = {
        **numbers,
        "waited_first": duration(numbers["waited_first_s"]),
        "waited_second": duration(numbers["waited_second_s"]),
        "expected": numbers["expected_milli"] / 1000,
        "first_score": points(numbers["first_score_halves"]),
        "second_score": points(numbers["second_score_halves"]),
    }
    return _MEETINGS[word] % sentences
