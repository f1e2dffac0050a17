"""Tunings: gauntlets that look for better values of a version's options."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.models import Gauntlet, TunedPair, TuningIteration
from tournaments.queries.bots import tunings
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import gauntlets as services
from tournaments.services.bots import suites

operations = Operations("Gauntlets")

_Number = Annotated[float, Field(ge=-1e9, le=1e9)]


class ParameterShape(shapes.Shape):
    """A parameter of a tuning, and its value now."""

    name: str
    is_whole: bool
    start: float
    low: float
    high: float
    c_end: float
    r_end: float
    value: Annotated[str, Field(description="The current value as a program receives it.")]
    estimate: float
    last_change: float


class TuningShape(BaseModel):
    """A tuning. Its state and opponent are those of the gauntlet of this number."""

    gauntlet: int
    state: Annotated[str, Field(description="running, done or stopped")]
    iterations: int
    results: Annotated[int, Field(description="Iterations whose results are known.")]
    seed: Annotated[
        int, Field(description="Decides the signs: the bits of the SHA-256 of `SEED:ITERATION`.")
    ]
    parameters: list[ParameterShape]
    url: str


class TunedPairShape(BaseModel):
    """A pair of games of an iteration."""

    is_raised: bool
    options: Annotated[
        dict[str, str], Field(description="The values that the program received in both games.")
    ]
    points: Annotated[float | None, Field(description="The version's, 0 to 2; null before.")]
    games: Annotated[list[int], Field(description="The ids of both games.")]


class IterationShape(shapes.Shape):
    """An iteration of a tuning. A void pair is followed by another one."""

    number: int
    results_before: Annotated[
        int, Field(description="The results in the estimate around which its values were drawn.")
    ]
    place: Annotated[int | None, Field(description="Among the results; null before.")]
    difference: Annotated[
        float | None, Field(description="Points with raised values less those with lowered ones.")
    ]
    pairs: list[TunedPairShape]


class NewParameter(Body):
    """A number to tune: an option that the program of the version declares."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    type: Literal["int", "float"]
    start: _Number
    low: _Number
    high: _Number
    c_end: Annotated[
        _Number | None, Field(description="null: a twentieth of the range, for int at least 0.5.")
    ] = None
    r_end: Annotated[_Number | None, Field(description="null: 0.02.")] = None


class NewTuning(shapes.StartChoice):
    """A tuning of a version of yours."""

    opponent: Annotated[shapes.Id, Field(description="The number of a bot.")]
    ruleset: Annotated[str, Field(max_length=120)]
    clock: shapes.LabClock = "5+0.1"
    volunteer_priority: shapes.VolunteerPriority = None
    parameters: Annotated[
        list[NewParameter], Field(min_length=1, max_length=tunings.MAX_PARAMETERS)
    ]
    iterations: Annotated[int, Field(ge=1, le=5_000)] = tunings.USUAL_ITERATIONS


@operations.post(
    "/bots/versions/{int:version_id}/tunings",
    "tuning-start",
    routes.NEW_TEST,
    body=(
        '{"opponent": $OPPONENT, "ruleset": "morlox(size=5)", "iterations": 4,'
        ' "parameters": [{"name": "Depth", "type": "int", "start": 3, "low": 1, "high": 9}]}'
    ),
)
def start(
    request: ApiRequest, response: HttpResponse, version_id: int, body: NewTuning
) -> TuningShape:
    """Start a tuning of a version of yours, whose pairs are played immediately."""
    account = request.caller.account
    terms = Terms.read(body.clock)
    plan = services.Plan(
        candidate=access.get_version_for(account, version_id),
        opponents=[access.get_bot(body.opponent)],
        ruleset=body.ruleset,
        clock=terms.clock,
        fuel=terms.fuel,
        volunteer_priority=body.volunteer_priority,
        parameters=[
            tunings.parameter(
                each.name,
                each.start,
                each.low,
                each.high,
                is_whole=each.type == "int",
                c_end=each.c_end,
                r_end=each.r_end,
            )
            for each in body.parameters
        ],
        iterations=body.iterations,
        suite=suites.chosen(account, body.chosen_start(), body.ruleset),
    )
    row = services.start(account, plan)
    response["Location"] = f"/api/v1/gauntlets/{row.pk}/tuning"
    return _shape(row)


@operations.get("/gauntlets/{int:gauntlet_id}/tuning", "gauntlet-tuning", routes.OPEN)
def tuning(request: ApiRequest, gauntlet_id: int) -> TuningShape:
    """Return the parameters of a tuning with their current values."""
    return _shape(access.get_tuning(gauntlet_id))


@operations.get(
    "/gauntlets/{int:gauntlet_id}/iterations",
    "gauntlet-iterations",
    routes.OPEN,
    answer=Page[IterationShape],
)
def iterations(request: ApiRequest, gauntlet_id: int, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the iterations of a tuning, the latest first, with the values of their games."""
    rows = tunings.iterations_of(access.get_tuning(gauntlet_id))
    return paging.answer(request, rows, ["-pk"], query, _iteration)


def _shape(row: Gauntlet) -> TuningShape:
    courses = tunings.parameter_courses(row)
    return TuningShape(
        gauntlet=row.pk,
        state=row.state,
        iterations=row.iterations or 0,
        results=len(courses[0].estimates) - 1,
        seed=row.seed,
        parameters=[_parameter(each) for each in courses],
        url=f"/gauntlets/{row.pk}/",
    )


def _parameter(course: tunings.ParameterCourse) -> ParameterShape:
    return ParameterShape.of(
        course.parameter,
        value=course.text,
        estimate=course.estimate,
        last_change=course.last_change,
    )


def _iteration(row: TuningIteration) -> IterationShape:
    return IterationShape.of(row, pairs=[_pair(each) for each in row.pairs.all()])


def _pair(row: TunedPair) -> TunedPairShape:
    halves = row.pair.score_halves
    return TunedPairShape(
        is_raised=row.is_raised,
        options=row.options,
        points=None if halves is None else halves / 2,
        games=[game.pk for game in row.pair.match.games.all()],
    )
