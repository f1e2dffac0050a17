"""Sides in words: what was due to a player, and which rule gave the sides of a board (C.04.3 1.7 and 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.views.events.explanations.criteria import cited

if TYPE_CHECKING:
    from tournaments.services.arbiter.explanations import PlayerFacts
    from tournaments.views.events.explanations.speech import Speech

# The first rule that decides who has which side.
_RULES = {
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
# The same for formats without score groups, as `tournaments.pairing.colours.alternate` has it.
_PLAIN_RULES = {
    "balance": gettext_noop("Sides: who had the first ply less often has it now."),
    "alternation": gettext_noop("Sides: the other way round than when they last differed."),
    "initial": gettext_noop(
        "Sides: neither has played yet; the colour drawn for the event decides."
    ),
}


def rule(article: str) -> str:
    """The rule that gave the sides as a sentence; empty where the format's table says it all."""
    if article in _PLAIN_RULES:
        return _(_PLAIN_RULES[article])
    return cited(_(_RULES[article]), f"C.04.3 {article}") if article in _RULES else ""


def due(speech: Speech, facts: PlayerFacts) -> str:
    """Which side was due to a player, and why."""
    if facts.strength == "none":
        sentence = _("%(player)s had not played yet: no side was due.")
        return cited(sentence % {"player": speech.player(facts.tpn)}, "1.7.4")
    words = {
        "player": speech.player(facts.tpn),
        "due": speech.side(facts.due),
        "had": speech.side("second" if facts.due == "first" else "first"),
        "more": abs(facts.difference),
    }
    match facts.strength:
        case "absolute" if facts.is_absolute_by_row:
            text = _("%(player)s had %(had)s twice in a row and had to get %(due)s.")
            article = "1.7.1"
        case "absolute":
            text = _(
                "%(player)s had %(had)s %(more)d times more than %(due)s and had to get %(due)s."
            )
            article = "1.7.1"
        case "strong":
            text = _("%(player)s had %(had)s once more than %(due)s: %(due)s was strongly due.")
            article = "1.7.2"
        case _:
            text = _("%(player)s had both sides equally often, %(had)s last: %(due)s was due.")
            article = "1.7.3"
    return cited(text % words, article)
