"""Volunteers' workers by the API: versions, modules of leased matches alone, and owners."""

from __future__ import annotations

import hashlib

import pytest

from tests.tournaments import volunteers
from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import BotConsent, Scope, User, WorkerRun
from tournaments.services.volunteers import enrolment, reports

_VERSION = enrolment.version()


@pytest.fixture
def machine(ben: User) -> Program:
    """A program with the scope of workers, of an account that owns none of the bots."""
    return program_of(ben, Scope.WORKERS_PLAY.value)


@pytest.fixture
def worker(machine: Program, ana: User) -> int:
    volunteers.sprt_test(ana)
    body = {"name": "laptop", "machine": "Linux", "processes": 2, "version": _VERSION}
    answer = machine("POST", "/workers", body)
    assert answer.status_code == 201
    number: int = answer.json()["id"]
    return number


def test_a_worker_with_other_rules_is_refused_with_a_sentence(
    machine: Program, worker: int
) -> None:
    for path, body in (
        ("/workers", {"name": "old", "version": "rayuela 0"}),
        (f"/workers/{worker}/runs", {"version": "rayuela 0"}),
    ):
        answer = machine("POST", path, body)
        assert (answer.status_code, answer.json()["code"]) == (422, "worker-version")
        assert "Install the version of this site" in answer.json()["title"]


@pytest.mark.long
def test_a_module_comes_only_while_its_match_is_leased(machine: Program, worker: int) -> None:
    run = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]
    assert [game["fuel"] for game in run["games"]] == [3_000_000] * 2
    path = f"/workers/runs/{run['id']}/modules/"
    for module in run["modules"]:
        answer = machine("GET", path + module["digest"])
        assert hashlib.sha256(answer.content).hexdigest() == module["digest"]
    assert machine("GET", path + "0" * 64).json()["code"] == "run-over"
    assert machine("POST", f"/workers/runs/{run['id']}/return", {}).json()["state"] == "returned"
    answer = machine("GET", path + run["modules"][0]["digest"])
    assert (answer.status_code, answer.json()["code"]) == (409, "run-over")


def test_no_match_comes_when_an_author_does_not_lend_the_module(
    machine: Program, worker: int
) -> None:
    BotConsent.objects.filter(line__name__endswith="1").update(lends_modules=False)
    answer = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()
    assert answer == {"run": None, "retry_after_s": 10}


@pytest.mark.long
def test_a_worker_has_no_more_matches_than_processes(machine: Program, worker: int) -> None:
    runs = [
        machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]
        for _ in range(3)
    ]
    assert [run is None for run in runs] == [False, False, True]


@pytest.mark.long
def test_a_stopped_worker_gets_no_match_until_it_is_enrolled_again(
    machine: Program, worker: int
) -> None:
    run = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]
    answer = machine("POST", f"/workers/{worker}/stop")
    assert (answer.status_code, answer.json()["stop_code"]) == (200, "owner")
    assert WorkerRun.objects.get(pk=run["id"]).state == "returned"
    answer = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION})
    assert (answer.status_code, answer.json()["code"]) == (403, "worker-stopped")
    body = {"name": "laptop", "version": _VERSION}
    assert machine("POST", "/workers", body).json()["id"] == worker
    assert machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]


@pytest.mark.long
def test_a_worker_that_begins_again_gives_its_matches_back(machine: Program, worker: int) -> None:
    for _ in range(2):
        run = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]
        body = {"name": "laptop", "version": _VERSION}
        assert machine("POST", "/workers", body).json()["processes"] == 1
        assert WorkerRun.objects.get(pk=run["id"]).state == "returned"


def test_a_lease_is_one_for_each_key(machine: Program, worker: int) -> None:
    path, body = f"/workers/{worker}/runs", {"version": _VERSION}
    runs = [
        machine("POST", path, body, Idempotency_Key="k" * 20).json()["run"]["id"] for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert WorkerRun.objects.count() == 1


@pytest.mark.long
def test_a_wrong_worker_is_not_resumed_and_three_end_the_enrolment(
    machine: Program, worker: int
) -> None:
    for name in ("laptop", "tower", "phone"):
        body = {"name": name, "version": _VERSION}
        number = machine("POST", "/workers", body).json()["id"]
        run = machine("POST", f"/workers/{number}/runs", {"version": _VERSION}).json()["run"]
        report = {"transcripts": ["", ""], "busy_ms": 1}
        answer = machine("POST", f"/workers/runs/{run['id']}/report", report)
        assert (answer.status_code, answer.json()["state"]) == (200, "wrong")
        assert machine("POST", "/workers", body).json()["code"] == "worker-wrong"
    body = {"name": "another", "version": _VERSION}
    assert machine("POST", "/workers", body).json()["code"] == "worker-wrong"


@pytest.mark.long
def test_the_overview_shows_the_queue_and_the_shares(
    machine: Program, worker: int, anybody: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports.trust, "share", lambda verified: 0)  # type: ignore[attr-defined]
    run = machine("POST", f"/workers/{worker}/runs", {"version": _VERSION}).json()["run"]
    row = WorkerRun.objects.get(pk=run["id"])
    body = {"transcripts": volunteers.invented(row), "busy_ms": 2000}
    answer = machine("POST", f"/workers/runs/{run['id']}/report", body)
    assert answer.json()["state"] == "counted"
    whole = anybody("GET", "/volunteers").json()
    assert (whole["connected"], whole["matches_an_hour"], whole["wrong"]) == (1, 1, 0)
    assert [(each["priority"], each["fuel"]) for each in whole["tests"]] == [(2, 3_000_000)]
    assert whole["tests"][0]["waiting"] == whole["waiting"] > 0
    assert [(each["author"]["name"], each["percent"]) for each in whole["shares"]] == [("Ana", 100)]
    [listed] = anybody("GET", "/workers").json()["items"]
    row.refresh_from_db()
    assert (listed["matches"], listed["trust"]) == (1, 100)
    assert listed["fuel_a_second"] == row.fuel // 2
    assert machine("GET", "/workers?state=mine").json()["items"] == [listed]
