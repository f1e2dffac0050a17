"""The command line of authors, `engine/sdk/rayuela_push.py`, against the API."""

from __future__ import annotations

import re
import runpy
import shlex
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from io import BytesIO
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client as Browser

from engine.sdk import rayuela_push
from tests.tournaments import uploads
from tests.tournaments.api import bot_world
from tests.tournaments.api.conftest import program_of
from tournaments import database_time
from tournaments.models import Bot, Player, Scope, SprtTest, User
from tournaments.services import sprt_tests
from tournaments.services.games.game_creation import Clock

ROOT = Path(__file__).resolve().parents[3]
SITE = "https://rayuela.example"


class Network:
    """Leads requests to the site in this process, after the failures that are due."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.requests: list[urllib.request.Request] = []
        self.loses_answers = 0

    def open(self, request: urllib.request.Request, timeout: float) -> BytesIO:
        assert timeout > 0
        self.requests.append(request)
        if self.failures:
            raise self.failures.pop(0)
        headers = dict(request.header_items())
        kind = headers.pop("Content-type", "")
        data = request.data if isinstance(request.data, bytes) else b""
        address = urlsplit(request.full_url)
        assert f"{address.scheme}://{address.netloc}" == SITE
        response = Browser(raise_request_exception=False).generic(
            request.get_method(), f"{address.path}?{address.query}", data, kind, headers=headers
        )
        if self.loses_answers:
            self.loses_answers -= 1
            raise ConnectionResetError("cut")
        if response.status_code >= 300:
            raise _failure(response.status_code, response.content, dict(response.headers))
        return BytesIO(response.content)


def _failure(status: int, content: bytes = b"", headers: Any = None) -> urllib.error.HTTPError:
    message = Message()
    for name, value in (headers or {}).items():
        message[name] = value
    return urllib.error.HTTPError(SITE, status, "why", message, BytesIO(content))


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network()
    monkeypatch.setattr(rayuela_push, "OPENER", network)
    return network


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the list of waiting times, without real waiting."""
    pauses: list[float] = []
    monkeypatch.setattr(rayuela_push, "PAUSE", pauses.append)
    return pauses


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: Network, ana: User) -> Path:
    """Return the directory of an author of the site with a bot and a token."""
    monkeypatch.setattr(settings, "HOME", tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RAYUELA_TOKEN", raising=False)
    monkeypatch.setenv("RAYUELA_URL", SITE)
    monkeypatch.setenv("RAYUELA_TOKEN_FILE", "token.txt")
    token = program_of(ana, "read", Scope.BOTS_UPLOAD.value).token
    (tmp_path / "token.txt").write_text(f"{token}\n")
    (tmp_path / "mine.py").write_bytes(uploads.GOOD)
    return tmp_path


def _run(line: str) -> int:
    return rayuela_push.main(shlex.split(line))


@pytest.mark.long
@pytest.mark.engine
def test_the_commands_of_the_how_to_do_what_it_says(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads.require_box()

    def check(_pause_s: float) -> None:
        for bot in Bot.objects.filter(state=Bot.State.CHECKING):
            assert uploads.has_verdict(bot)

    monkeypatch.setattr(rayuela_push, "PAUSE", check)
    text = (ROOT / "docs/bots/ci-upload.md").read_text()
    commands = re.findall(r"^python3 rayuela_push\.py (.*)$", text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == [
        *("push", "push", "logs", "games", "lab"),
    ]
    values = {"BUILD": "17", "LINE": "", "VERSION": ""}
    for command in commands:
        assert _run(Template(command).substitute(values)) == 0, command
        bot = Bot.objects.of_authors().latest("pk")
        values |= {"LINE": str(bot.line_id), "VERSION": str(bot.pk)}
    out = capsys.readouterr().out
    assert [bot.state for bot in Bot.objects.of_authors()] == [Bot.State.READY] * 2
    for words in (
        "Nilo 1: version",
        "waits for its check: number 1",
        "no violations",
        "Nilo 2: ready",
    ):
        assert words in out, out


@pytest.mark.long
@pytest.mark.engine
def test_a_version_that_is_refused_ends_with_1_and_shows_why(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads.require_box()
    monkeypatch.setattr(
        rayuela_push, "PAUSE", lambda _: uploads.has_verdict(Bot.objects.of_authors().get())
    )
    (directory / "mine.py").write_bytes(uploads.CHEAT)
    assert _run("push mine.py --new Nilo --families morlox --wait") == 1
    out = capsys.readouterr().out
    assert "illegal" in out
    assert "Nilo 1: refused" in out


def test_patience_ends_with_3(
    directory: Path, pauses: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("push mine.py --new Nilo --families morlox --wait --patience 0") == 3
    assert "number 1 of those that wait" in capsys.readouterr().out


def test_a_lost_answer_is_asked_for_again_and_one_version(
    directory: Path, network: Network, pauses: list[float]
) -> None:
    network.loses_answers = 2
    assert _run("push mine.py --new Nilo --families morlox") == 0
    assert Bot.objects.of_authors().count() == 1
    assert len(pauses) == 2
    assert len({request.get_header("Idempotency-key") for request in network.requests}) == 1


def test_a_build_that_runs_twice_sends_one_version(directory: Path, ana: User) -> None:
    line = bot_world.version(ana).line_id
    for build in ("17", "17", "18"):
        assert _run(f"push mine.py --line {line} --build {build}") == 0
    assert Bot.objects.filter(line=line).count() == 4


@pytest.mark.parametrize(
    ("failure", "pause"),
    [
        (_failure(429, b"{}", {"Retry-After": "7"}), 7.0),
        (_failure(503, b"busy"), 2.0),
        (_failure(409, b'{"code": "key-busy", "title": "Wait"}'), 2.0),
        (ConnectionRefusedError("no"), 2.0),
        (TimeoutError("slow"), 2.0),
    ],
)
def test_what_passes_is_waited_for(
    directory: Path, network: Network, pauses: list[float], failure: Exception, pause: float
) -> None:
    network.failures = [failure]
    assert _run("push mine.py --new Nilo --families morlox") == 0
    assert pauses == [pause]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("push nothing.py --line 1", "nothing.py: No such file"),
        ("push mine.py --line 999999", "404"),
        ("push mine.py --new Nilo --families chess", "422"),
        ("logs 999999", "404"),
        ("games 1 --ending never", "ending"),
        ("--site ftp://example logs 1", "which site"),
        ("--token-file nothing.txt logs 1", "nothing.txt"),
    ],
)
def test_what_cannot_be_ends_with_2_and_says_why(
    directory: Path, pauses: list[float], capsys: pytest.CaptureFixture[str], line: str, words: str
) -> None:
    assert _run(line) == 2
    assert words in capsys.readouterr().err
    assert pauses == []


def test_an_own_bot_of_the_name_is_named_with_its_number(
    directory: Path, ana: User, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("push mine.py --new Nilo --families morlox") == 0
    line = Bot.objects.of_authors().get().line_id
    assert _run("push mine.py --new nilo --families morlox") == 2
    assert f"--line {line} uploads its next version" in capsys.readouterr().err


def test_a_name_of_another_player_is_refused_as_it_is(
    directory: Path, ana: User, capsys: pytest.CaptureFixture[str]
) -> None:
    name = ana.player.name
    assert _run(f"push mine.py --new '{name}' --families morlox") == 2
    assert "--line" not in capsys.readouterr().err


def test_a_file_that_no_site_takes_is_not_sent(
    directory: Path, network: Network, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "mine.py").write_bytes(b"#" * 16_000_001)
    assert _run("push mine.py --new Nilo") == 2
    assert "16000001 bytes" in capsys.readouterr().err
    assert network.requests == []


def test_a_site_that_never_answers_ends_with_2(
    directory: Path, network: Network, pauses: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    network.failures = [ConnectionRefusedError("no")] * 9
    assert _run("logs 1") == 2
    assert "does not answer" in capsys.readouterr().err
    assert len(network.requests) == len(pauses) + 1 < 9


def test_games_that_were_lost_are_listed(
    directory: Path, ana: User, bots: list[Player], capsys: pytest.CaptureFixture[str]
) -> None:
    bot = bot_world.version(ana)
    lost = uploads.lost(bot.player, bots[0], "time")
    uploads.lost(bots[1], bot.player, "rules")
    assert _run(f"games {bot.pk} --lost") == 0
    [row] = capsys.readouterr().out.splitlines()
    assert row.split()[:2] == ["lost", "time"]
    assert f"{SITE}/game/{lost.pk}/" in row
    assert _run(f"games {bot.pk} --failed --opponent nobody") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("state", "ends_with"), [("passed", 0), ("failed", 1), ("open", 3), ("stopped", 3)]
)
def test_an_sprt_test_ends_with_its_verdict(
    directory: Path,
    ana: User,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    ends_with: int,
) -> None:
    bot = bot_world.version(ana)
    monkeypatch.setattr(
        rayuela_push,
        "PAUSE",
        lambda _: SprtTest.objects.update(state=state, ended_at=database_time.now()),
    )
    assert _run(f"lab {bot.pk} --ruleset 'morlox(size=5)' --wait") == ends_with
    out = capsys.readouterr().out
    assert "Nilo 2 against Nilo 1" in out
    assert f"{state} after 0 pairs" in out


@pytest.mark.long
def test_the_second_stage_of_an_sprt_test_gives_the_verdict(
    directory: Path, ana: User, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = bot_world.version(ana)

    def end_stage(_pause_s: float) -> None:
        running = SprtTest.objects.running().get()
        if running.second_initial_ms is None:
            state = SprtTest.State.PASSED
        else:
            state = SprtTest.State.ADVANCED
            plan = sprt_tests.Plan(bot, running.base, running.ruleset, Clock(60_000))
            sprt_tests.start(ana, plan)
            SprtTest.objects.exclude(pk=running.pk).update(first_stage=running)
        SprtTest.objects.filter(pk=running.pk).update(state=state, ended_at=database_time.now())

    monkeypatch.setattr(rayuela_push, "PAUSE", end_stage)
    words = f"lab {bot.pk} --ruleset 'morlox(size=5)' --second-clock 60+0.6 --wait"
    assert _run(words) == 0
    assert "passed after 0 pairs" in capsys.readouterr().out
    assert SprtTest.objects.count() == 2


def test_an_sprt_test_without_a_verdict_ends_with_3(directory: Path, ana: User) -> None:
    bot = bot_world.version(ana)
    assert _run(f"lab {bot.pk} --ruleset 'morlox(size=5)' --wait --patience 0") == 3


def test_a_token_does_not_follow_to_another_place() -> None:
    handler = rayuela_push._NoRedirects()
    arguments: Any = (None, None, 302, "", {}, "https://elsewhere.example")
    follow: Callable[..., object] = handler.redirect_request
    assert follow(*arguments) is None


def test_it_is_one_file_of_the_standard_library(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "engine/sdk/rayuela_push.py"
    names = set(re.findall(r"^(?:import|from) (\w+)", path.read_text(), re.MULTILINE))
    assert names <= {*__import__("sys").stdlib_module_names}
    assert runpy.run_path(str(path))["AGENT"] == rayuela_push.AGENT
