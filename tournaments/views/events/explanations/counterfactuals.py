"""Explanations, in words, of a pair that did not meet and of a bye that a player did not get."""

from __future__ import annotations

from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.queries.formats import FORMATS
from tournaments.services.arbiter.explanations import Reason, Refusal, RoundReasons, Step4
from tournaments.views.events.explanations import criteria
from tournaments.views.events.explanations.speech import Speech, points

_EQUAL = gettext_noop(
    "That pairing would have been as good in every criterion. Among equals the rules "
    "take the first in their order."
)
_STEPS = {
    Step4.MDP_SET: gettext_noop("Higher-ranked downfloaters are paired first."),
    Step4.MDP_OPPONENT: gettext_noop(
        "Downfloaters get their opponents in ranking order, the highest possible first."
    ),
    Step4.EXCHANGE: gettext_noop(
        "The upper half meets the lower half. This pairing would need exchanges between "
        "the halves, or more of them."
    ),
    Step4.TRANSPOSITION: gettext_noop(
        "The first of the upper half gets the first possible one of the lower half, then the second, and so on."
    ),
}

# The criterion of a pair that may never be made.
_CODES = {Reason.MET: "C1", Reason.BYE_HAD: "C2", Reason.COLOUR: "C3"}


def answer(speech: Speech, reasons: RoundReasons, refusal: Refusal) -> list[str]:
    """The sentences that tell why it is not so."""
    return [*_circumstances(speech, refusal), *_reason(speech, reasons, refusal)]


def _circumstances(speech: Speech, refusal: Refusal) -> list[str]:
    sentences = []
    if refusal.bye is not None:
        sentences.append(
            _("%(player)s had the bye. It would have had to go to another player.")
            % {"player": speech.player(refusal.bye)}
        )
    if refusal.moves_down is not None:
        sentence = _(
            "The two were never in one bracket: %(player)s found an opponent in the "
            "score group of %(points)s and would have had to float down."
        )
        sentences.append(
            sentence
            % {"player": speech.name(refusal.moves_down), "points": points(refusal.halves or 0)}
        )
    return sentences


def plain_answer(speech: Speech, system: str, refusal: Refusal) -> list[str]:
    """The sentences of a system without a regulation that tell why it is not so."""
    words = FORMATS[system].refusals
    is_complete = refusal.reason is not Reason.COMPLETION
    sentence = words.get((is_complete and refusal.criterion) or refusal.reason.value)
    if sentence is None:
        return [*_circumstances(speech, refusal), _bare(speech, refusal)]
    numbers = {
        "round": refusal.round_number,
        **dict(zip(("first", "now"), refusal.value, strict=False)),
        **dict(zip(("other_first", "then"), refusal.other, strict=False)),
    }
    return [*_circumstances(speech, refusal), str(sentence) % numbers]


def _reason(speech: Speech, reasons: RoundReasons, refusal: Refusal) -> list[str]:
    match refusal.reason:
        case Reason.COMPLETION:
            return [criteria.incomplete(refusal.criterion or "C4", reasons.system)]
        case Reason.CRITERION:
            return [criteria.then(refusal.criterion, refusal.value, refusal.other, reasons.system)]
        case Reason.ORDER:
            step = _(_STEPS[refusal.step]) if refusal.step in _STEPS else ""
            equal = criteria.cited(_(_EQUAL), "3.8" if step else refusal.article)
            return [equal, *([criteria.cited(step, refusal.article)] if step else [])]
        case Reason.COLOUR:
            side = {"side": speech.side(reasons.facts(refusal.tpn).due)}
            sentence = _("Both had to get %(side)s now, so these two could not meet.") % side
        case _:
            sentence = _bare(speech, refusal)
    code = _CODES.get(refusal.reason)
    return [
        criteria.cited(sentence, criteria.article_of(code, reasons.system)) if code else sentence
    ]


def _bare(speech: Speech, refusal: Refusal) -> str:
    """Return the reason why a pair was never considered, without an article."""
    player = {"player": speech.player(refusal.tpn)}
    match refusal.reason:
        case Reason.GRANTED:
            return _("This is exactly the pairing that was made.")
        case Reason.ABSENT:
            absent = {"player": speech.player(refusal.absent or 0)}
            return _("%(player)s did not take part in this round.") % absent
        case Reason.MET:
            sentence = _("They had met in round %(round)d, and no two players meet twice.")
            return sentence % {"round": refusal.round_number}
        case Reason.FORBIDDEN:
            return _("The organiser has forbidden this pairing.")
        case Reason.EVEN:
            return _("The number of players was even, so there was no bye.")
        case Reason.BYE_HAD:
            sentence = _(
                "%(player)s had already received a pairing-allocated bye or a forfeit win."
            )
            return sentence % player
        case Reason.COMPLETION:
            return _("Then the other players could not all have been paired.")
        case Reason.COLOUR | Reason.CRITERION | Reason.ORDER:
            raise AssertionError("compared, not refused")
        case _:
            assert_never(refusal.reason)
