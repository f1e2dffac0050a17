"""Why two meet in formats without brackets: the word and the numbers that the pairing system left, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.text.clocks import duration

if TYPE_CHECKING:
    from collections.abc import Mapping

_MEETINGS = {
    "berger": gettext_noop(
        "Round robin: round %(table_round)d of the Berger table pairs these two, with "
        "these colours."
    ),
    "tie": gettext_noop(
        "The bracket pairs seed %(higher_seed)d and seed %(lower_seed)d. A drawn tie is "
        "played again, twice at most; then the higher seed goes on."
    ),
    "losers-tie": gettext_noop(
        "Losers' bracket: seed %(higher_seed)d against seed %(lower_seed)d. Both have "
        "lost once; the next loss eliminates."
    ),
    "final": gettext_noop(
        "The final: the winner of the winners' bracket meets the winner of the losers' bracket."
    ),
    "reset-final": gettext_noop(
        "Bracket reset: the player from the losers' bracket won the final, so both have "
        "lost once, and this game decides."
    ),
    "pool": gettext_noop(
        "Both were free; in the standings their places differed by %(gap)d. They had waited %(waited_first)s and"
        " %(waited_second)s; the longer somebody waits, the wider the gap may be."
    ),
    "ladder": gettext_noop(
        "Drawn among those near in rating, with %(rank_gap)d places between them: a game tells more the less is known of"
        " both and the closer it is likely to be. The first one's expected score was %(expected).2f."
    ),
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
}


def meeting(board: Mapping[str, Any]) -> str:
    """Why the two of a board meet; empty for a Swiss, whose brackets tell it."""
    word = str(board.get("meeting") or "")
    if word not in _MEETINGS:
        return ""
    numbers: dict[str, Any] = {**_NOT_TOLD, **board.get("details", {})}
    sentences = {
        **numbers,
        "waited_first": duration(numbers["waited_first_s"]),
        "waited_second": duration(numbers["waited_second_s"]),
        "expected": numbers["expected_milli"] / 1000,
    }
    return _(_MEETINGS[word]) % sentences
