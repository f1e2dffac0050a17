"""Reasons why a player had no opponent in a round, if the pairing did not decide that."""

from __future__ import annotations

from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.models import Round, Seat
from tournaments.views.events.explanations.speech import Speech

# Keys are the values of `tournaments.pairing.IdleReason`.
_IDLE = {
    "odd": gettext_noop(
        "The number of players in the table is odd: in every round one of them has no opponent."
    ),
    "table-over": gettext_noop(
        "All rounds of this table have been played. Only larger groups or divisions play on."
    ),
    "next-season": gettext_noop(
        "The season had begun before this player joined, and is played to its end without changes. "
        "The player is in a division from the next season on."
    ),
    "empty-place": gettext_noop(
        "The place opposite in the bracket is empty, so this player has a bye."
    ),
    "later-tie": gettext_noop(
        "The bracket has no game for this player in this round. The next one is in a later round."
    ),
}


def reason(round_: Round, seat: Seat, speech: Speech) -> str:
    """Return the reason why the seat is without an opponent, in one or two sentences.

    Raise AssertionError for a bye that the pairing gave, which has separate reasons.
    """
    kind = Seat.Kind(seat.kind)
    match kind:
        case Seat.Kind.HALF_BYE:
            return _("A half-point bye in this round was requested before it was paired.")
        case Seat.Kind.ZERO_BYE:
            return _("The absence from this round was announced before it was paired.")
        case Seat.Kind.FULL_BYE:
            return _("The arbiter granted a full-point bye for this round before it was paired.")
        case Seat.Kind.FORFEIT_WIN:
            return _forfeit(round_, seat, speech)
        case Seat.Kind.FREE:
            return _of_system(round_, seat) or _("The table has no opponent for this player.")
        case Seat.Kind.THROUGH:
            return _of_system(round_, seat) or _(
                "The bracket has no opponent for this player: a bye."
            )
        case Seat.Kind.OUT:
            return _("This player has no place in the bracket any more.")
        case Seat.Kind.PAIRING_BYE | Seat.Kind.FIRST | Seat.Kind.SECOND:
            raise AssertionError(f"the pairing decided on {kind}")
        case _:
            assert_never(kind)


def _forfeit(round_: Round, seat: Seat, speech: Speech) -> str:
    if seat.absent is None or seat.absent.tpn is None:
        return _("The opponent is not playing this round, which counts as a win without a game.")
    return _(
        "%(name)s, the opponent, is not playing this round: it counts as a win without a game."
    ) % {"name": speech.name(round_.numbers.then(seat.absent.tpn))}


def _of_system(round_: Round, seat: Seat) -> str:
    """Return the reason that the pairing system stored, or an empty text in an older round without one."""
    reasons = {idle["tpn"]: idle.get("reason") for idle in round_.evidence.get("idle", ())}
    word = reasons.get(round_.numbers.then(seat.entry.tpn or 0))
    return _(_IDLE[word]) if word in _IDLE else ""
