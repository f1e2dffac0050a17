"""Sides in words: the side due to a player, and the rule that gave the sides of a board (C.04.3 1.7 and 5.2)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.services.arbiter.explanations import PlayerFacts
from tournaments.views.events.explanations.criteria import cited
from tournaments.views.events.explanations.speech import Speech

# The first rule that decides who has which side.
_RULES = {
    "5.2.1": gettext_noop("Colours: each player's preference, if any, was granted."),
    "5.2.2": gettext_noop(
        "Colours: both had a preference for one colour. The stronger preference was granted."
    ),
    "5.2.3": gettext_noop(
        "Colours: both had a preference for one colour. They swapped the colours of the "
        "last round in which those differed."
    ),
    "5.2.4": gettext_noop(
        "Colours: both had equally strong preferences for one colour. The higher ranked player got it."
    ),
    "5.2.5": gettext_noop(
        "Colours: neither has played yet. The initial colour drawn for the event decides."
    ),
}
# Rules for formats without score groups, by `tournaments.pairing.colours.alternate`.
_PLAIN_RULES = {
    "balance": gettext_noop("Colours: the player who has moved first less often moves first."),
    "alternation": gettext_noop("Colours: the reverse of the last round in which they differed."),
    "initial": gettext_noop(
        "Colours: neither has played yet. The initial colour drawn for the event decides."
    ),
}


# The five rules in the order of C.04.4.1 and C.04.4.2.
_OTHER_RULES = {
    f"{chapter} {article}": _RULES[dutch]
    for chapter in ("C.04.4.1", "C.04.4.2")
    for article, dutch in (
        ("5.2.1", "5.2.5"),
        ("5.2.2", "5.2.1"),
        ("5.2.3", "5.2.2"),
        ("5.2.4", "5.2.3"),
        ("5.2.5", "5.2.4"),
    )
} | {f"C.04.3 E.{n}": _RULES[f"5.2.{n}"] for n in range(1, 6)}
# Burstein ranks by its index (C.04.4.2 1.8).
_OTHER_RULES["C.04.4.2 5.2.5"] = gettext_noop(
    "Colours: both had equally strong preferences for one colour. The player with the higher "
    "Buchholz, then the higher Sonneborn-Berger, got it."
)

_LIM_RULES = {
    "C.04.4.3 5.2": gettext_noop("Colours: each player gets the colour that was due."),
    "C.04.4.3 5.3": gettext_noop(
        "Colours: the other way round one of the two would have had a colour three times in a row, "
        "or three times more often than the other one."
    ),
    "C.04.4.3 5.4": gettext_noop(
        "Colours: both were due one colour. They swap the colours of the last round in which those differed."
    ),
    "C.04.4.3 5.4.1": gettext_noop(
        "Colours: both were due one colour. The higher ranked gets it, below the middle scores the lower ranked."
    ),
    "C.04.4.3 7.2": _RULES["5.2.5"],
}
# Articles of other chapters about the due side.
_DUE = {
    "burstein": "1.5",
    "dubov": "1.6",
    "dutch-2017": "A.6",
    "lim": "5",
    "double-swiss": "4.3.1",
    "team": "1.7",
}


_DOUBLE_RULES = {
    "C.04.5 4.3.1": _RULES["5.2.5"],
    "C.04.5 4.3.2": gettext_noop(
        "Colours: the player who has moved first in fewer matches moves first in the first game."
    ),
    "C.04.5 4.3.3": _PLAIN_RULES["alternation"],
    "C.04.5 4.3.4": gettext_noop(
        "Colours: the higher ranked has the other side than in the last match."
    ),
    "C.04.5 4.3.5": gettext_noop(
        "Colours: the lower ranked has the other side than in the last match."
    ),
}


_TEAM_RULES = {
    "C.04.6 4.3.1": _RULES["5.2.5"],
    "C.04.6 4.3.2": gettext_noop("Colours: one team had a preference, which was granted."),
    "C.04.6 4.3.3": gettext_noop("Colours: the teams had opposite preferences. Both were granted."),
    "C.04.6 4.3.4": gettext_noop("Colours: one team had a strong preference, which was granted."),
    "C.04.6 4.3.5": gettext_noop("Colours: the team that has moved first less often moves first."),
    "C.04.6 4.3.6": _PLAIN_RULES["alternation"],
    "C.04.6 4.3.7": gettext_noop("Colours: the preference of the higher ranked team was granted."),
    "C.04.6 4.3.8": gettext_noop(
        "Colours: the higher ranked team has the other side than in its last match."
    ),
    "C.04.6 4.3.9": gettext_noop(
        "Colours: the lower ranked team has the other side than in its last match."
    ),
}


def rule(article: str) -> str:
    """Return the rule that gave the sides as a sentence, or an empty text if the format's table explains them."""
    if article in _PLAIN_RULES:
        return _(_PLAIN_RULES[article])
    others = _OTHER_RULES | _LIM_RULES | _DOUBLE_RULES | _TEAM_RULES
    if article in others:
        return cited(_(others[article]), article)
    return cited(_(_RULES[article]), f"C.04.3 {article}") if article in _RULES else ""


def due(speech: Speech, facts: PlayerFacts, system: str) -> str:
    """Return the side due to a player by the rules of the system, with the reason."""
    if facts.strength == "none" and facts.colours:
        sentence = _("%(player)s had moved first in the first games of %(count)d matches.")
        names = {"player": speech.player(facts.tpn), "count": facts.colours.count("first")}
        return cited(sentence % names, "4.3.2")
    if facts.strength == "none":
        sentence = _("%(player)s had not played yet: no colour preference.")
        names = {"player": speech.player(facts.tpn)}
        return cited(sentence % names, _DUE.get(system, "1.7.4"))
    if not facts.colours:
        sentence = _("%(player)s had not played yet: mild preference for %(due)s.")
        names = {"player": speech.player(facts.tpn), "due": speech.side(facts.due)}
        return cited(sentence % names, "1.6")
    words = {
        "player": speech.player(facts.tpn),
        "due": speech.side(facts.due),
        "had": speech.side("second" if facts.due == "first" else "first"),
        "more": abs(facts.difference),
    }
    match facts.strength:
        case "absolute" if facts.is_absolute_by_row:
            sentence = _("%(player)s had %(had)s twice in a row: absolute preference for %(due)s.")
            article = "1.7.1"
        case "absolute":
            sentence = _(
                "%(player)s had %(had)s %(more)d times more often than %(due)s: absolute "
                "preference for %(due)s."
            )
            article = "1.7.1"
        case "strong":
            sentence = _(
                "%(player)s had %(had)s once more often than %(due)s: strong "
                "preference for %(due)s."
            )
            article = "1.7.2"
        case _:
            sentence = _(
                "%(player)s had both colours equally often, %(had)s last: mild "
                "preference for %(due)s."
            )
            article = "1.7.3"
    return cited(sentence % words, _DUE.get(system, article))
