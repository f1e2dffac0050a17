"""What a machine finds when it tries its sandbox, and what the site and its workers make of it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest
from django.core.checks import run_checks
from django.utils import timezone

from tests import processes
from tests.tournaments import authors
from tournaments.models import Match, SandboxReport
from tournaments.services.accounts import players
from tournaments.services.bots import sandbox_status
from tournaments.services.games import game_creation
from tournaments.services.matches import matches

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import User

pytestmark = pytest.mark.engine


@pytest.fixture(autouse=True)
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not tried yet."""
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())


@pytest.fixture
def nothing_holds(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.BOTS_ISOLATOR = "bwrap"
    monkeypatch.setenv("PATH", "/nonexistent")


def test_what_holds_is_kept_until_it_is_due_again(db: None) -> None:
    first = sandbox_status.isolator()
    assert first is not None
    assert sandbox_status.isolator() is first
    row = SandboxReport.objects.get()
    assert (row.host, row.isolator) == (socket.gethostname(), first.name)


def test_a_doubt_is_a_new_self_test(db: None) -> None:
    sandbox_status.isolator()
    SandboxReport.objects.update(report="")
    sandbox_status.invalidate_self_test()
    sandbox_status.isolator()
    assert SandboxReport.objects.get().report


@pytest.mark.parametrize("name", ["bwrap", "landlock"])
def test_only_the_operators_choice_is_tried(db: None, settings: Any, name: str) -> None:
    settings.BOTS_ISOLATOR = name
    sandbox_status.examine()
    (line,) = SandboxReport.objects.get().report.splitlines()
    assert line.startswith(f"{name}: ")


def test_what_is_missing_is_told_by_name(db: None, nothing_holds: None) -> None:
    assert not sandbox_status.examine()
    row = SandboxReport.objects.get()
    assert row.isolator == ""
    assert "bubblewrap missing" in row.report


def test_pages_and_checks_say_when_no_machine_has_a_sandbox(client: Client, db: None) -> None:
    row = SandboxReport.objects.create(
        host="one", isolator="", report="bwrap: bubblewrap missing (-)", checked_at=timezone.now()
    )
    page = client.get("/bots/").content.decode()
    assert "no machine here has a working sandbox" in page
    (warning,) = _warnings()
    assert "one: bwrap: bubblewrap missing" in warning
    row.isolator = "landlock"
    row.save()
    assert "no machine here has a working sandbox" not in client.get("/bots/").content.decode()
    assert _warnings() == []


def test_nothing_is_said_before_any_machine_has_reported(client: Client, db: None) -> None:
    assert "working sandbox" not in client.get("/bots/").content.decode()
    assert _warnings() == []


def _warnings() -> list[str]:
    messages = run_checks(include_deployment_checks=True)
    return [warning.msg for warning in messages if warning.id == "tournaments.W001"]


@pytest.mark.engines_long
@pytest.mark.django_db(transaction=True)
def test_a_worker_without_a_sandbox_takes_nothing_boxed_and_says_why(
    erasable: None, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = players.add_bot(name="House", engine="random")
    other = players.add_bot(name="Other", engine="random")
    monkeypatch.setenv("BOTS_ISOLATOR", "bwrap")
    monkeypatch.setenv("PATH", "/nonexistent")
    with processes.worker("bots,builtin"):
        match = _schedule(authors.version(ana, "Mover"), house)
        ours = _schedule(house, other)
        processes.until(lambda: _state(ours) == Match.State.DONE)
        assert SandboxReport.objects.get().isolator == ""
        match.refresh_from_db()
        assert (match.state, match.attempt) == (Match.State.QUEUED, 0)
    monkeypatch.undo()
    with processes.worker("bots"):
        processes.until(lambda: _state(match) == Match.State.DONE)
    assert SandboxReport.objects.get().isolator != ""


@pytest.mark.engines_long
@pytest.mark.django_db(transaction=True)
def test_a_reply_is_made_while_the_worker_of_matches_has_none_free(
    erasable: None, ana: User
) -> None:
    with processes.worker("replies"):
        game = game_creation.create_game(
            ruleset="morelli(size=5)",
            setup=game_creation.draw_setup("morelli(size=5)", 3),
            first=authors.version(ana, "Mover"),
            second=ana.player,
            clock=game_creation.Clock(600_000, 100),
            is_rated=False,
        )
        processes.until(lambda: game.plies.exists())


def _schedule(*pair: Any) -> Match:
    return matches.schedule(
        ruleset="morelli(size=5)",
        setup=game_creation.draw_setup("morelli(size=5)", 3),
        players=pair,
        clock=game_creation.Clock(60_000, 100),
    )


def _state(match: Match) -> str:
    match.refresh_from_db()
    return match.state
