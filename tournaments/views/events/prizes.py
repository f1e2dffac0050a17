"""The prizes of an event for all visitors: the fund, its rules, and the awards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Award, AwardList, Entry, Event
from tournaments.queries.events import prizes
from tournaments.queries.results import awards, result_corrections
from tournaments.queries.results.awards import EventAwards
from tournaments.text import prizes as words
from tournaments.views.access import get_event
from tournaments.views.events.pages import tab_context


@dataclass(frozen=True, slots=True)
class AwardLine:
    """An award as a page shows it, with its computation if that is known."""

    entry: Entry
    category: str
    place: int
    prize: str
    why: Sequence[str]


@dataclass(frozen=True, slots=True)
class FundLine:
    """A prize as a page shows it.

    `is_first` begins a category, `is_remaining` marks a prize without a winner.
    """

    category: str
    place: int
    prize: str
    is_first: bool
    is_remaining: bool


def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fund with the awards, or with the awards by the current standings."""
    event = get_event(slug)
    context = tab_context(request, event, "prizes") | context_of(event)
    return render(request, "events/prizes.html", context)


def context_of(event: Event) -> dict[str, Any]:
    """Return the context of the prizes on a page.

    `computed` are the awards by the current standings, `confirmed` those that the organiser has
    confirmed. `is_outdated` is true if the two differ.
    """
    row = prizes.row_of(event)
    outcome = awards.of_event(event)
    if outcome is None:
        return {"fund_lines": [], "confirmed": None, "currency": row.currency}
    confirmed = prizes.standing_awards(event)
    rows = awards.confirmed_rows(confirmed) if confirmed else []
    is_outdated = confirmed is not None and awards.differ(rows, outcome.rows())
    return {
        "fund_lines": _fund_lines(outcome),
        "fund_total": outcome.fund.total,
        "currency": outcome.currency,
        "rules": words.rules_text(outcome.fund.rules, outcome.currency),
        "computed": _computed_lines(outcome),
        "computed_total": outcome.total,
        "is_begun": bool(outcome.entries),
        "confirmed": confirmed,
        "confirmed_lines": _confirmed_lines(confirmed, rows) if confirmed else [],
        "is_outdated": is_outdated,
        "corrections": _corrections_since(event, confirmed) if confirmed else 0,
        "remaining": [
            (words.category_text(category), place, _text(prize, outcome.currency))
            for category, place, prize in outcome.remaining
        ],
    }


def _text(prize: Any, currency: str) -> str:  # noqa: ANN401 - a prize, an award or a row of either
    return words.prize_text(prize.amount, prize.words, currency)


def _fund_lines(outcome: EventAwards) -> list[FundLine]:
    remaining = {(category, place) for category, place, _ in outcome.remaining}
    return [
        FundLine(
            words.category_text(category),
            place,
            _text(prize, outcome.currency),
            is_first=place == 1,
            is_remaining=(category, place) in remaining,
        )
        for category, group in outcome.fund.by_category().items()
        for place, prize in enumerate(group, start=1)
    ]


def _computed_lines(outcome: EventAwards) -> list[AwardLine]:
    names: Mapping[int, str] = {tpn: entry.player.name for tpn, entry in outcome.entries.items()}
    rules, currency = outcome.fund.rules, outcome.currency
    return [
        AwardLine(
            winner.entry,
            words.category_text(winner.award.category),
            winner.award.place,
            words.prize_text(winner.award.amount, "; ".join(winner.award.words), currency),
            words.why(winner.award, names, rules, currency),
        )
        for winner in outcome.winners
    ]


def _confirmed_lines(confirmed: AwardList, rows: Sequence[Award]) -> list[AwardLine]:
    return [
        AwardLine(
            row.entry,
            words.category_text(prizes.category_of(row)),
            row.place,
            _text(row, confirmed.currency),
            (),
        )
        for row in rows
    ]


def _corrections_since(event: Event, confirmed: AwardList) -> int:
    """Return the number of results that were corrected after the awards were confirmed."""
    return sum(each.made_at > confirmed.made_at for each in result_corrections.of_event(event))
