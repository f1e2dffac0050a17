"""Retention of volunteers' transcripts: they go after a month, and trust keeps its reasons."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings

from tests.tournaments import volunteers
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import User, Worker, WorkerRun
from tournaments.queries.matches import volunteers as queries
from tournaments.services import retention

pytestmark = [pytest.mark.long, pytest.mark.engines, pytest.mark.django_db]
State = WorkerRun.State
_TEXT = "a transcript"


@pytest.fixture
def runs(ana: User, ben: User, clock: FrozenClock) -> list[WorkerRun]:
    """A run in each state, with transcripts, that ended at the present moment."""
    volunteers.sprt_test(ana, elo1_centielo=300_00)
    leased = volunteers.leased(volunteers.worker(ben))
    runs = [leased]
    for attempt, state in enumerate(State, start=100):
        if state != State.LEASED:
            run = WorkerRun(worker=leased.worker, match=leased.match, attempt=attempt, state=state)
            run.leased_at = run.ended_at = clock.now
            run.busy_ms, run.fuel = 1_000, 5_000_000
            runs.append(run)
    for run in runs:
        run.transcripts = [_TEXT, _TEXT]
        run.save()
    return runs


def _with_transcripts() -> set[str]:
    return {run.state for run in WorkerRun.objects.exclude(transcripts=[])}


def test_transcripts_go_after_a_month_but_those_that_are_needed(
    runs: list[WorkerRun], clock: FrozenClock
) -> None:
    clock.sleep(days=29)
    assert "transcripts" not in retention.prune(clock.now)
    assert _with_transcripts() == set(State)
    clock.sleep(days=2)
    assert retention.prune(clock.now)["transcripts"] == 5
    assert _with_transcripts() == {State.LEASED, State.CHECKING, State.WRONG}
    assert "transcripts" not in retention.prune(clock.now)


def test_the_figures_of_a_worker_do_not_change(runs: list[WorkerRun], clock: FrozenClock) -> None:
    before = queries.rows(Worker.objects.all())
    assert retention.prune(clock.now + timedelta(days=31))["transcripts"] == 5
    assert queries.rows(Worker.objects.all()) == before


def test_the_days_are_a_setting(
    runs: list[WorkerRun], clock: FrozenClock, settings: LazySettings
) -> None:
    settings.RETENTION_DAYS = {"transcripts": 3}
    assert retention.prune(clock.now + timedelta(days=4))["transcripts"] == 5


def test_a_batch_is_removed_at_a_time(
    runs: list[WorkerRun], clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 3)
    later = clock.now + timedelta(days=31)
    assert [retention.prune(later).get("transcripts", 0) for _ in range(3)] == [3, 2, 0]
