"""Regressions of a bot: its new versions against the first one, by night."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.edges import access
from tournaments.models import Regression
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services import regressions as services

operations = Operations("Gauntlets")


class RegressionTerms(BaseModel):
    """The terms by which each new active version of a bot is played against the first one by night."""

    ruleset: str
    clock: str
    pairs: int


class RegressionShape(BaseModel):
    """The regressions of a bot. `GET /gauntlets?regressions_of=` lists their results."""

    terms: Annotated[RegressionTerms | None, Field(description="null if regressions are off.")]


class NewTerms(Body):
    """The terms of the regressions of a bot."""

    ruleset: Annotated[str, Field(max_length=120)]
    clock: Literal["1+0.05", "5+0.1", "10+0.1", "60+0.6"] = "5+0.1"
    pairs: Annotated[int, Field(ge=1, le=100)] = services.USUAL_PAIRS


@operations.get(
    "/bots/lines/{int:line_id}/regression",
    "line-regression",
    routes.PRIVATE,
    answer=RegressionShape,
)
def regression(request: ApiRequest, line_id: int) -> RegressionShape:
    """Return the terms of the regressions of a bot of yours."""
    line = access.get_own_line_for(request.caller.account, line_id)
    return _shape(services.of_line(line.pk))


@operations.put(
    "/bots/lines/{int:line_id}/regression",
    "line-regression-on",
    routes.OWN_BOT,
    answer=RegressionShape,
    body='{"ruleset": "morlox(size=5)", "pairs": 40}',
)
def switch_on(request: ApiRequest, line_id: int, body: NewTerms) -> RegressionShape:
    """Play each new active version of a bot of yours against its first one, by night and unrated."""
    line = access.get_own_line_for(request.caller.account, line_id)
    clock = Clock.read(body.clock)
    return _shape(
        services.switch_on(line=line, ruleset=body.ruleset, clock=clock, pairs=body.pairs)
    )


@operations.delete("/bots/lines/{int:line_id}/regression", "line-regression-off", routes.OWN_BOT)
def switch_off(request: ApiRequest, line_id: int) -> None:
    """Start no further regression of a bot of yours."""
    services.switch_off(access.get_own_line_for(request.caller.account, line_id))


def _shape(row: Regression | None) -> RegressionShape:
    if row is None:
        return RegressionShape(terms=None)
    clock = Clock(row.clock_initial_ms, row.clock_increment_ms).text()
    return RegressionShape(terms=RegressionTerms(ruleset=row.ruleset, clock=clock, pairs=row.pairs))
