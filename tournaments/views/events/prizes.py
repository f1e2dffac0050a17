"""The prizes of an event or a festival for all visitors: the fund, its rules, and the awards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Award, AwardList, Entry, Event, Festival
from tournaments.queries.events import prizes
from tournaments.queries.events.prizes import Owner
from tournaments.queries.results import awards, festival_awards, result_corrections
from tournaments.queries.results.prize_outcomes import EventAwards
from tournaments.standings.prizes import Category, Fund, Prize
from tournaments.text import prizes as words
from tournaments.views.events.pages import tab_context


@dataclass(frozen=True, slots=True)
class AwardLine:
    """An award as a page shows it, with its computation if that is known.

    `section` is the name of the event, which pages of festivals show.
    """

    entry: Entry
    category: str
    place: int
    prize: str
    why: Sequence[str]
    section: str


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


def overview(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the fund with the awards, or with the awards by the current standings."""
    context = tab_context(request, event, "prizes") | context_of(event)
    return render(request, "events/prizes.html", context)


def context_of(owner: Owner) -> dict[str, Any]:
    """Return the context of the prizes on a page.

    `computed` are the awards by the current standings, `confirmed` those that the organiser has
    confirmed. `is_outdated` is true if the two differ.
    """
    row = prizes.row_of(owner)
    outcome = awards.of_owner(owner)
    if outcome is None:
        return {"fund_lines": [], "confirmed": None, "currency": row.currency}
    confirmed = prizes.standing_awards(owner)
    rows = awards.confirmed_rows(confirmed) if confirmed else []
    is_outdated = confirmed is not None and awards.differ(rows, outcome.rows())
    return {
        "fund_lines": _fund_lines(outcome.fund, outcome.currency, outcome.remaining),
        "fund_total": outcome.fund.total,
        "currency": outcome.currency,
        "rules": words.rules_text(outcome.fund.rules, outcome.currency)
        + _festival_rules(owner, outcome),
        "computed": _computed_lines(outcome),
        "computed_total": outcome.total,
        "is_begun": bool(outcome.entries),
        "confirmed": confirmed,
        "confirmed_lines": _confirmed_lines(confirmed, rows) if confirmed else [],
        "is_outdated": is_outdated,
        "corrections": _corrections_since(owner, confirmed) if confirmed else 0,
        "elsewhere": outcome.elsewhere,
        "is_over": _is_over(owner),
        "remaining": [
            (words.category_text(category), place, _text(prize, outcome.currency))
            for category, place, prize in outcome.remaining
        ],
    }


def summary_of(festival: Festival) -> dict[str, Any]:
    """Return the fund of a festival with its confirmed winners, without the standings of sections."""
    row = prizes.row_of(festival)
    fund = prizes.fund_in(row)
    confirmed = prizes.standing_awards(festival)
    rows = awards.confirmed_rows(confirmed) if confirmed else []
    return {
        "fund_lines": _fund_lines(fund, row.currency),
        "fund_total": fund.total,
        "currency": row.currency,
        "confirmed_lines": _confirmed_lines(confirmed, rows) if confirmed else [],
    }


def _is_over(owner: Owner) -> bool:
    events = _events(owner)
    return bool(events) and all(event.state == Event.State.FINISHED for event in events)


def _events(owner: Owner) -> list[Event]:
    """Return the event, or the sections whose players can win prizes of the festival."""
    return [owner] if isinstance(owner, Event) else festival_awards.sections_of(owner)


def _festival_rules(owner: Owner, outcome: EventAwards) -> list[str]:
    """Return the sentences about prizes of a festival: its own page, and on those of its sections."""
    if isinstance(owner, Event):
        return words.section_rules_text() if outcome.is_after_festival else []
    return words.festival_rules_text(owner, outcome.fund.rules)


def _text(prize: Any, currency: str) -> str:  # noqa: ANN401 - a prize, an award or a row of either
    return words.prize_text(prize.amount, prize.words, currency)


def _fund_lines(
    fund: Fund, currency: str, left: Sequence[tuple[Category, int, Prize]] = ()
) -> list[FundLine]:
    remaining = {(category, place) for category, place, _ in left}
    return [
        FundLine(
            words.category_text(category),
            place,
            _text(prize, currency),
            is_first=place == 1,
            is_remaining=(category, place) in remaining,
        )
        for category, group in fund.by_category().items()
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
            winner.event.name,
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
            row.entry.event.name,
        )
        for row in rows
    ]


def _corrections_since(owner: Owner, confirmed: AwardList) -> int:
    """Return the number of results that were corrected after the awards were confirmed."""
    return sum(
        each.made_at > confirmed.made_at
        for event in _events(owner)
        for each in result_corrections.of_event(event)
    )
