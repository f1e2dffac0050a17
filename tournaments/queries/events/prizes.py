"""The prize fund of an event or a festival before the award: its prizes and rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Q, Sum

from tournaments.models import Award, AwardList, Event, Festival, Prize, PrizeFund
from tournaments.standings.prizes import (
    Category,
    Fund,
    Kind,
    Rules,
    Sharing,
)
from tournaments.standings.prizes import Prize as FundPrize

MAX_RATING = 4000

Owner = Event | Festival


def _key(owner: Owner) -> dict[str, Any]:
    """Return the column of funds and awards that refers to the owner."""
    return {"event" if isinstance(owner, Event) else "festival": owner}


def has_prizes(owner: Owner) -> bool:
    """Return whether there is anything to win."""
    return Prize.objects.filter(fund__in=PrizeFund.objects.filter(**_key(owner))).exists()


def row_of(owner: Owner) -> PrizeFund:
    """Return the row with the owner's rules, unsaved if there is none yet."""
    return PrizeFund.objects.filter(**_key(owner)).first() or PrizeFund(**_key(owner))


def fund_of(owner: Owner) -> Fund:
    """Return the owner's fund in the form of the rules of prizes, empty without prizes."""
    return fund_in(row_of(owner))


def festival_fund(event: Event) -> PrizeFund | None:
    """Return the fund of the event's festival, with the festival, if its prizes exclude those of sections."""
    rows = PrizeFund.objects.filter(festival__sections__event=event, is_cumulative=False)
    return rows.exclude(prizes=None).select_related("festival").first()


def fund_in(row: PrizeFund) -> Fund:
    """The fund of a row with its rules."""
    prizes = row.prizes.all() if row.pk else []
    return Fund(tuple(map(_prize, prizes)), rules_of(row))


def rules_of(row: PrizeFund) -> Rules:
    """The rules in a row."""
    return Rules(
        sharing=Sharing(row.sharing),
        rounding=row.rounding,
        is_cumulative=row.is_cumulative,
        least_points_halves=row.least_points_halves,
        least_games=row.least_games,
    )


def category_of(row: Prize | Award) -> Category:
    """The category that a row speaks of."""
    return Category(Kind(row.kind), row.rating_from, row.rating_below, row.text)


def columns_of(category: Category) -> dict[str, str | int | None]:
    """The columns of rows that a category fills."""
    return {
        "kind": category.kind.value,
        "rating_from": category.rating_from,
        "rating_below": category.rating_below,
        "text": category.text,
    }


def _prize(row: Prize) -> FundPrize:
    return FundPrize(category_of(row), row.amount, row.words)


@dataclass(frozen=True, slots=True)
class Summary:
    """The prizes in two figures, and whether they are awarded.

    Attributes:
        total: all the money, in minor units of `currency`.
        things: the number of prizes that are not, or not only, money.
    """

    currency: str
    total: int
    things: int
    is_awarded: bool


def summary(event: Event) -> Summary | None:
    """Return the summary of the event's prizes; None without prizes."""
    standing = AwardList.objects.filter(event=event, taken_back_at=None)
    rows = Prize.objects.filter(fund__event=event).values("fund__currency")
    sums = rows.annotate(
        total=Sum("amount"), things=Count("pk", filter=~Q(words="")), is_awarded=Exists(standing)
    )
    row = sums.order_by("fund__currency").first()
    if row is None:
        return None
    return Summary(row["fund__currency"], row["total"], row["things"], row["is_awarded"])


def standing_awards(owner: Owner) -> AwardList | None:
    """The awards that the organiser has confirmed and not taken back."""
    return AwardList.objects.filter(**_key(owner), taken_back_at=None).first()
