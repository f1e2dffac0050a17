"""Series in words: the rules, the part of each result in a total, and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.standings import decimal_text
from tournaments.standings.series import Fate, Method, Rules, Separator, Shared, Term
from tournaments.text.points import tie_break

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "not-your-series": gettext_lazy("Only the organiser of the series can change it."),
    "series-deleted": gettext_lazy("This series was deleted."),
    "series-event": gettext_lazy("There is no public event with this address."),
    "series-event-removed": gettext_lazy("The event is no longer in the series."),
    "series-event-there": gettext_lazy("This event is already in the series."),
    "series-full": gettext_lazy("A series has 60 events at most."),
    "series-join": gettext_lazy("Both have a result in one event, so they are two people."),
    "series-many": gettext_lazy("An organiser has a hundred series at most. Delete one first."),
    "series-name": gettext_lazy("A series needs a name of at most 80 characters."),
    "series-percent": gettext_lazy(
        "Percentages need events with one maximum for all players. Leagues, groups, arenas and ladders have different ones."
    ),
    "series-row": gettext_lazy("There is no such row. Choose two different rows of the table."),
    "series-row-restored": gettext_lazy("This decision was withdrawn already."),
    "series-rules": gettext_lazy(
        "Points by place are up to 200 whole numbers, from the largest to the smallest, and at most "
        "200 results count."
    ),
    "series-teams": gettext_lazy(
        "A series has events of teams or events of individuals, not both."
    ),
}

SEPARATORS: Mapping[Separator, _StrPromise] = {
    Separator.TOTAL: gettext_lazy("a lower total"),
    Separator.WINS: gettext_lazy("fewer events won"),
    Separator.BEST: gettext_lazy("a lower best result"),
    Separator.LAST: gettext_lazy("a lower result in the last event"),
}


def points_text(points: Fraction | None) -> str:
    """Return points as pages write them."""
    return tie_break(points)


def percent_text(points: Fraction) -> str:
    """Return a percentage."""
    return f"{decimal_text(round(points, 2))} %"


def rules_in_words(rules: Rules) -> list[str]:
    """Return the rules, a sentence each."""
    return [*_of_points(rules), _of_best(rules), *_of_order()]


def _of_points(rules: Rules) -> list[str]:
    match rules.method:
        case Method.PLACES:
            points = ", ".join(map(str, rules.place_points))
            return [
                _("Points by place in each event: %(points)s. Later places get no points.")
                % {"points": points},
                _of_shared(rules.shared),
            ]
        case Method.POINTS:
            return [_("The points of an event are the points scored in it.")]
        case Method.PERCENT:
            return [
                _(
                    "The points of an event are those scored in it, in percent of the possible points."
                )
            ]
        case _:
            assert_never(rules.method)


def _of_shared(shared: Shared) -> str:
    match shared:
        case Shared.SHARE:
            return _("Players who share a place have the mean of the points of their places.")
        case Shared.HIGHER:
            return _("Players who share a place have the points of the higher place.")
        case _:
            assert_never(shared)


def _of_best(rules: Rules) -> str:
    if not rules.best:
        return _("All results count.")
    pattern = ngettext(
        "The best result of each player counts.",
        "The best %(best)s results of each player count.",
        rules.best,
    )
    return pattern % {"best": rules.best}


def _of_order() -> list[str]:
    return [
        _(
            "Equal totals are separated by the events won, then by the best result, then by the result in "
            "the last finished event. Players who are still equal share the rank."
        ),
        _("Only finished events count. Results of running events are provisional."),
        _(
            "Places are those of the standings of the event. A player without a played game, an expelled "
            "player and a player whose games are annulled have no result."
        ),
    ]


def fate_in_words(term: Term, rules: Rules) -> str:
    """Return the part of a result in the total."""
    match term.fate:
        case Fate.COUNTS:
            return _("counts")
        case Fate.DROPPED:
            return _of_best(rules)
        case Fate.PROVISIONAL:
            return _("provisional: the event is not finished")
        case _:
            assert_never(term.fate)


def source_in_words(term: Term, rules: Rules, possible: Fraction) -> str:
    """Return the computation of the points of a result."""
    match rules.method:
        case Method.PLACES if term.sharers > 1:
            return _("place %(place)s, shared by %(sharers)s") % {
                "place": term.rank,
                "sharers": term.sharers,
            }
        case Method.PLACES:
            return _("place %(place)s") % {"place": term.rank}
        case Method.POINTS:
            return _("%(score)s points scored") % {"score": points_text(term.score)}
        case Method.PERCENT:
            return _("%(score)s of %(possible)s points") % {
                "score": points_text(term.score),
                "possible": points_text(possible),
            }
        case _:
            assert_never(rules.method)
