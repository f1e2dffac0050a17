"""Parts of the standings on pages: the filter of a visitor, the tables of categories, and shared places."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from tournaments.errors import RefusedError
from tournaments.forms.standings import StandingsFilterForm
from tournaments.models import Event
from tournaments.queries import formats
from tournaments.queries.events.staff import Task
from tournaments.queries.results import categories
from tournaments.queries.results.categories import CategoryRow
from tournaments.queries.results.standings import EventTable
from tournaments.text import prizes as words
from tournaments.text import refusals as refusal_text
from tournaments.views.events import windows

LISTED = 50


@dataclass(frozen=True, slots=True)
class NamedTable:
    """The table of a category with its name.

    Attributes:
        query: the parameters of the standings that show the whole table.
        count: the number of its players, of whom `rows` are the first.
    """

    name: str
    query: str
    count: int
    rows: Sequence[CategoryRow]


def filter_context(request: HttpRequest, event: Event, table: EventTable) -> dict[str, Any]:
    """Return the context of the filter: the form, and the chosen rows or the refusal of a value."""
    if not categories.has_parts(event) or not len(table.rows):
        return {}
    choices = categories.choices(event)
    context: dict[str, Any] = {
        "filter_form": StandingsFilterForm(request.GET, choices),
        "has_categories": bool(categories.declared(event)),
    }
    try:
        chosen = categories.chosen(request.GET.dict(), choices)
    except RefusedError as refusal:
        return context | {"filter_refusal": refusal_text.sentence(refusal)}
    if not chosen:
        return context
    part = categories.part(event, table, chosen)
    return context | {
        "filtered": ", ".join(map(words.category_text, chosen)),
        "filtered_count": len(part),
        "window": windows.window_at(len(part), request.GET, index=None, cut=part.rows),
    }


def named_tables(
    event: Event, table: EventTable, *, listed: int | None = None
) -> Sequence[NamedTable]:
    """Return the tables of the categories of the event, each with its first rows, or with all."""
    return [
        NamedTable(
            words.category_text(each.category),
            urlencode(each.query),
            len(each.part),
            each.part.rows(0, listed),
        )
        for each in categories.tables(event, table)
    ]


def tie_context(event: Event, table: EventTable, may: Collection[Task]) -> dict[str, Any]:
    """Return the shared places that were ordered by hand, and all of them for staff who may order them."""
    orders = table.hand_orders if event.tie_orders else []
    context: dict[str, Any] = {
        "hand_orders": [[entry.player.name for entry in order] for order in orders]
    }
    is_over = event.state == Event.State.FINISHED and formats.of(event).is_ranked_by_points
    if is_over and Task.RESULTS in may:
        context["ties"] = [*orders, *table.ties(LISTED)]
    return context
