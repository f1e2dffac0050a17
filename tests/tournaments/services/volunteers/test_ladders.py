"""Volunteers' workers in ladders: rated results count, and are taken back with their ratings."""

from __future__ import annotations

import pytest

from engine.volunteer import tasks
from tests.tournaments import volunteers
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, LedgerEntry, Player, User, Worker, WorkerRun
from tournaments.queries.matches import trust
from tournaments.services.accounts import players
from tournaments.services.events import entries
from tournaments.services.rounds import lifecycle
from tournaments.services.volunteers import leasing, revocations


@pytest.fixture
def modules(ana: User, ben: User) -> list[Player]:
    return [volunteers.module(ana, "Nilo"), volunteers.module(ben, "Senna")]


@pytest.fixture
def ladder(ana: User, modules: list[Player]) -> Event:
    """A running ladder under fuel of two authors, which volunteers may play."""
    event = event_of(
        ana,
        format=Event.Format.LADDER,
        ruleset=volunteers.RULES,
        admits=Event.Admits.BOTS,
        fuel=3_000_000,
        duration_s=3600,
        allows_volunteers=True,
    )
    for module in modules:
        entries.enter(event_id=event.pk, player=module, actor=event.organiser)
    lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    lifecycle.advance_event(event.pk)
    return event


@pytest.fixture
def volunteer(db: None) -> User:
    return players.sign_up(name="Eva", password="rayuela-1963")


@pytest.mark.long
def test_rated_results_are_taken_back_with_their_ratings(
    ladder: Event, modules: list[Player], volunteer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "share", lambda verified: 0)
    worker = volunteers.worker(volunteer)
    run = volunteers.leased(worker)
    assert volunteers.report(run, volunteers.invented(run)).state == WorkerRun.State.COUNTED
    games = Game.objects.filter(match=run.match_id)
    assert {game.is_rated for game in games} == {True}
    assert LedgerEntry.objects.standing().filter(game__in=games).exists()
    stopped = {"stop_code": Worker.Stop.WRONG, "stopped_at": database_time.now()}
    Worker.objects.filter(pk=worker.pk).update(**stopped)
    revocations.revoke_due()
    assert set(games.values_list("result", flat=True)) == {Game.Result.VOID}
    assert not LedgerEntry.objects.standing().filter(game__in=games).exists()


def test_a_worker_does_not_play_for_bots_of_its_owner_in_events(
    ladder: Event, ana: User, volunteer: User
) -> None:
    own = volunteers.worker(ana)
    assert leasing.lease(worker_id=own.pk, version=tasks.version()) is None
    assert volunteers.leased(volunteers.worker(volunteer)).match.event == ladder


@pytest.mark.parametrize(
    "changes",
    [{"fuel": None}, {"format": Event.Format.ROUND_ROBIN}],
    ids=["clock", "other format"],
)
def test_volunteers_play_only_in_ladders_under_fuel(ana: User, changes: dict[str, object]) -> None:
    plan: dict[str, object] = {
        "format": Event.Format.LADDER,
        "admits": Event.Admits.BOTS,
        "fuel": 3_000_000,
        "duration_s": 3600,
        "allows_volunteers": True,
    }
    with pytest.raises(RefusedError, match="volunteers-ladder"):
        event_of(ana, **{**plan, **changes})
