from __future__ import annotations

from collections import namedtuple
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock
from tournaments import checks, database_time, redis_bus
from tournaments.models import Game, Heartbeat, Player, Topic, User
from tournaments.services.operations import health, work
from tournaments.services.operations.health import Verdict
from tournaments.views import operations as words

pytestmark = pytest.mark.django_db


@pytest.fixture
def beat() -> Heartbeat:
    return Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": database_time.now()})[0]


def probe(name: str) -> health.Probe:
    return next(p for p in health.examine(database_time.now()).probes if p.name == name)


def test_process_answers_without_asking_anything(client: Client, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_are_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


@pytest.mark.engines
@pytest.mark.usefixtures("beat")
def test_service_with_everything_is_ready_whatever_host_is_named(client: Client) -> None:
    answer = client.get("/readyz", headers={"host": "10.0.0.7"}, secure=False)
    assert answer.status_code == 200, answer.json()
    assert answer.json()["status"] == "ok"
    assert not Topic.objects.filter(name__startswith="probe:").exists()


def test_a_silent_tick_takes_no_node_out_of_service(
    client: Client, clock: FrozenClock, beat: Heartbeat
) -> None:
    clock.sleep(seconds=31)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["probes"]["tick"] == {"status": "degraded", "detail": "31 s ago"}


@pytest.mark.usefixtures("beat")
@pytest.mark.parametrize(("lead_s", "status"), [(4, "ok"), (600, "degraded"), (-600, "degraded")])
def test_a_host_whose_clock_is_wrong_says_so_and_serves(
    client: Client, monkeypatch: pytest.MonkeyPatch, lead_s: int, status: str
) -> None:
    monkeypatch.setattr(database_time, "lead_of_host", lambda: timedelta(seconds=lead_s))
    answer = client.get("/readyz")
    assert answer.status_code == 200
    detail = f"{lead_s:+.1f} s from the database's"
    assert answer.json()["probes"]["clock"] == {"status": status, "detail": detail}


def test_a_tick_that_never_came_takes_no_node_out_of_service(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["probes"]["tick"] == {"status": "degraded", "detail": "never"}


@pytest.mark.usefixtures("beat")
def test_database_that_cannot_be_written_to_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(Topic.objects, "create", refuse)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["probes"]["database"]["detail"] == "attempt to write a readonly database"


def test_migration_that_is_not_applied_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'otp_totp'")
    found_probe = probe("migrations")
    assert found_probe.verdict is Verdict.FAILING
    assert "otp_totp.0001_initial" in found_probe.detail


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("0099_of_a_later_release", Verdict.DEGRADED, "tournaments.W010"),
        ("0099_contract_former_columns", Verdict.FAILING, "tournaments.E010"),
    ],
)
def test_migration_of_a_later_release_is_named(name: str, verdict: Verdict, code: str) -> None:
    MigrationRecorder(connection).record_applied("tournaments", name)
    found_probe = probe("migrations")
    assert found_probe.verdict is verdict
    assert found_probe.detail == f"of a later release: tournaments.{name}"
    (message,) = checks.a_database_of_this_release()
    assert message.id == code
    assert name in message.msg


def test_disk_that_is_nearly_full_is_failing(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(
        "shutil.disk_usage", lambda _: usage(100 << 30, (100 << 30) - (1 << 20), 1 << 20)
    )
    assert probe("disk") == health.Probe("disk", Verdict.FAILING, "1 MiB free")


@pytest.mark.usefixtures("beat")
def test_redis_that_is_away_leaves_the_service_ready(client: Client, settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert redis_bus.eviction_policy(settings.REDIS_URL) is None


@pytest.mark.usefixtures("beat")
@pytest.mark.usefixtures("clock")
def test_reply_that_waits_too_long_shows_with_its_age(ana: User, bots: list[Player]) -> None:
    game = pages.new_game(bots[0], ana.player)
    state = next(s for s in work.states(database_time.now()) if s.kind == work.WorkKind.REPLIES)
    assert (state.waiting, state.running, state.is_late) == (1, 0, False)
    began_at = database_time.now() - timedelta(minutes=5)
    Game.objects.filter(pk=game.pk).update(turn_started_at=began_at)
    assert probe("work") == health.Probe("work", Verdict.DEGRADED, "replies 300 s")


@pytest.mark.usefixtures("beat")
def test_answer_is_kept_for_a_moment_so_that_asking_costs_nothing(
    client: Client, django_assert_num_queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_KEPT_S", 600.0)  # a busy machine takes a moment for itself
    client.get("/readyz")
    with django_assert_num_queries(0):
        client.get("/readyz")


def test_page_of_the_state_is_for_administrators(client: Client, ana: User) -> None:
    assert client.get("/health/").status_code == 302
    member = pages.member(ana)
    assert member.get("/health/").status_code == 404
    ana.is_superuser = True
    ana.save()
    page = member.get("/health/").content.decode()
    assert "The clock has not been here yet" in page
    Heartbeat.objects.create(pk=1, beat_at=database_time.now() - timedelta(minutes=2))
    assert "The clock has been silent since" in member.get("/health/").content.decode()
    Heartbeat.objects.update(beat_at=database_time.now())
    assert "The clock was last here at" in member.get("/health/").content.decode()


def test_everything_that_the_page_shows_has_a_word() -> None:
    assert set(words.VERDICTS) == set(Verdict)
    assert set(words.WORK) == set(work.WorkKind)
    Heartbeat.objects.create(pk=1, beat_at=database_time.now())
    assert {each.name for each in health.examine(database_time.now()).probes} == set(words.PROBES)
