"""Why two meet in formats without brackets: the word that the pairing system left, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Mapping

_MEETINGS = {
    "berger": gettext_noop(
        "Everybody meets everybody: the Berger table says who plays whom in which round, and with which side."
    ),
    "tie": gettext_noop(
        "A knock-out: the draw brought these two together, and the loser is out or goes to the losers' side."
    ),
    "losers-tie": gettext_noop(
        "The losers' side of a double knock-out: both have lost once, and the next defeat is the last."
    ),
    "final": gettext_noop("The final: these two are left."),
    "reset-final": gettext_noop(
        "The final again: the one who came from the losers' side won it, so both have lost once, and this game decides."
    ),
    "pool": gettext_noop(
        "Both were waiting for a game, and of those who waited they suited each other best."
    ),
    "ladder": gettext_noop("The ladder: neighbours meet, and the winner stands higher."),
}


def meeting(board: Mapping[str, Any]) -> str:
    """Why the two of a board meet, as a sentence; empty for a Swiss, whose brackets tell it."""
    word = str(board.get("meeting") or "")
    return _(_MEETINGS[word]) if word in _MEETINGS else ""
