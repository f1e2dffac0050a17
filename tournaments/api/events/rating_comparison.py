"""The comparison of the entries of an event with a rating list, for the staff."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import Http404
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import dry_runs, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.dry_runs import DryRunQuery
from tournaments.api.events import shared
from tournaments.api.events.shared import EntryName
from tournaments.api.operations import Body, Operations
from tournaments.models import Event, RatingList
from tournaments.models.events import MAX_ROUNDS
from tournaments.models.rating_lists import LIST_NAME_LENGTH
from tournaments.queries.events import rating_comparison, rating_lists, staff
from tournaments.services.arbiter import rating_updates

operations = Operations("Rating lists of events", shared.ROUTER)

ListName = Annotated[
    str, Field(max_length=LIST_NAME_LENGTH, description="Empty for the first list of the event.")
]


class ListQuery(BaseModel):
    """The list to compare with. `is_start` compares with the ratings that lists had at the start."""

    rating_list: ListName = ""
    is_start: bool = False


class ComparedValue(EntryName):
    """A value of an entry and another one of the list. `code` names the difference in a choice."""

    code: str
    field: Annotated[str, Field(description="rating_elo, national_elo, title or name.")]
    own: int | str | None
    listed: int | str


class ComparedEntries(BaseModel):
    """The entries beside a list. `unknown` are entries that the list does not have."""

    rating_list: str
    uploaded_at: datetime | None
    differences: list[ComparedValue]
    unknown: list[EntryName]
    due: Annotated[
        list[str], Field(description="Lists of the event with other ratings since their upload.")
    ]


class ChosenValues(Body):
    """The values to store, by their codes, and the round from which ratings hold."""

    rating_list: ListName = ""
    codes: Annotated[list[Annotated[str, Field(max_length=120)]], Field(max_length=20_000)]
    from_round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 1


@operations.get("/events/{slug:event}/rating-comparison", "rating-comparison", routes.PRIVATE)
def comparison(request: ApiRequest, event: str, query: Query[ListQuery]) -> ComparedEntries:
    """Return the values in which entries and a rating list differ. No entry changes."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, staff.Task.ENTRIES)
    return _start(row) if query.is_start else _shape(row, _list(row, query.rating_list))


@operations.post(
    "/events/{slug:event}/rating-comparison",
    "rating-comparison-store",
    routes.DESK,
    status=200,
    body='{"rating_list": "FIDE", "codes": []}',
)
def take_over(
    request: ApiRequest, event: str, query: Query[DryRunQuery], body: ChosenValues
) -> ComparedEntries:
    """Store the chosen values of a list in the entries, and return the differences that are left."""
    row = shared.event_of(request, event)
    staff.require(row, request.caller.account, staff.Task.ENTRIES)
    rating_list = _list(row, body.rating_list)

    def act() -> ComparedEntries:
        rating_updates.take_over(
            event_id=row.pk,
            actor=request.caller.account,
            list_id=rating_list.pk,
            chosen=body.codes,
            from_round=body.from_round,
        )
        return _shape(row, rating_list)

    return dry_runs.run(act, is_dry=query.dry_run)


def _list(event: Event, name: str) -> RatingList:
    """Return the list of that name, or the first one of the event. Raises Http404."""
    lists = rating_lists.order_of(event).every
    chosen = next((each for each in lists if name in ("", each.name)), None)
    if chosen is None:
        raise Http404
    return chosen


def _shape(event: Event, rating_list: RatingList) -> ComparedEntries:
    compared = rating_comparison.compared(event, rating_list)
    return _entries(event, compared, rating_list.name, rating_list.uploaded_at)


def _start(event: Event) -> ComparedEntries:
    return _entries(event, rating_comparison.compared_with_start(event), "", None)


def _entries(
    event: Event,
    compared: rating_comparison.Comparison,
    name: str,
    uploaded_at: datetime | None,
) -> ComparedEntries:
    return ComparedEntries(
        rating_list=name,
        uploaded_at=uploaded_at,
        differences=[
            ComparedValue.of(each, **shared.entry_name(each.entry).model_dump(), field=each.column)
            for each in compared.differences
        ],
        unknown=[shared.entry_name(each) for each in compared.unknown],
        due=[each.rating_list.name for each in rating_comparison.due(event)],
    )
