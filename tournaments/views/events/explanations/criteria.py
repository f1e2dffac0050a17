"""The criteria of the Swiss systems in words: the count of each, and the effect of a worse value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.services.arbiter.explanations import CriterionValue, Unit, articles, units
from tournaments.views.events.explanations.speech import points, scores

DUTCH = "dutch"
# Quantities that the criteria minimise.
_MEANINGS = {
    "C6": gettext_noop("Players left unpaired in the bracket, who float down"),
    "C7": gettext_noop("Scores of the downfloaters"),
    "C8": gettext_noop("Downfloaters of the next bracket (and their scores)"),
    "C9": gettext_noop("Unplayed rounds of the player with the bye"),
    "C10": gettext_noop("Topscorers, or their opponents, with a colour difference above 2"),
    "C11": gettext_noop("Topscorers, or their opponents, with one colour three times in a row"),
    "C12": gettext_noop("Pairs in which a player does not get the colour preference"),
    "C13": gettext_noop("Pairs in which a player does not get the strong colour preference"),
    "C14": gettext_noop("Downfloaters who also floated down in the previous round"),
    "C15": gettext_noop("Upfloaters who also floated up in the previous round"),
    "C16": gettext_noop("Downfloaters who also floated down two rounds ago"),
    "C17": gettext_noop("Upfloaters who also floated up two rounds ago"),
    "C18": gettext_noop("Score differences of players who also floated down in the previous round"),
    "C19": gettext_noop("Score differences of players who also floated up in the previous round"),
    "C20": gettext_noop("Score differences of players who also floated down two rounds ago"),
    "C21": gettext_noop("Score differences of players who also floated up two rounds ago"),
}
_BYE = {
    "B1": gettext_noop("Score of the player with the bye"),
    "B2": gettext_noop("Unplayed rounds of the player with the bye"),
}
# Names of the other systems' criteria.
_OTHERS = {
    "dutch-2017": {
        "C5": _MEANINGS["C6"],
        "C6": gettext_noop("Score differences of the pairs and the downfloaters"),
        "C7": _MEANINGS["C8"],
        # The next criteria have the current numbers, less two.
        **{f"C{n - 2}": _MEANINGS[f"C{n}"] for n in range(10, 22)},
    },
    "burstein": {
        **_BYE,
        "C5": _MEANINGS["C6"],
        "C6": _MEANINGS["C7"],
        "C7": _MEANINGS["C8"],
        "C8": _MEANINGS["C12"],
    },
    "dubov": {
        **_BYE,
        "C5": gettext_noop("Players who float up to the bracket"),
        "C6": gettext_noop("Score differences of the upfloaters"),
        "C7": _MEANINGS["C12"],
        "C8": gettext_noop("Upfloaters who have floated up as often as allowed"),
        "C9": gettext_noop("Number of earlier upfloats"),
        "C10": gettext_noop("Upfloaters who also floated up in the previous round"),
    },
    "double-swiss": {
        "B1": _BYE["B1"],
        "B2": _BYE["B2"],
        "C4": gettext_noop("Players who float up to the bracket"),
        "C5": gettext_noop("Score differences of the upfloaters"),
        "C6": gettext_noop("Next score groups that then need more upfloaters than one"),
        "C7": gettext_noop("Upfloaters who also floated in the previous round"),
        "C8": gettext_noop("Opponents of upfloaters who also floated in the previous round"),
    },
    "team": {
        "B1": _BYE["B1"],
        "B2": _BYE["B2"],
        "C4": gettext_noop("Teams that float up to the bracket"),
        "C5": gettext_noop("Score differences of the upfloaters"),
        "C6": gettext_noop("Next score groups that then need more upfloaters than one"),
        "C7": gettext_noop("Upfloaters who also floated in the previous round"),
        "C8": gettext_noop("Pairs in which a team does not get the colour preference"),
        "C9": gettext_noop("Pairs in which a team does not get the strong colour preference"),
        "C10": gettext_noop("Opponents of upfloaters who also floated in the previous round"),
    },
    "lim": {
        "B1": _BYE["B1"],
        "B2": gettext_noop("Rating of the player with the bye"),
        "C5": gettext_noop("Players left unpaired in the bracket, who float"),
    },
}
_PROOFS = {
    "zero": gettext_noop("the minimum is zero"),
    "parity": gettext_noop("the number of players is odd, so one is left over"),
    "lowest-score": gettext_noop("no player in the bracket had fewer points"),
    "no-choice": gettext_noop("no player floated down, so it does not apply to this bracket"),
    "preference-count": gettext_noop(
        "counted: that many more players prefer one colour to the other"
    ),
    "maximum-matching": gettext_noop("no way to pair more of them exists (maximum matching)"),
    "duality": gettext_noop("proved by a bound on every pairing (linear programming duality)"),
    "weighted-matching": gettext_noop("the optimum of a separate weighted matching"),
}
WORSE = {
    "C5": gettext_noop(
        "Then the bye would have had to go to a player with a score of %(other)s instead "
        "of %(value)s."
    ),
    "C6": gettext_noop(
        "Then %(other)s instead of %(value)s players would have been left unpaired in the bracket."
    ),
    "C7": gettext_noop(
        "Then players with more points would have had to float down: %(other)s instead "
        "of %(value)s."
    ),
    "C8": gettext_noop(
        "Then the next bracket would have been worse off: %(other)s instead of %(value)s players left over there."
    ),
    "C9": gettext_noop(
        "Then the bye would have gone to a player with %(other)s unplayed rounds instead "
        "of %(value)s."
    ),
    "C10": gettext_noop(
        "Then in %(other)s instead of %(value)s games of topscorers a player would have "
        "had a colour difference above 2."
    ),
    "C11": gettext_noop(
        "Then in %(other)s instead of %(value)s games of topscorers a player would have had one colour three times in a row."
    ),
    "C12": gettext_noop(
        "Then in %(other)s instead of %(value)s pairs of the bracket a player would not "
        "have got the colour preference."
    ),
    "C13": gettext_noop(
        "Then in %(other)s instead of %(value)s pairs of the bracket a player would not "
        "have got the strong colour preference."
    ),
    "C14": gettext_noop(
        "Then %(other)s instead of %(value)s players would have floated down for the "
        "second round in a row."
    ),
    "C15": gettext_noop(
        "Then %(other)s instead of %(value)s players would have floated up for the "
        "second round in a row."
    ),
    "C16": gettext_noop(
        "Then %(other)s instead of %(value)s players would have floated down after doing "
        "so two rounds ago."
    ),
    "C17": gettext_noop(
        "Then %(other)s instead of %(value)s players would have floated up after doing "
        "so two rounds ago."
    ),
    "C18": gettext_noop(
        "Then players who also floated down in the previous round would have met a "
        "larger score difference: %(other)s instead of %(value)s points."
    ),
    "C19": gettext_noop(
        "Then players who also floated up in the previous round would have met a larger "
        "score difference: %(other)s instead of %(value)s points."
    ),
    "C20": gettext_noop(
        "Then players who also floated down two rounds ago would have met a larger score "
        "difference: %(other)s instead of %(value)s points."
    ),
    "C21": gettext_noop(
        "Then players who also floated up two rounds ago would have met a larger score "
        "difference: %(other)s instead of %(value)s points."
    ),
}


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion as a row of the bracket's table.

    `is_idle` if the value is 0 and could not differ.
    """

    name: str
    article: str
    meaning: str
    value: str
    bound: str
    proof: str
    is_idle: bool


def meaning(criterion: str, system: str = DUTCH) -> str:
    """Return the count that the criterion measures, in words."""
    return _(_OTHERS.get(system, _MEANINGS)[criterion])


def rows(criteria: Sequence[CriterionValue], system: str = DUTCH) -> list[CriterionRow]:
    """The rows of a bracket's criteria."""
    return [
        CriterionRow(
            c.criterion,
            c.article,
            meaning(c.criterion, system),
            value_text(c.criterion, c.value, system),
            "" if c.bound is None else value_text(c.criterion, c.bound, system),
            _(_PROOFS[c.proof]) if c.proof else "",
            not any(c.value),
        )
        for c in criteria
    ]


def value_text(criterion: str, value: Sequence[int], system: str = DUTCH) -> str:
    """Return the value of a criterion in readable form."""
    unit = units(system)[criterion]
    if unit is Unit.POINTS:
        return scores(value)
    if unit is Unit.PLAYERS_AND_POINTS and len(value) > 1:
        return _("%(count)d (%(points)s)") % {"count": value[0], "points": scores(value[1:])}
    return str(value[0]) if value else points(0)


def then(criterion: str, value: Sequence[int], other: Sequence[int], system: str = DUTCH) -> str:
    """Return the sentence about the worse value of the alternative, with its article."""
    words = {
        "value": value_text(criterion, value, system),
        "other": value_text(criterion, other, system),
    }
    if system in _OTHERS:
        words["meaning"] = meaning(criterion, system)
        sentence = _(
            "Then this would have been worse: %(meaning)s, %(other)s instead of %(value)s."
        )
    else:
        sentence = _(WORSE[criterion])
    return cited(sentence % words, article_of(criterion, system))


def incomplete(criterion: str = "C4", system: str = DUTCH) -> str:
    """The sentence for the criterion that the others can all be paired."""
    sentence = _("Then the other players could not all have been paired.")
    return cited(sentence, article_of(criterion, system))


def article_of(criterion: str, system: str = DUTCH) -> str:
    """A criterion with its article, as it is cited: `C14, 2.4.9`."""
    return f"{criterion}, {articles(system)[criterion]}"


def cited(sentence: str, article: str) -> str:
    """A sentence with the article of C.04.3 it rests on."""
    return _("%(sentence)s (%(article)s)") % {"sentence": sentence, "article": article}
