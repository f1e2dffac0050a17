"""Volunteers and the site's own workers at one moment: each match has one of them, and one result."""

from __future__ import annotations

import pytest

from engine.volunteer import tasks
from tests.tournaments import volunteers
from tests.tournaments.races import RUNNERS, at_once, successes
from tournaments import database_time
from tournaments.models import Game, Match, SprtTest, User, WorkerRun
from tournaments.queries.matches import trust
from tournaments.services.matches import leases
from tournaments.services.volunteers import leasing, reports

pytestmark = [pytest.mark.engines, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def test(erasable: None, ana: User) -> SprtTest:
    return volunteers.sprt_test(ana)


def test_each_match_is_leased_once(test: SprtTest, ben: User) -> None:
    workers = [volunteers.worker(ben, f"machine {number}") for number in range(RUNNERS)]
    version = tasks.version()
    leased = successes(
        at_once(lambda number: leasing.lease(worker_id=workers[number].pk, version=version))
    )
    matches = [assignment.run.match_id for assignment in leased if assignment is not None]
    assert len(set(matches)) == len(matches) > 0


def test_a_match_is_the_sites_or_a_volunteers(test: SprtTest, ben: User) -> None:
    worker = volunteers.worker(ben)
    match = Match.objects.order_by("pk")[0]
    Match.objects.exclude(pk=match.pk).update(state=Match.State.FAILED)
    version = tasks.version()

    def take(number: int) -> object:
        if number % 2:
            return leases.claim(match.pk)
        return leasing.lease(worker_id=worker.pk, version=version)

    assert len([each for each in successes(at_once(take)) if each is not None]) == 1
    match.refresh_from_db()
    assert (match.state, match.attempt) == (Match.State.LEASED, 1)


def test_a_match_that_is_reported_and_lost_has_one_result(
    test: SprtTest, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "share", lambda verified: 0)
    run = volunteers.leased(volunteers.worker(ben))
    transcripts = volunteers.invented(run)
    Match.objects.filter(pk=run.match_id).update(lease_until=database_time.now())

    def end(number: int) -> None:
        if number % 2:
            reports.settle_due(database_time.now())
        else:
            volunteers.report(run, transcripts)

    at_once(end)
    run.refresh_from_db()
    finished = Game.objects.filter(match=run.match_id).finished().count()
    match = Match.objects.get(pk=run.match_id)
    if run.state == WorkerRun.State.COUNTED:
        assert (match.state, finished) == (Match.State.DONE, 2)
    else:
        assert (run.state, match.state, finished) == ("lost", Match.State.QUEUED, 0)


def test_a_repeated_report_at_one_moment_counts_once(
    test: SprtTest, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "share", lambda verified: 0)
    run = volunteers.leased(volunteers.worker(ben))
    transcripts = volunteers.invented(run)
    states = {
        each.state for each in successes(at_once(lambda _: volunteers.report(run, transcripts)))
    }
    assert states == {WorkerRun.State.COUNTED}
    assert Game.objects.filter(match=run.match_id).finished().count() == 2
