"""Why a board is as it is, in words for players, from the evidence that the pairing system left with the round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.templatetags.rayuela import halves

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.models import Pairing, Round

# C.04.3 5.2: the first rule that decides who has which side.
_SIDES = {
    "5.2.1": gettext_noop("Sides: each gets the one that is due, or has none due."),
    "5.2.2": gettext_noop("Sides: both were due the same one; the stronger claim is granted."),
    "5.2.3": gettext_noop(
        "Sides: both were due the same one; they exchange what they had in the last round in which they differed."
    ),
    "5.2.4": gettext_noop(
        "Sides: both were due the same one as strongly; the higher ranked gets it."
    ),
    "5.2.5": gettext_noop("Sides: neither has played yet; the colour drawn for the event decides."),
}


@dataclass(frozen=True, slots=True)
class ExplainedBoard:
    """A pairing with its reasons, one sentence each."""

    pairing: Pairing
    reasons: Sequence[str]


def explained(shown: Round, pairings: Iterable[Pairing]) -> list[ExplainedBoard]:
    """Every board of the round with why these two meet, and why with these sides."""
    boards = {(b["first"], b["second"]): b for b in shown.evidence.get("boards", ())}
    return [
        ExplainedBoard(
            pairing, _reasons(pairing, boards.get((pairing.first.tpn, pairing.second.tpn)))
        )
        for pairing in pairings
    ]


def _reasons(pairing: Pairing, board: Mapping[str, object] | None) -> list[str]:
    if board is None:
        return []
    first, second = int(str(board["first_halves"])), int(str(board["second_halves"]))
    names = {"first": pairing.first.player.name, "second": pairing.second.player.name}
    if first == second:
        meeting = _("Both had scored %(points)s.") % {"points": halves(first)}
    else:
        upper, lower = ("first", "second") if first > second else ("second", "first")
        meeting = _(
            "%(upper)s had scored %(more)s and found no opponent left in that group, so %(upper)s meets %(lower)s with"
            " %(less)s."
        ) % {
            "upper": names[upper],
            "lower": names[lower],
            "more": halves(max(first, second)),
            "less": halves(min(first, second)),
        }
    side = _SIDES.get(str(board["colour_rule"]))
    return [meeting, *([f"{_(side)} (C.04.3 {board['colour_rule']})"] if side else [])]
