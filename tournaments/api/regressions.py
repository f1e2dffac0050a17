"""Regressions of a bot: its new versions against the first one, by night."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from tournaments.api import routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.edges import access
from tournaments.models import Regression
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import regressions as services

operations = Operations("Gauntlets")


class RegressionTerms(shapes.Shape):
    """The terms by which each new active version of a bot is played against the first one by night."""

    ruleset: str
    clock: str
    fuel: Annotated[int | None, Field(description="For each ply, in place of the clock.")]
    volunteer_priority: Annotated[
        int | None, Field(description="null if only the site plays them; 1 low, 2 normal, 3 high.")
    ]
    pairs: int


class RegressionShape(BaseModel):
    """The regressions of a bot. `GET /gauntlets?regressions_of=` lists their results."""

    terms: Annotated[RegressionTerms | None, Field(description="null if regressions are off.")]


class NewTerms(Body):
    """The terms of the regressions of a bot."""

    ruleset: Annotated[str, Field(max_length=120)]
    clock: shapes.LabClock = "5+0.1"
    volunteer_priority: shapes.VolunteerPriority = None
    pairs: Annotated[int, Field(ge=1, le=100)] = services.USUAL_PAIRS


@operations.get("/bots/lines/{int:line_id}/regression", "line-regression", routes.PRIVATE)
def regression(request: ApiRequest, line_id: int) -> RegressionShape:
    """Return the terms of the regressions of a bot of yours."""
    line = access.get_own_line_for(request.caller.account, line_id)
    return _shape(services.of_line(line.pk))


@operations.put(
    "/bots/lines/{int:line_id}/regression",
    "line-regression-on",
    routes.OWN_BOT,
    body='{"ruleset": "morlox(size=5)", "pairs": 40}',
)
def switch_on(request: ApiRequest, line_id: int, body: NewTerms) -> RegressionShape:
    """Play each new active version of a bot of yours against its first one, by night and unrated."""
    line = access.get_own_line_for(request.caller.account, line_id)
    row = services.switch_on(
        line=line,
        ruleset=body.ruleset,
        terms=Terms.read(body.clock),
        volunteer_priority=body.volunteer_priority,
        pairs=body.pairs,
    )
    return _shape(row)


@operations.delete("/bots/lines/{int:line_id}/regression", "line-regression-off", routes.OWN_BOT)
def switch_off(request: ApiRequest, line_id: int) -> None:
    """Start no further regression of a bot of yours."""
    services.switch_off(access.get_own_line_for(request.caller.account, line_id))


def _shape(row: Regression | None) -> RegressionShape:
    if row is None:
        return RegressionShape(terms=None)
    return RegressionShape(terms=RegressionTerms.of(row, clock=Terms.of(row).clock.text()))
