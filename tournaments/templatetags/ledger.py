"""A row of the ledger in words: the inputs of the change."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template
from django.utils import formats
from django.utils.translation import gettext as _

from tournaments.models import LedgerEntry
from tournaments.queries.ratings import certainty
from tournaments.ratings.systems import GLICKO2_FORMULA, LIST_FORMULA
from tournaments.templatetags.rayuela import elo, signed
from tournaments.text.points import halves

register = template.Library()

_UNCERTAIN_CENTIELO = 150_00


@register.filter
def reason(entry: LedgerEntry) -> str:
    """Return the reason of a game's change in one sentence, without the formula."""
    words = {
        "expected": f"{entry.expected_millionths / 1_000_000:.2f}",
        "score": halves(entry.score_halves),
        "change": signed(entry.delta_centielo / 100),
    }
    if certainty.after(entry).is_provisional:
        return (
            _(
                "The expected score was %(expected)s, the score %(score)s. The rating is still provisional."
            )
            % words
        )
    if _is_uncertain(entry):
        return (
            _(
                "The expected score was %(expected)s, the score %(score)s: %(change)s. "
                "It is much, because the rating is still uncertain."
            )
            % words
        )
    return _("The expected score was %(expected)s, the score %(score)s: %(change)s.") % words


def _is_uncertain(entry: LedgerEntry) -> bool:
    """Return whether half of the 95 % interval before the game was at least 150 points."""
    error = certainty.before(entry).error_centielo
    return error is not None and error >= _UNCERTAIN_CENTIELO


@register.filter
def terms(entry: LedgerEntry) -> str:
    """Return the computation of a row's change from its inputs, for a reader with a calculator."""
    if entry.formula == LIST_FORMULA:
        return _month(entry) if entry.game_id is None else _listed(entry)
    if entry.formula == GLICKO2_FORMULA:
        return _glicko(entry)
    return _("K × (score − expected) = %(k)s × (%(score)s − %(expected)s)") % {
        "k": entry.k_factor,
        "score": halves(entry.score_halves),
        "expected": f"{entry.expected_millionths / 1_000_000:.6f}",
    }


@register.filter
def calculator_query(entry: LedgerEntry) -> str:
    """Return the query that fills the rating calculator with a game's row; empty for rows by a rating list."""
    if entry.formula == LIST_FORMULA or entry.game_id is None:
        return ""
    values: dict[str, object] = {
        "rating": _decimal(entry.before_centielo),
        "opponent": _decimal(entry.opponent_centielo),
        "result": entry.score_halves,
    }
    if entry.formula == GLICKO2_FORMULA:
        values["deviation"] = _decimal(int(entry.inputs["deviation"]))
        values["opponent_deviation"] = _decimal(int(entry.inputs["opponent_deviation"]))
        return urlencode({f"casual-{name}": value for name, value in values.items()})
    values["k"] = entry.k_factor
    return urlencode({f"ledger-{name}": value for name, value in values.items()})


def _decimal(centielo: int) -> str:
    return f"{centielo / 100:.2f}"


def _listed(entry: LedgerEntry) -> str:
    inputs = entry.inputs
    details = {
        "own": inputs["own"],
        "opponent": elo(entry.opponent_centielo),
        "counted": signed(inputs["counted"]).removesuffix(".0"),
        "pd": f"{entry.expected_millionths / 1_000_000:.2f}",
        "k": entry.k_factor,
        "score": halves(entry.score_halves),
        "list": inputs["list"],
        "rules": inputs["rules"],
    }
    if inputs["counted"] != inputs["difference"]:
        return (
            _(
                "List of %(list)s: %(own)s − %(opponent)s, counted as %(counted)s; PD %(pd)s; "
                "%(k)s × (%(score)s − %(pd)s). Rules: %(rules)s."
            )
            % details
        )
    return (
        _(
            "List of %(list)s: %(own)s − %(opponent)s = %(counted)s; PD %(pd)s; "
            "%(k)s × (%(score)s − %(pd)s). Rules: %(rules)s."
        )
        % details
    )


def _month(entry: LedgerEntry) -> str:
    inputs = entry.inputs
    return _(
        "%(listed)s on the last list. %(games)s games gave %(sum)s points more than "
        "expected. Times K = %(k)s, rounded: %(new)s on the list of %(list)s. Rules: "
        "%(rules)s."
    ) % {
        "listed": inputs["listed"],
        "games": inputs["games"],
        "sum": _hundredths(int(inputs["sum"])),
        "k": entry.k_factor,
        "new": elo(entry.after_centielo),
        "list": inputs["list"],
        "rules": inputs["rules"],
    }


def _glicko(entry: LedgerEntry) -> str:
    inputs = entry.inputs
    return _(
        "RD %(before)s → %(after)s, the opponent's %(opponent)s. Volatility "
        "%(volatility)s. The side is worth %(advantage)s."
    ) % {
        "before": _points(int(inputs["deviation"])),
        "after": _points(int(inputs["deviation_after"])),
        "opponent": _points(int(inputs["opponent_deviation"])),
        "volatility": f"{int(inputs['volatility_after']) / 1_000_000_000:.6f}",
        "advantage": signed(int(inputs["advantage"]) / 100),
    }


def _points(centielo: int) -> str:
    return formats.number_format(centielo / 100, 1)


def _hundredths(number: int) -> str:
    return f"{number / 100:+.2f}".replace("-", "\N{MINUS SIGN}")
