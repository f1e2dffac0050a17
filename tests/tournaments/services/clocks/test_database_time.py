"""The time is the database's, however wrong the clock of a machine is."""

from __future__ import annotations

import http.client
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.middleware.csrf import _get_new_csrf_string
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import processes
from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game, Heartbeat, Outage, User
from tournaments.services.clocks import outages
from tournaments.services.games import game_creation

AHEAD = timedelta(seconds=300)
# Read by each Python process before anything else (the module `site`).
_SHIFT = f"""
import time
from django.utils import timezone
_time, _now = time.time, timezone.now
time.time = lambda: _time() + {AHEAD.total_seconds()}
timezone.now = lambda: _now() + timezone.timedelta(seconds={AHEAD.total_seconds()})
"""
on_postgresql = pytest.mark.skipif(
    "postgresql" not in os.environ.get("DATABASE_URL", ""),
    reason="on SQLite there is one machine, whose clock is the database's",
)


@pytest.fixture(autouse=True)
def no_reading() -> Iterator[None]:
    database_time.forget()
    yield
    database_time.forget()


@pytest.mark.engines
def test_the_time_is_the_present(db: None) -> None:
    before, now, after = timezone.now(), database_time.now(), timezone.now()
    assert before - timedelta(seconds=1) < now < after + timedelta(seconds=1)


@on_postgresql
@pytest.mark.engines
def test_a_wrong_clock_of_the_machine_changes_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: right + AHEAD)
    monkeypatch.setattr(time, "time", lambda: right.timestamp() + AHEAD.total_seconds())
    assert abs(database_time.now() - right) < AHEAD / 2


@on_postgresql
@pytest.mark.engines
def test_the_database_is_asked_every_few_seconds_and_by_no_query_of_a_page(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[float] = []
    ask, at_s = database_time._ask, 1_000.0
    monkeypatch.setattr(database_time, "_elapsed_s", lambda: at_s)

    def reading_at() -> database_time._Reading:
        readings.append(at_s)
        return ask()

    monkeypatch.setattr(database_time, "_ask", reading_at)
    with CaptureQueriesContext(connection) as queries:
        first = last = database_time.now()
        for at_s in (  # noqa: B007 - `_elapsed_s` reads it
            1_001.0,
            1_004.9,
            1_005.0,
            1_006.0,
        ):
            last = database_time.now()
    assert readings == [1_000.0, 1_005.0]
    assert not queries.captured_queries
    # The second reading ignores the six seconds of this clock: the database is right.
    assert last - first < timedelta(seconds=5)


@on_postgresql
@pytest.mark.engines
def test_a_first_answer_that_was_slow_is_asked_for_again(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine may wait long for it, and the time of the reading is then unknown."""
    now = database_time.now()
    slow = database_time._Reading(now + AHEAD, database_time._elapsed_s(), took_s=4.0)
    quick = database_time._Reading(now, database_time._elapsed_s(), took_s=0.01)
    answers = [slow, quick]
    monkeypatch.setattr(database_time, "_ask", lambda: answers.pop(0))
    database_time.forget()
    assert abs(database_time.now() - now) < AHEAD / 2
    database_time.forget()


@on_postgresql
@pytest.mark.engines
def test_time_goes_on_inside_a_transaction(db: None) -> None:
    """And in one that has failed, which answers no questions."""
    with transaction.atomic():
        first = database_time.now()
        # Two readings differ by up to a round trip, so more than that must pass between them.
        time.sleep(0.2)
        database_time.forget()
        assert database_time.now() > first + timedelta(seconds=0.1)
    with transaction.atomic():
        database_time._memory.asked_s = -1e9
        transaction.set_rollback(True)
        assert database_time.now() > first
        transaction.set_rollback(False)


class _Player:
    """A user at a browser who uses two web servers in turn."""

    def __init__(self, user: User) -> None:
        client = pages.member(user)
        self._token = _get_new_csrf_string()
        cookies = {
            settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value,
            settings.CSRF_COOKIE_NAME: self._token,
        }
        self._cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def ask(self, url: str, path: str, form: dict[str, object] | None = None) -> int:
        """The status of the answer of the server at `url`."""
        host = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        headers = {"Cookie": self._cookie, "Accept": "application/json"}
        if form is None:
            host.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**form, "csrfmiddlewaretoken": self._token})
            host.request("POST", path, body, headers)
        status = host.getresponse().status
        host.close()
        return status


@on_postgresql
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_web_server_that_is_ahead_takes_and_gives_no_time(
    erasable: object, ana: User, ben: User, tmp_path: Path
) -> None:
    """Two servers on one database, one of them 300 s ahead.

    Each look and each move is sent to another.
    """
    (tmp_path / "sitecustomize.py").write_text(_SHIFT)
    game = pages.new_game(
        ana.player, ben.player, "morelli(size=7)", clock=game_creation.Clock(60_000), seed=1
    )
    people = {user.player.pk: _Player(user) for user in (ana, ben)}
    with processes.site() as right, processes.site(PYTHONPATH=str(tmp_path)) as ahead:
        # From here on the test does not wait for a process to start.
        now = database_time.now()
        Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": now})
        Game.objects.filter(pk=game.pk).exclude(turn_started_at=None).update(turn_started_at=now)
        for number in range(8):
            for url in (ahead, right):
                for person in people.values():
                    assert person.ask(url, f"/game/{game.pk}/") == 200
            game.refresh_from_db()
            form = {"move": pages.legal(game), "ply": game.ply, "attempt": game.attempt}
            mover = people[game.player_on(game.side_to_move).pk]
            url = (ahead, right)[number % 2]
            assert mover.ask(url, f"/game/{game.pk}/move/", form) == 204
            outages.notice(database_time.now())
    game.refresh_from_db()
    assert (game.result, game.ply) == (None, 8)
    assert not Outage.objects.exists()
    assert 40_000 < game.first_ms <= 60_000
    assert 40_000 < game.second_ms <= 60_000
    assert abs(Heartbeat.objects.get().beat_at - database_time.now()) < timedelta(seconds=30)
