"""Forecasts of events that a user plans."""

from __future__ import annotations

from typing import Annotated

from django.http import Http404, HttpResponse
from ninja import Status
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.models import Forecast
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.forecasts import courses, plans
from tournaments.services.forecasts import requests
from tournaments.services.results.computations import ComputingError

operations = Operations("Forecasts")

_Format = Annotated[str, shapes.one_of(courses.FORMATS)]
_Number = Annotated[int, Field(ge=1, le=100)]


class EventIdea(Body):
    """An event that you plan to run. Values that the format does not use are ignored."""

    format: _Format = "dutch"
    ruleset: Annotated[str, Field(max_length=120)]
    clock: Annotated[str, Field(max_length=40)] = "600+10"
    players: Annotated[int, Field(ge=2, le=300)] = 24
    rounds_total: Annotated[int, Field(ge=1, le=30, description="Rounds of a Swiss.")] = 5
    spread_elo: Annotated[
        int, Field(ge=1, le=1_000, description="The standard deviation of the players' ratings.")
    ] = 200
    deviation_elo: Annotated[
        int, Field(ge=1, le=350, description="The standard error of each of them.")
    ] = 100
    cycles: Annotated[int, Field(ge=1, le=2)] = 1
    groups: _Number = 4
    qualifiers: _Number = 2
    pause_s: Annotated[int, Field(ge=0, le=7 * 86_400)] = 60
    games_per_pairing: Annotated[
        int, Field(ge=1, le=2, description="Games of a pairing of a Swiss.")
    ] = 1


class Spans(BaseModel):
    """The median of the simulated events, and the bounds between which 19 of 20 lie."""

    median: float
    low: float
    high: float


class Expectations(BaseModel):
    """The expected values of a plan.

    Shares are from 0 to 1. The other values are for one event. `order` is Kendall's tau of the
    final ranks and the true strengths. `absolute` counts players without the colour that they are
    due absolutely. `third` counts colours repeated three games running, and `idle` rounds without
    an opponent. `rematches` counts players who meet an opponent again. `stuck` is the share of
    events whose rounds cannot all be paired. `minutes` is null without a clock.
    """

    simulations: int
    strongest_wins: shapes.Estimate
    strongest_in_three: shapes.Estimate
    favourite_wins: shapes.Estimate
    order: shapes.Estimate
    rounds: Spans
    minutes: Spans | None
    absolute: shapes.Estimate
    third: shapes.Estimate
    idle: shapes.Estimate
    rematches: shapes.Estimate
    stuck: shapes.Estimate


class PlanForecastShape(BaseModel):
    """The forecast of a plan, at `/forecasts/{key}` for a week.

    `answer` is null until it is `done`.
    """

    key: str
    state: Annotated[str, Field(description="open, done, or failed")]
    answer: Expectations | None


@operations.post(
    "/forecasts",
    "forecast-plan",
    routes.FORECAST,
    answer=PlanForecastShape,
    status=200,
    body='{"ruleset": "morlox", "players": 12, "rounds_total": 4}',
    may_be_later=True,
)
def ask(request: ApiRequest, response: HttpResponse, body: EventIdea) -> Status[PlanForecastShape]:
    """Simulate an event before it exists: its winners, the certainty of its order, its duration.

    Equal questions have equal answers. A worker computes the answer: 202, and it is at `Location`
    later.
    """
    values = body.model_dump() | {"clock": Clock.read(body.clock)}
    plan = plans.plan_of(plans.Idea(**values))
    forecast = requests.of_plan(plan, database_time.now())
    response["Location"] = f"/api/v1/forecasts/{forecast.key}"
    is_open = forecast.state == Forecast.State.OPEN
    return Status(202 if is_open else 200, _shape(forecast))


@operations.get_later("/forecasts/{slug:key}", "forecast", routes.PRIVATE)
def forecast(request: ApiRequest, key: str) -> PlanForecastShape:
    """Return the forecast of a plan, or 202 until a worker has computed it."""
    row = Forecast.objects.filter(key=key, event=None).first()
    if row is None:
        raise Http404
    if row.state == Forecast.State.OPEN:
        raise ComputingError("forecast")
    return _shape(row)


def _shape(forecast: Forecast) -> PlanForecastShape:
    answer = requests.answer_of_plan(forecast)
    return PlanForecastShape(
        key=forecast.key,
        state=forecast.state,
        answer=None
        if answer is None
        else Expectations.model_validate(
            {**answer.to_json(), "simulations": answer.events}, strict=False
        ),
    )
