"""Prizes in words: money, categories, rules, the computation of an award, and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import Festival
from tournaments.standings.prizes import Award, Category, Kind, Prize, Rules, Sharing, money
from tournaments.text.points import halves

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "awards-none": gettext_lazy("No player is entitled to any of the prizes."),
    "not-finished": gettext_lazy("The event is not over yet."),
    "prize-category": gettext_lazy(
        "A rating prize has a lowest rating, a rating it ends below, or both. A prize of "
        "a club, a federation or a category names it, one of an age group is U18 or S50, one "
        "of a sex is w or m. Other prizes have neither."
    ),
    "prize-currency": gettext_lazy(
        "A currency is a code of three letters, such as EUR, and the sums must be possible in it."
    ),
    "prize-empty": gettext_lazy("A prize is a sum above zero, or something in words."),
    "prize-large": gettext_lazy("This sum is too large, or these words are too long."),
    "prize-order": gettext_lazy(
        "In one category no place wins more money than the place before it."
    ),
    "prize-percents": gettext_lazy(
        "Percentages are whole numbers such as 60/30/10: they do not rise, and make 100."
    ),
    "prize-removed": gettext_lazy("This prize has been changed. Check the prizes again."),
    "prize-rounding": gettext_lazy("Every sum must be a multiple of the rounding unit."),
    "prize-rules": gettext_lazy("These rules for prizes are not possible."),
    "prizes-awarded": gettext_lazy(
        "The prizes have been awarded. Undo the award in the log to change it."
    ),
    "prizes-many": gettext_lazy("An event has a hundred prizes at most."),
    "prizes-none": gettext_lazy("This event has no prizes."),
}


def money_text(minor: int, currency: str) -> str:
    """A sum with its currency, as the reader's language writes numbers: `EUR 1,200.00`."""
    amount = money.decimal(minor, currency)
    text = number_format(amount, decimal_pos=money.decimals(currency), force_grouping=True)
    return f"{currency} {text}"


def exact_text(minor: Fraction, currency: str) -> str:
    """Return a sum that may be fractional, with `≈` if it is not whole."""
    text = money_text(round(minor), currency)
    return text if minor.denominator == 1 else f"≈ {text}"


def prize_text(amount: int, words: str, currency: str) -> str:
    """Return money and other prizes: `EUR 60.00, a cup`."""
    parts = [money_text(amount, currency)] if amount else []
    return ", ".join([*parts, *([words] if words else [])])


def category_text(category: Category) -> str:
    """The name of a category: `Rating under 1600`."""
    match category.kind:
        case Kind.OVERALL:
            return _("Overall")
        case Kind.RATING:
            return _band_text(category.rating_from, category.rating_below)
        case Kind.UNRATED:
            return _("Without a rating")
        case Kind.PEOPLE | Kind.BOTS:
            return _("Bots") if category.kind is Kind.BOTS else _("People")
        case Kind.CLUB:
            return _("Club: %(name)s") % {"name": category.text}
        case Kind.FEDERATION:
            return _("Federation: %(name)s") % {"name": category.text}
        case Kind.LABEL:
            return _("Category: %(name)s") % {"name": category.text}
        case Kind.AGE:
            return _age_text(category.text.strip().upper())
        case Kind.SEX:
            return _("Women") if category.is_text("w") else _("Men")


def _age_text(group: str) -> str:
    words = _("Under %(years)s years") if group.startswith("U") else _("From %(years)s years")
    return words % {"years": group[1:]}


def _band_text(low: int | None, high: int | None) -> str:
    if low is None:
        return _("Rating under %(high)s") % {"high": high}
    if high is None:
        return _("Rating from %(low)s") % {"low": low}
    return _("Rating from %(low)s, under %(high)s") % {"low": low, "high": high}


def rules_text(rules: Rules, currency: str) -> list[str]:
    """The rules of a fund, a sentence each."""
    sentences = [
        {
            Sharing.NONE: _(
                "Prizes follow the order of the standings. Only players who share a place share its prize."
            ),
            Sharing.EQUAL: _("Players with equal points share the sum of their prizes equally."),
            Sharing.HORT: _(
                "Half of each sum is paid by the order of the standings. The other half "
                "is shared by all with equal points (the Hort system)."
            ),
        }[rules.sharing],
        _("Everybody can win in several categories.")
        if rules.is_cumulative
        else _("Everybody wins one prize at most: the most valuable there is for them."),
    ]
    if rules.rounding > 1:
        sentences.append(
            _("Sums are multiples of %(unit)s. The remainder goes to the higher placed.")
            % {"unit": money_text(rules.rounding, currency)}
        )
    if rules.least_points_halves:
        points = halves(rules.least_points_halves)
        sentences.append(
            _("Players with fewer than %(points)s points win no prize.") % {"points": points}
        )
    if rules.least_games:
        sentences.append(
            ngettext(
                "Players who have not played a game win no prize.",
                "Players who have played fewer than %(games)d games win no prize.",
                rules.least_games,
            )
            % {"games": rules.least_games}
        )
    sentences.append(_("Withdrawn players win no prize. Prizes other than money are not shared."))
    return sentences


def festival_rules_text(festival: Festival, rules: Rules) -> list[str]:
    """Return the rules of a festival's fund that an event does not have, a sentence each."""
    order = (
        _(
            "The order among the sections is the percentage of the possible points, then the place in the "
            "section."
        )
        if festival.prizes_by == Festival.PrizesBy.PERCENT
        else _("The order among the sections is the points, then the place in the section.")
    )
    if rules.is_cumulative:
        return [order]
    return [
        order,
        _(
            "A player whose prize in the section is at least as large wins that one, and the prize here "
            "goes to the next."
        ),
    ]


def section_rules_text() -> list[str]:
    """Return the rule of a section whose festival has prizes."""
    return [_("Players who win a larger prize of the festival win none here.")]


def why(award: Award, names: Mapping[int, str], rules: Rules, currency: str) -> list[str]:
    """Return the computation of an award, one sentence for each step.

    `names` are by pairing number.
    """
    sentences: list[str] = []
    if len(award.sharers) > 1:
        sentences += _shared(award, names, rules, currency)
    if award.is_rounded:
        sentences.append(
            _("Rounded from %(exact)s. The remainder goes to the higher placed.")
            % {"exact": exact_text(award.exact, currency)}
        )
    if award.elsewhere:
        others = ", ".join(names[each] for each in award.elsewhere)
        sentences.append(
            _("Better placed in this category, with a prize elsewhere: %(names)s.")
            % {"names": others}
        )
    return sentences


def _shared(award: Award, names: Mapping[int, str], rules: Rules, currency: str) -> Sequence[str]:
    pool = sum(prize.amount for prize in award.pool)
    last = award.first_place + len(award.pool) - 1
    parts = {
        "first": award.first_place,
        "last": last,
        "names": ", ".join(names[each] for each in award.sharers),
        "sums": " + ".join(_amount(prize, currency) for prize in award.pool),
        "pool": money_text(pool, currency),
        "count": len(award.sharers),
        "order": exact_text(award.by_order, currency),
        "points": exact_text(award.by_points, currency),
        "exact": exact_text(award.exact, currency),
    }
    equals = (
        _("Equal in place %(first)s: %(names)s.")
        if award.first_place == last
        else _("Equal in places %(first)s to %(last)s: %(names)s.")
    )
    if not pool:
        return [equals % parts]
    if rules.sharing is Sharing.HORT:
        sums = _(
            "Together %(sums)s = %(pool)s. Half by the order: %(order)s. Half shared by "
            "%(count)s: %(points)s. In all %(exact)s."
        )
    else:
        sums = _("Together %(sums)s = %(pool)s, shared by %(count)s: %(exact)s each.")
    return [equals % parts, sums % parts]


def _amount(prize: Prize, currency: str) -> str:
    amount = money.decimal(prize.amount, currency)
    return str(number_format(amount, decimal_pos=money.decimals(currency), force_grouping=True))
