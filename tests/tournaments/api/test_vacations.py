"""Vacations by the API."""

from __future__ import annotations

from tests.tournaments.api.conftest import program_of
from tournaments.models import User
from tournaments.queries.clocks.vacation_days import BUDGET_DAYS


def test_a_vacation_begins_and_ends(ana: User) -> None:
    program = program_of(ana)
    before = program("GET", "/me/vacation").json()
    assert before == {"started_at": None, "ends_at": None, "days_left": BUDGET_DAYS}
    started = program("POST", "/me/vacation", {"days": 5}).json()
    assert started["days_left"] == BUDGET_DAYS - 5
    assert program("GET", "/me/vacation").json() == started
    again = program("POST", "/me/vacation", {"days": 5})
    assert (again.status_code, again.json()["code"]) == (409, "vacation-running")
    for _ in range(2):
        assert program("DELETE", "/me/vacation").status_code == 204
    after = program("GET", "/me/vacation").json()
    assert (after["ends_at"], after["days_left"]) == (None, BUDGET_DAYS - 1)
