"""Figures for Prometheus: their readers, and that all web processes count together."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from config import scrape
from tests import processes
from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game, Heartbeat
from tournaments.services.accounts import players
from tournaments.services.games import game_end

pytestmark = pytest.mark.django_db
_TOKEN = "a-token-of-the-test"
_HEADERS = {"Authorization": f"Bearer {_TOKEN}"}


@pytest.fixture(autouse=True)
def read_anew() -> Iterator[None]:
    scrape.database_collector.forget()
    yield
    scrape.database_collector.forget()


def values(text: str) -> dict[str, float]:
    """Return every sample by its name and labels."""
    return {
        f"{sample.name}{sorted(sample.labels.items()) or ''}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_without_a_token_there_is_no_such_page(client: Client, settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer other", _TOKEN, "Bearer ü"])
def test_who_has_another_token_reads_nothing(client: Client, settings, sent: str) -> None:
    settings.METRICS_TOKEN = _TOKEN
    answer = client.get("/metrics", headers={"Authorization": sent})
    assert (answer.status_code, answer.content) == (401, b"")


@pytest.mark.engines
def test_database_says_what_goes_on(client: Client, settings) -> None:
    settings.METRICS_TOKEN = _TOKEN
    ana, ben = (players.sign_up(name=name, password="rayuela-73") for name in ("Ana", "Ben"))
    bot = players.add_bot(name="Bot", engine="random")
    pages.new_game(ana.player, ben.player)
    waiting = pages.new_game(bot, ana.player)
    began_at = database_time.now() - timedelta(seconds=40)
    Game.objects.filter(pk=waiting.pk).update(turn_started_at=began_at)
    lost = pages.new_game(ana.player, ben.player)
    pages.move(lost)
    game_end.flag(lost.pk, database_time.now() + timedelta(days=1))
    beat_at = database_time.now() - timedelta(seconds=90)
    Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": beat_at})
    samples = values(client.get("/metrics", headers=_HEADERS).content.decode())
    assert samples["rayuela_database_up"] == 1
    assert samples["rayuela_games_live"] == 2
    assert samples["rayuela_flags_total"] == 1
    assert samples["rayuela_plies_total"] >= 1
    assert 90 <= samples["rayuela_tick_age_seconds"] < 150
    assert samples["rayuela_work_waiting[('kind', 'replies')]"] == 1
    assert 40 <= samples["rayuela_work_age_seconds[('kind', 'replies')]"] < 100
    assert samples["rayuela_database_bytes"] > 10_000


def test_answers_are_counted_by_route_and_code_and_never_by_what_visitors_put_there(
    client: Client, settings
) -> None:
    settings.METRICS_TOKEN = _TOKEN
    before = values(client.get("/metrics", headers=_HEADERS).content.decode())
    client.get("/game/4711/")
    client.get("/<script>/")
    after = values(client.get("/metrics", headers=_HEADERS).content.decode())
    game = "rayuela_http_requests_total[('code', '404'), ('method', 'GET'), ('route', 'game')]"
    nothing = "rayuela_http_requests_total[('code', '404'), ('method', 'GET'), ('route', 'none')]"
    for name in (game, nothing):
        assert after[name] == before.get(name, 0) + 1
    assert not any("4711" in name or "<script>" in name for name in after)


@pytest.mark.long
def test_web_processes_count_together() -> None:
    with processes.site(processes=2, METRICS_TOKEN=_TOKEN) as url:
        for _ in range(20):
            with urllib.request.urlopen(f"{url}/robots.txt") as answer:
                answer.read()
        counts = set()
        samples: dict[str, float] = {}
        for _ in range(6):
            question = urllib.request.Request(f"{url}/metrics", headers=_HEADERS)
            with urllib.request.urlopen(question) as answer:
                samples = values(answer.read().decode())
            name = "rayuela_http_requests_total[('code', '200'), ('method', 'GET'), ('route', 'robots')]"
            counts.add(samples[name])
        assert counts == {20}
        assert samples["rayuela_open[('what', 'connections')]"] >= 1
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(f"{url}/metrics")
