"""Series of events: their tables with all terms, and the changes by the organiser."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import etags, paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Event, Series
from tournaments.models.series import MAX_DESCRIPTION, MAX_KEY, NAME_LENGTH
from tournaments.queries.archives import series_archive
from tournaments.queries.archives.series_archive import ArchivedRules, ArchivedTotal
from tournaments.queries.events import series as queries
from tournaments.services.series import changes, tables
from tournaments.services.series.changes import ACTS, About, Arguments
from tournaments.standings.series import MAX_BEST, MAX_PLACES, Method, Rules, Shared
from tournaments.text.house import event_name

operations = Operations("Series of events", shared.ROUTER)


class SeriesRow(shapes.Shape):
    """A series of events."""

    slug: str
    name: str
    description: str
    organiser: shapes.PlayerName | None
    rules: ArchivedRules
    created_at: datetime
    url: str


class SeriesEventRow(shapes.Shape):
    """An event of a series. Its results count if it `is_final`."""

    slug: str
    name: str
    state: str
    is_final: bool


class SeriesShape(SeriesRow):
    """A series with its events and its table. Points are exact fractions, such as `61/3`."""

    events: list[SeriesEventRow]
    totals: Annotated[
        list[ArchivedTotal],
        Field(description="Terms name events by their number in `events`, from 1."),
    ]


class SeriesChange(Body):
    """The name and the rules of a series. Members that are left out remain."""

    name: Annotated[str | None, Field(min_length=1, max_length=NAME_LENGTH)] = None
    description: Annotated[str | None, Field(max_length=MAX_DESCRIPTION)] = None
    method: Annotated[str | None, shapes.one_of(Method)] = None
    place_points: Annotated[
        list[int] | None,
        Field(max_length=MAX_PLACES, description="Points of the first places, best first."),
    ] = None
    shared: Annotated[str | None, shapes.one_of(Shared)] = None
    best: Annotated[
        int | None, Field(ge=0, le=MAX_BEST, description="Results that count; 0 for all.")
    ] = None

    def about(self, now: About) -> About:
        """Return the name and the description after the change."""
        name = now.name if self.name is None else self.name
        return About(name, now.description if self.description is None else self.description)

    def rules(self, now: Rules) -> Rules:
        """Return the rules after the change."""
        changed = {
            "method": None if self.method is None else Method(self.method),
            "place_points": None if self.place_points is None else tuple(self.place_points),
            "shared": None if self.shared is None else Shared(self.shared),
            "best": self.best,
        }
        given = {name: value for name, value in changed.items() if value is not None}
        return replace(now, **given)  # type: ignore[arg-type]  # the types of the members above


class NewSeries(SeriesChange):
    """A series: its name, and the rules that differ from points by place without an end."""

    name: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)]


class SeriesAct(Body):
    """An action on a series.

    `add`, `remove` and `earlier` take an event. `join` takes two rows of the table by `person`, `separate`
    an entry such as `entry:7`, and `restore` the key of such a decision.
    """

    act: Annotated[str, shapes.one_of([code for code in ACTS if code != "delete"])]
    event: Annotated[str, Field(max_length=80)] = ""
    person: Annotated[str, Field(max_length=MAX_KEY)] = ""
    other: Annotated[str, Field(max_length=MAX_KEY)] = ""


@operations.get("/series", "series-list", routes.OPEN, answer=Page[SeriesRow])
def series_list(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return all series, the latest first."""
    return paging.answer(request, queries.listing(), ["-pk"], query, _row)


@operations.get_later("/series/{slug:series}", "series", routes.COMPUTED)
def series(request: ApiRequest, series: str) -> SeriesShape:
    """Return a series with its table, each total with its terms."""
    return _shape(access.get_series(series))


@operations.post(
    "/series",
    "series-create",
    routes.NEW_EVENT,
    body='{"name": "Grand Prix", "place_points": [25, 20, 16, 13, 11, 10], "best": 4}',
)
def create(request: ApiRequest, response: HttpResponse, body: NewSeries) -> SeriesRow:
    """Create a series without events. You are its organiser."""
    row = changes.create(
        organiser=request.caller.account, about=body.about(About("")), rules=body.rules(Rules())
    )
    response["Location"] = f"/api/v1/series/{row.slug}"
    return _row(row)


@operations.patch(
    "/series/{slug:series}", "series-change", routes.DESK, body='{"method": "points"}'
)
def change(request: ApiRequest, series: str, body: SeriesChange) -> SeriesRow:
    """Change the name and the rules of a series."""
    row = access.get_series(series)
    etags.require(request, _row(row))
    return _row(
        changes.change(
            series_id=row.pk,
            actor=request.caller.account,
            about=body.about(About(row.name, row.description)),
            rules=body.rules(queries.rules_of(row)),
        )
    )


@operations.post(
    "/series/{slug:series}/acts",
    "series-act",
    routes.DEAR_AT_DESK,
    status=200,
    body='{"act": "add", "event": "$EVENT"}',
)
def act(request: ApiRequest, series: str, body: SeriesAct) -> list[SeriesEventRow]:
    """Add, remove or move an event, or decide which rows are one person. The answer has the events."""
    row = access.get_series(series)
    arguments = Arguments(body.event, body.person, body.other)
    changes.run(code=body.act, series_id=row.pk, actor=request.caller.account, arguments=arguments)
    return [_event(each) for each in queries.events_of(row)]


@operations.delete("/series/{slug:series}", "series-delete", routes.DESK)
def delete(request: ApiRequest, series: str) -> None:
    """Delete a series of yours. Its events stay."""
    row = access.get_series(series)
    changes.run(
        code="delete", series_id=row.pk, actor=request.caller.account, arguments=Arguments()
    )


def _row(row: Series) -> SeriesRow:
    return SeriesRow.of(
        row,
        organiser=shapes.player_of(row.organiser),
        rules=series_archive.rules_of(queries.rules_of(row)),
        url=row.get_absolute_url(),
    )


def _event(event: Event) -> SeriesEventRow:
    is_final = event.state == Event.State.FINISHED
    return SeriesEventRow.of(event, name=event_name(event), is_final=is_final)


def _shape(row: Series) -> SeriesShape:
    table = tables.of(row)
    return SeriesShape(
        **_row(row).model_dump(exclude={"rules"}),
        rules=series_archive.rules_of(table.rules),
        events=[_event(each.event) for each in table.events],
        totals=[
            series_archive.total_of(each, table.people[each.person].name) for each in table.rows
        ],
    )
