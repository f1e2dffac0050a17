"""Vacations: days on which the account's correspondence clocks are stopped."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.models import Player
from tournaments.queries.clocks import vacation_days
from tournaments.services.clocks import vacations

operations = Operations("Vacations")


class VacationState(BaseModel):
    """The vacation that runs, if any, and the days that are left this year."""

    started_at: datetime | None
    ends_at: datetime | None
    days_left: int


class NewVacation(Body):
    """The length of a vacation in whole days."""

    days: Annotated[int, Field(ge=1, le=vacation_days.BUDGET_DAYS)]


@operations.get("/me/vacation", "vacation", routes.PRIVATE)
def vacation(request: ApiRequest) -> VacationState:
    """Return your vacation."""
    return _state(request.caller.seat)


@operations.post("/me/vacation", "vacation-start", routes.ACCOUNT, body='{"days": 7}')
def start(request: ApiRequest, body: NewVacation) -> VacationState:
    """Begin a vacation now. Your correspondence clocks are stopped until it ends."""
    seat = request.caller.seat
    vacations.start(player=seat, days=body.days)
    return _state(seat)


@operations.delete("/me/vacation", "vacation-end", routes.ACCOUNT)
def end(request: ApiRequest) -> None:
    """End your vacation now. Without one this has no effect."""
    seat = request.caller.seat
    if vacation_days.running(seat) is not None:
        vacations.end(player=seat)


def _state(player: Player) -> VacationState:
    row = vacation_days.running(player)
    return VacationState(
        started_at=row.started_at if row else None,
        ends_at=row.ends_at if row else None,
        days_left=vacation_days.days_left(player, database_time.now()),
    )
