"""Figures for Prometheus: their readers, and that all web processes count together."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from config import scrape
from tests import processes
from tests.processes import ROOT
from tests.tournaments import pages
from tournaments import database_time, redis_bus
from tournaments.models import Game, Heartbeat, Upkeep
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
    ana, ben = (players.sign_up(name=name, password="rayuela-1963") for name in ("Ana", "Ben"))
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


FOLDER = ROOT / "config/deployment"
FILES = {
    name: (FOLDER / name).read_text() for name in ("prometheus-rules.yml", "grafana-dashboard.json")
}


@pytest.mark.parametrize("name", FILES)
def test_files_for_monitoring_name_figures_that_exist(client: Client, settings, name: str) -> None:
    settings.METRICS_TOKEN = _TOKEN
    text = client.get("/metrics", headers=_HEADERS).content.decode()
    names = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    histograms = set(re.findall(r"^# TYPE (\S+) histogram", text, re.MULTILINE))
    names |= {f"{each}_bucket" for each in histograms}
    used = set(re.findall(r"\brayuela_\w+", FILES[name]))
    assert len(used) > 10
    assert used <= names


def test_each_rule_is_explained() -> None:
    rules = re.findall(r"- alert: (\w+)", FILES["prometheus-rules.yml"])
    guide = (ROOT / "docs/operate/monitoring.md").read_text()
    assert re.findall(r"^\| `(Rayuela\w+)` \|", guide, re.MULTILINE) == rules


def test_dashboard_is_one_that_grafana_reads() -> None:
    panels = json.loads(FILES["grafana-dashboard.json"])["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(panels)
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in panels)


@pytest.mark.engines
def test_a_backup_is_dated(client: Client, settings) -> None:
    settings.METRICS_TOKEN = _TOKEN
    done_at = database_time.now() - timedelta(hours=30)
    Upkeep.objects.create(task=Upkeep.Task.BACKUP, done_at=done_at)
    samples = values(client.get("/metrics", headers=_HEADERS).content.decode())
    age_s = samples["rayuela_upkeep_age_seconds[('task', 'backup')]"]
    assert 30 * 3600 <= age_s < 30 * 3600 + 60


def test_connections_are_those_of_the_server(client: Client, settings) -> None:
    settings.METRICS_TOKEN = _TOKEN
    samples = values(client.get("/metrics", headers=_HEADERS).content.decode())
    name = "rayuela_database_connections"
    if connection.vendor == "sqlite":
        assert name not in samples
    else:
        assert 1 <= samples[name] <= samples[f"{name}_max"]


def test_messages_of_each_queue_are_counted() -> None:
    url = os.environ.get("REDIS_URL")
    if not url:
        pytest.skip("needs Redis")
    with Redis.from_url(url) as redis:
        redis.rpush("queue-of-the-test", "a", "b", "c")
        try:
            lengths = redis_bus.queue_lengths(url, ["queue-of-the-test", "another-of-the-test"])
        finally:
            redis.delete("queue-of-the-test")
    assert lengths == {"queue-of-the-test": 3, "another-of-the-test": 0}
    assert redis_bus.queue_lengths("redis://127.0.0.1:9/0", ["a"]) == {}


@pytest.fixture
def https_site(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a server whose certificate ends in ten days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = database_time.now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=10))
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path / "site.pem"
    pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            with contextlib.suppress(OSError):
                socket_of_client, _ = server.accept()
                context.wrap_socket(socket_of_client, server_side=True).close()

        threading.Thread(target=serve, daemon=True).start()
        yield f"https://localhost:{port}"


def test_the_end_of_the_certificate_is_read_from_the_site(https_site: str) -> None:
    ends_at_s = scrape._end_of_certificate(https_site)
    assert ends_at_s is not None
    assert 9.9 < (ends_at_s - time.time()) / 86_400 < 10.1


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "https://127.0.0.1:9", "https:///"])
def test_a_site_without_a_certificate_has_no_end(url: str) -> None:
    assert scrape._end_of_certificate(url) is None
