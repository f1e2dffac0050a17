"""The criteria of the Dutch system in words (C.04.3 2.1-2.4): what each counts, and what it means that one gets worse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.services.arbiter.explanations import ARTICLES, IN_POINTS
from tournaments.views.events.explanations.speech import points, scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.services.arbiter.explanations import CriterionValue

# What is as small as possible.
MEANINGS = {
    "C6": gettext_noop("Players who found no opponent in the bracket and moved down"),
    "C7": gettext_noop("The points of those who moved down"),
    "C8": gettext_noop(
        "Players whom the next bracket had to leave over in turn (and their points)"
    ),
    "C9": gettext_noop("Rounds without a game of the player on the bye"),
    "C10": gettext_noop(
        "Leaders, or their opponents, with one side three times more than the other"
    ),
    "C11": gettext_noop("Leaders, or their opponents, with the same side three times in a row"),
    "C12": gettext_noop("Pairs in which one did not get the side that was due"),
    "C13": gettext_noop("Pairs in which one did not get the side that was strongly due"),
    "C14": gettext_noop("Players moved down who had moved down in the last round too"),
    "C15": gettext_noop("Players who met a higher score now and in the last round"),
    "C16": gettext_noop("Players moved down who had moved down two rounds ago too"),
    "C17": gettext_noop("Players who met a higher score now and two rounds ago"),
    "C18": gettext_noop("How far down those fell who had moved down in the last round too"),
    "C19": gettext_noop(
        "How far up those reached who had met a higher score in the last round too"
    ),
    "C20": gettext_noop("How far down those fell who had moved down two rounds ago too"),
    "C21": gettext_noop("How far up those reached who had met a higher score two rounds ago too"),
}
_PROOFS = {
    "zero": gettext_noop("less than nothing is impossible"),
    "parity": gettext_noop("the number of players is odd, so one is left over"),
    "lowest-score": gettext_noop("nobody in the bracket had fewer points"),
    "no-choice": gettext_noop("nobody moved down, so this bracket has no say in it"),
    "preference-count": gettext_noop("counted: so many more were due one side than the other"),
    "maximum-matching": gettext_noop("no way to pair more of them exists (maximum matching)"),
    "duality": gettext_noop("proved by a bound on every pairing (linear programming duality)"),
    "weighted-matching": gettext_noop("the optimum of a weighted matching of its own"),
}
WORSE = {
    "C5": gettext_noop(
        "Then the bye would have had to go to somebody who had scored %(other)s instead of %(value)s."
    ),
    "C6": gettext_noop(
        "Then %(other)s instead of %(value)s players would have been left without an opponent in the bracket."
    ),
    "C7": gettext_noop(
        "Then players with more points would have had to move down: %(other)s instead of %(value)s."
    ),
    "C8": gettext_noop(
        "Then the next bracket would have been worse off: %(other)s instead of %(value)s players left over there."
    ),
    "C9": gettext_noop(
        "Then the bye would have gone to somebody with %(other)s rounds without a game instead of %(value)s."
    ),
    "C10": gettext_noop(
        "Then in %(other)s instead of %(value)s games of the leaders one would have had a side three times more than the"
        " other."
    ),
    "C11": gettext_noop(
        "Then in %(other)s instead of %(value)s games of the leaders one would have had the same side three times in a row."
    ),
    "C12": gettext_noop(
        "Then in %(other)s instead of %(value)s pairs of the bracket one would not have got the side that was due."
    ),
    "C13": gettext_noop(
        "Then in %(other)s instead of %(value)s pairs of the bracket one would not have got the side that was strongly due."
    ),
    "C14": gettext_noop(
        "Then %(other)s instead of %(value)s players would have moved down for the second time in a row."
    ),
    "C15": gettext_noop(
        "Then %(other)s instead of %(value)s players would have met a higher score for the second time in a row."
    ),
    "C16": gettext_noop(
        "Then %(other)s instead of %(value)s players would have moved down again after doing so two rounds ago."
    ),
    "C17": gettext_noop(
        "Then %(other)s instead of %(value)s players would have met a higher score again after doing so two rounds ago."
    ),
    "C18": gettext_noop(
        "Then players who had moved down in the last round too would have fallen further: by %(other)s instead of"
        " %(value)s points."
    ),
    "C19": gettext_noop(
        "Then players who had met a higher score in the last round too would have reached further up: by %(other)s instead"
        " of %(value)s points."
    ),
    "C20": gettext_noop(
        "Then players who had moved down two rounds ago too would have fallen further: by %(other)s instead of %(value)s"
        " points."
    ),
    "C21": gettext_noop(
        "Then players who had met a higher score two rounds ago too would have reached further up: by %(other)s instead of"
        " %(value)s points."
    ),
}


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion as a row of the bracket's table; `is_idle` when it is nothing and could be nothing else."""

    name: str
    article: str
    meaning: str
    value: str
    bound: str
    proof: str
    is_idle: bool


def rows(criteria: Sequence[CriterionValue]) -> list[CriterionRow]:
    """The rows of a bracket's criteria."""
    return [
        CriterionRow(
            c.criterion,
            c.article,
            _(MEANINGS[c.criterion]),
            value_text(c.criterion, c.value),
            "" if c.bound is None else value_text(c.criterion, c.bound),
            _(_PROOFS[c.proof]) if c.proof else "",
            not any(c.value),
        )
        for c in criteria
    ]


def value_text(criterion: str, value: Sequence[int]) -> str:
    """What a criterion reached, as people read it."""
    if criterion in IN_POINTS:
        return scores(value)
    if criterion == "C8" and len(value) > 1:
        return _("%(count)d (%(points)s)") % {"count": value[0], "points": scores(value[1:])}
    return str(value[0]) if value else points(0)


def then(criterion: str, value: Sequence[int], other: Sequence[int]) -> str:
    """The sentence that tells what would have been worse, with its article."""
    sentence = _(WORSE[criterion]) % {
        "value": value_text(criterion, value),
        "other": value_text(criterion, other),
    }
    return cited(sentence, article_of(criterion))


def incomplete() -> str:
    """The sentence for C4."""
    return cited(_("Then the other players could not all have been paired."), article_of("C4"))


def article_of(criterion: str) -> str:
    """A criterion with its article, as it is cited: `C14, 2.4.9`."""
    return f"{criterion}, {ARTICLES[criterion]}"


def cited(sentence: str, article: str) -> str:
    """A sentence with the article of C.04.3 it rests on."""
    return _("%(sentence)s (%(article)s)") % {"sentence": sentence, "article": article}
