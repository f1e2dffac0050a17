"""The prize fund of an event: a prize, a total by percentages, and the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models import PrizeFund
from tournaments.models.prizes import MAX_TEXT, MAX_WORDS, CategoryKind
from tournaments.queries.events import prizes
from tournaments.standings.prizes import Category, Kind, Rules, Sharing, money
from tournaments.standings.prizes.categories import WITH_TEXT

_LARGEST = Decimal(10**9)


class AmountField(forms.DecimalField):
    """A sum of money as a decimal."""

    def __init__(self, **options: object) -> None:
        super().__init__(
            max_value=_LARGEST,
            min_value=Decimal(0),
            max_digits=14,
            decimal_places=4,
            widget=forms.NumberInput(attrs={"step": "any"}),
            **options,  # type: ignore[arg-type]  # whatever a field takes
        )


def minor(amount: Decimal | None, currency: str) -> int:
    """Return the sum in minor units.

    Raises RefusedError `prize-currency` if it is not a whole number.
    """
    units = money.minor_units(amount or Decimal(0), currency)
    if units is None:
        raise RefusedError("prize-currency", str(amount))
    return units


class PrizeForm(forms.Form):
    """A prize that is added to the fund."""

    kind = forms.ChoiceField(label=_("For whom"), choices=CategoryKind.choices)
    rating_from = forms.IntegerField(
        label=_("Rating from"), required=False, min_value=0, max_value=prizes.MAX_RATING
    )
    rating_below = forms.IntegerField(
        label=_("Rating under"), required=False, min_value=0, max_value=prizes.MAX_RATING
    )
    text = forms.CharField(
        label=_("Club, federation, category, age group or sex"),
        required=False,
        max_length=MAX_TEXT,
        help_text=_("An age group is U18 or S50, a sex is w or m."),
    )
    amount = AmountField(label=_("Sum of money"), required=False)
    words = forms.CharField(
        label=_("Something else"),
        required=False,
        max_length=MAX_WORDS,
        help_text=_("For example a cup. It is not shared."),
    )

    def category(self) -> Category:
        """Return the category that the form names, without the values that its kind does not use."""
        cleaned = self.cleaned_data
        kind = Kind(cleaned["kind"])
        is_band = kind is Kind.RATING
        return Category(
            kind,
            cleaned["rating_from"] if is_band else None,
            cleaned["rating_below"] if is_band else None,
            cleaned["text"] if kind in WITH_TEXT else "",
        )


class DivisionForm(forms.Form):
    """A total that is divided among the first places."""

    total = AmountField(label=_("Total"))
    percents = forms.CharField(
        label=_("Percentages"),
        max_length=200,
        initial="60/30/10",
        help_text=_("For the first places, such as 60/30/10 or 40/25/15/12/8."),
    )

    def parts(self) -> Sequence[int]:
        """The percentages. Raises RefusedError `prize-percents`."""
        text = self.cleaned_data["percents"]
        if not re.fullmatch(r"\s*[0-9]{1,3}(\s*/\s*[0-9]{1,3})*\s*", text):
            raise RefusedError("prize-percents", text)
        return [int(part) for part in text.split("/")]


class RulesForm(forms.Form):
    """The rules of the prizes."""

    currency = forms.CharField(
        label=_("Currency"),
        min_length=3,
        max_length=3,
        help_text=_("Three letters, such as EUR or JPY."),
    )
    sharing = forms.ChoiceField(label=_("Sharing"), choices=PrizeFund.Sharing.choices)
    rounding = AmountField(
        label=_("Sums are multiples of"),
        help_text=_("The remainder goes to the higher placed."),
    )
    is_cumulative = forms.BooleanField(
        label=_("One player can win in several categories"),
        required=False,
        help_text=_("Otherwise each player wins at most one prize, the most valuable one."),
    )
    least_points = forms.DecimalField(
        label=_("Points at least"), required=False, min_value=Decimal(0), max_value=Decimal(500)
    )
    least_games = forms.IntegerField(
        label=_("Games played at least"), required=False, min_value=0, max_value=1000
    )

    @classmethod
    def of_fund(cls, row: PrizeFund) -> RulesForm:
        """Return the form with the current rules."""
        return cls(
            initial={
                "currency": row.currency,
                "sharing": row.sharing,
                "rounding": money.decimal(row.rounding, row.currency),
                "is_cumulative": row.is_cumulative,
                "least_points": row.least_points_halves / 2 or None,
                "least_games": row.least_games or None,
            }
        )

    def currency_code(self) -> str:
        """The currency in capitals."""
        return str(self.cleaned_data["currency"]).upper()

    def rules(self) -> Rules:
        """The rules. Raises RefusedError `prize-rules` or `prize-currency`."""
        cleaned = self.cleaned_data
        halves = 2 * (cleaned["least_points"] or Decimal(0))
        if halves != halves.to_integral_value():
            raise RefusedError("prize-rules", str(cleaned["least_points"]))
        return Rules(
            sharing=Sharing(cleaned["sharing"]),
            rounding=minor(cleaned["rounding"], self.currency_code()),
            is_cumulative=cleaned["is_cumulative"],
            least_points_halves=int(halves),
            least_games=cleaned["least_games"] or 0,
        )
