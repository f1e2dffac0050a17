"""SPRT tests: whether a version is stronger than another."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import SprtTest
from tournaments.queries.bots import sprt_tables
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import sprt_tests as services
from tournaments.services.bots import suites

operations = Operations("SPRT tests")


class SprtRow(shapes.Shape):
    """An SPRT test: whether the candidate is stronger by `elo1` than the base, or by `elo0` alone."""

    id: int
    author: shapes.PlayerName | None
    candidate: Annotated[shapes.PlayerName, Field(description="The candidate's player.")]
    base: shapes.PlayerName
    ruleset: str
    clock: str
    fuel: Annotated[int | None, Field(description="For each ply, in place of the clock.")]
    volunteer_priority: Annotated[
        int | None, Field(description="null if only the site plays it; 1 low, 2 normal, 3 high.")
    ]
    second_clock: Annotated[
        str | None, Field(description="The clock of a stage that follows when this one has passed.")
    ]
    first_stage: Annotated[
        int | None, Field(description="The SPRT test of which this one is the second stage.")
    ]
    model: str
    elo0: float
    elo1: float
    max_pairs: int
    suite: Annotated[
        int | None, Field(description="Start positions of pairs; null if each set-up is drawn.")
    ]
    state: Annotated[
        str,
        Field(
            description="running, passed, failed, open, stopped, or advanced: `second_stage` decides."
        ),
    ]
    reason: str
    created_at: datetime
    ended_at: datetime | None


class SprtShape(SprtRow):
    """An SPRT test with its state. `llr` is the log-likelihood ratio, between two bounds."""

    pairs: Annotated[
        list[int], Field(description="Pairs by the candidate's score, from 0 to 2 points.")
    ]
    pairs_under_way: int
    repetitions: Annotated[
        int, Field(description="Pairs that repeat earlier ones move by move, and do not count.")
    ]
    llr: float | None
    llr_lower: float
    llr_upper: float
    difference: shapes.Difference | None
    second_stage: Annotated[int | None, Field(description="The SPRT test that follows this one.")]
    url: str


class TracePoint(BaseModel):
    """The log-likelihood ratio after a number of pairs."""

    pairs: int
    llr: float


class SprtQuery(PageQuery):
    """A search for SPRT tests."""

    family: Annotated[str, Field(max_length=20)] = ""
    state: Literal["", "running", "advanced", "passed", "failed", "open", "stopped"] = ""
    version: Annotated[shapes.Id | None, Field(description="As candidate or as base.")] = None


class NewSprtTest(shapes.StartChoice):
    """An SPRT test of a version of yours."""

    base: Annotated[
        shapes.Id | None,
        Field(description="Another of yours, or a built-in bot; without, the version before."),
    ] = None
    ruleset: Annotated[str, Field(max_length=120)]
    clock: shapes.LabClock = "5+0.1"
    volunteer_priority: shapes.VolunteerPriority = None
    second_clock: Annotated[
        Literal["5+0.1", "10+0.1", "60+0.6"] | None,
        Field(description="Longer than `clock`. The test passes only if both clocks do."),
    ] = None
    model: Literal["logistic", "normalized"] = "logistic"
    elo0: Annotated[float, Field(ge=-1000, le=1000)] = 0
    elo1: Annotated[float, Field(ge=-1000, le=1000)] = 20
    max_pairs: Annotated[int, Field(ge=10, le=20_000)] = 1_000


@operations.get("/sprt", "sprt-tests", routes.OPEN, answer=Page[SprtRow])
def sprt_tests(request: ApiRequest, query: Query[SprtQuery]) -> HttpResponseBase:
    """Return all SPRT tests, the latest first."""
    rows = sprt_tables.listing(state=query.state, bot_id=query.version, family=query.family)
    return paging.answer(request, rows, ["-pk"], query, _row)


@operations.get("/sprt/{int:sprt_id}", "sprt-test", routes.OPEN)
def sprt_test(request: ApiRequest, sprt_id: int) -> SprtShape:
    """Return an SPRT test with its state."""
    return _shape(access.get_sprt_test(sprt_id))


@operations.get(
    "/sprt/{int:sprt_id}/trace", "sprt-test-trace", routes.OPEN, answer=Page[TracePoint]
)
def trace(request: ApiRequest, sprt_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the log-likelihood ratio after each pair that counted, in their order."""
    values = sprt_tables.trace(access.get_sprt_test(sprt_id))
    points = [TracePoint(pairs=pairs, llr=llr) for pairs, llr in enumerate(values, start=1)]
    return paging.answer_all(request, points, query)


@operations.post(
    "/bots/versions/{int:version_id}/sprt",
    "sprt-test-start",
    routes.NEW_TEST,
    body='{"ruleset": "morlox(size=5)", "elo1": 30}',
)
def start(
    request: ApiRequest, response: HttpResponse, version_id: int, body: NewSprtTest
) -> SprtShape:
    """Start an SPRT test of a version of yours, whose pairs are played immediately."""
    account = request.caller.account
    candidate = access.get_version_for(account, version_id)
    terms = Terms.read(body.clock)
    plan = services.Plan(
        candidate=candidate,
        base=services.base_of(account, candidate, body.base),
        ruleset=body.ruleset,
        clock=terms.clock,
        fuel=terms.fuel,
        volunteer_priority=body.volunteer_priority,
        model=body.model,
        elo0_centielo=round(100 * body.elo0),
        elo1_centielo=round(100 * body.elo1),
        max_pairs=body.max_pairs,
        suite=suites.chosen(account, body.chosen_start(), body.ruleset),
        second_clock=Clock.read(body.second_clock) if body.second_clock else None,
    )
    row = services.start(account, plan)
    response["Location"] = f"/api/v1/sprt/{row.pk}"
    return _shape(row)


@operations.post("/sprt/{int:sprt_id}/stop", "sprt-test-stop", routes.OWN_BOT, status=200)
def stop(request: ApiRequest, sprt_id: int) -> SprtShape:
    """Stop an SPRT test of yours without a verdict."""
    row = access.get_sprt_test(sprt_id)
    return _shape(services.stop(sprt_test_id=row.pk, actor=request.caller.account))


def _row(row: SprtTest) -> SprtRow:
    return SprtRow.of(
        row,
        author=shapes.player_of(row.owner),
        candidate=row.candidate.player,
        base=row.base.player,
        clock=Clock(row.clock_initial_ms, row.clock_increment_ms).text(),
        second_clock=second.text() if (second := sprt_tables.second_clock(row)) else None,
        first_stage=row.first_stage_id,
        elo0=row.elo0_centielo / 100,
        elo1=row.elo1_centielo / 100,
        suite=row.suite_id,
    )


def _shape(row: SprtTest) -> SprtShape:
    standing = sprt_tables.standing(row)
    return SprtShape(
        **_row(row).model_dump(),
        pairs=list(standing.counts),
        pairs_under_way=sprt_tables.under_way(row),
        repetitions=sprt_tables.repetitions(row),
        llr=standing.llr,
        llr_lower=standing.lower,
        llr_upper=standing.upper,
        difference=shapes.difference(standing.elo, standing.superiority),
        second_stage=SprtTest.objects.filter(first_stage=row.pk)
        .values_list("pk", flat=True)
        .first(),
        url=f"/sprt/{row.pk}/",
    )
