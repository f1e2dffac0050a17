"""Suites: the start positions of SPRT tests."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.deprecation import Deprecated
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Suite
from tournaments.services.bots import suites as services

operations = Operations("Suites")


class SuiteRow(shapes.Shape):
    """A suite of start positions."""

    id: int
    name: str
    author: Annotated[
        shapes.PlayerName | None, Field(description="null of the suites of the site.")
    ]
    ruleset: str
    count: int
    created_at: datetime
    url: str


class SuiteShape(SuiteRow):
    """A suite with its start positions."""

    setups: Annotated[
        list[str], Field(description="As games have them in `setup`, in the order of the author.")
    ]


class SuiteQuery(PageQuery):
    """A search for suites."""

    ruleset: Annotated[str, Field(max_length=120)] = ""


class Openings(Body):
    """Different positions after random plies."""

    plies: Annotated[int, Field(ge=1, le=20)] = 4
    count: Annotated[int, Field(ge=1, le=1_000, description="Largest number of openings.")] = 200
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1


class NewSuite(Body):
    """A suite: `starts`, or `openings` if those are left out."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    ruleset: Annotated[str, Field(max_length=120)]
    starts: Annotated[
        str,
        Field(
            max_length=500_000,
            description="One start a line: a set-up as records have it, or a position. Lines that begin with # say nothing.",
        ),
    ] = ""
    openings: Openings | None = None


@operations.get("/suites", "suites", routes.OPEN, answer=Page[SuiteRow])
def suites(request: ApiRequest, query: Query[SuiteQuery]) -> HttpResponseBase:
    """Return all suites, the latest first."""
    rows = services.listing()
    if query.ruleset:
        rows = rows.filter(ruleset=query.ruleset)
    return paging.answer(request, rows, ["-pk"], query, _row)


@operations.get("/suites/{int:suite_id}", "suite", routes.OPEN)
def suite(request: ApiRequest, suite_id: int) -> SuiteShape:
    """Return a suite with its start positions."""
    return _shape(access.get_suite(suite_id))


@operations.post(
    "/suites",
    "suite-create",
    routes.NEW_SUITE,
    body='{"name": "Early", "ruleset": "morlox(size=5)", "openings": {"plies": 3, "count": 20}}',
)
def create(request: ApiRequest, response: HttpResponse, body: NewSuite) -> SuiteShape:
    """Add a suite. A line that is wrong is refused with its number."""
    owner = request.caller.account
    if body.starts.strip() or body.openings is None:
        row = services.add(owner=owner, name=body.name, ruleset=body.ruleset, text=body.starts)
    else:
        row = services.add_openings(
            owner=owner, name=body.name, ruleset=body.ruleset, **body.openings.model_dump()
        )
    response["Location"] = f"/api/v1/suites/{row.pk}"
    return _shape(row)


@operations.delete("/suites/{int:suite_id}", "suite-delete", routes.OWN_BOT)
def delete(request: ApiRequest, suite_id: int) -> None:
    """Delete a suite of yours that no test has begun from."""
    services.delete(suite_id=access.get_suite(suite_id).pk, actor=request.caller.account)


@operations.post(
    "/suites/{int:suite_id}/delete",
    "suite-delete-former",
    routes.OWN_BOT,
    status=200,
    deprecated=Deprecated(date(2026, 11, 27), date(2027, 6, 30), "DELETE /suites/{suite_id}"),
)
def delete_formerly(request: ApiRequest, suite_id: int) -> SuiteRow:
    """Delete a suite of yours that no test has begun from. The answer is the deleted suite."""
    row = access.get_suite(suite_id)
    services.delete(suite_id=row.pk, actor=request.caller.account)
    return _row(row)


def _row(row: Suite) -> SuiteRow:
    return SuiteRow.of(row, author=shapes.player_of(row.owner), url=row.get_absolute_url())


def _shape(row: Suite) -> SuiteShape:
    return SuiteShape(**_row(row).model_dump(), setups=row.starts)
