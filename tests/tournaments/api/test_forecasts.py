"""Forecasts of plans for programs: asked for once, computed by a worker, at their own address."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import program_of
from tournaments.models import Forecast, User
from tournaments.services.forecasts import computing, requests

_IDEA = {"format": "knockout", "ruleset": "morlox(size=5)", "players": 4, "clock": "300+5"}


@pytest.mark.long
def test_a_plan_is_simulated_once_by_a_worker(ana: User, ben: User) -> None:
    program = program_of(ana, "read")
    first = program("POST", "/forecasts", _IDEA)
    assert (first.status_code, first.json()["answer"]) == (202, None)
    address = first["Location"].removeprefix("/api/v1")
    later = program("GET", address)
    assert (later.status_code, later["Location"], later["Retry-After"]) == (
        202,
        first["Location"],
        "2",
    )
    assert computing.compute(Forecast.objects.get().pk)
    answer = program("GET", address).json()
    assert answer["state"] == "done"
    expected = answer["answer"]
    assert expected["rounds"] == {"median": 2, "low": 2, "high": 2}
    assert 0.25 < expected["strongest_wins"]["value"] < 1
    assert expected["strongest_wins"]["low"] < expected["strongest_wins"]["high"]
    assert expected["minutes"]["median"] > 0
    again = program_of(ben)("POST", "/forecasts", _IDEA)
    assert (again.status_code, again.json()) == (200, answer)
    assert Forecast.objects.count() == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "change", [{"format": "double-swiss"}, {"format": "dutch", "games_per_pairing": 2}]
)
def test_matches_of_two_games_are_simulated(ana: User, change: dict[str, object]) -> None:
    program = program_of(ana, "read")
    idea = {**_IDEA, "players": 5, "rounds_total": 2, **change}
    address = program("POST", "/forecasts", idea)["Location"].removeprefix("/api/v1")
    request = Forecast.objects.get().request
    assert request["plan"]["game_points"]["second_bye"] == (
        1 if change["format"] == "double-swiss" else None
    )
    computing.compute(Forecast.objects.get().pk)
    answer = program("GET", address).json()["answer"]
    assert (answer["rounds"]["median"], answer["absolute"]["value"]) == (2, 0)


@pytest.mark.long
def test_without_a_clock_nobody_knows_how_long_it_lasts(ana: User) -> None:
    program = program_of(ana, "read")
    address = program("POST", "/forecasts", {**_IDEA, "clock": "unlimited"})["Location"]
    computing.compute(Forecast.objects.get().pk)
    answer = program("GET", address.removeprefix("/api/v1")).json()["answer"]
    assert answer["minutes"] is None
    assert answer["simulations"] > 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ruleset": "chess"}, "ruleset-bad"),
        ({"clock": "soon"}, "clock-bad"),
        ({"format": "arena"}, "invalid"),
        ({"format": "round-robin", "players": 300}, "forecast-large"),
        ({"format": "groups-knockout", "players": 4, "groups": 50}, "options-bad"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_cannot_be_simulated_is_refused(
    ana: User, change: dict[str, object], code: str
) -> None:
    response = program_of(ana, "read")("POST", "/forecasts", {**_IDEA, **change})
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert not Forecast.objects.exists()


def test_only_so_many_plans_wait(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MOST_OPEN_PLANS", 1)
    program = program_of(ana, "read")
    assert program("POST", "/forecasts", _IDEA).status_code == 202
    assert program("POST", "/forecasts", _IDEA).status_code == 202
    other = program("POST", "/forecasts", {**_IDEA, "players": 8})
    assert (other.status_code, other.json()["code"]) == (422, "forecasts-many")


def test_there_is_no_other_forecast(ana: User) -> None:
    assert program_of(ana, "read")("GET", "/forecasts/none").status_code == 404
