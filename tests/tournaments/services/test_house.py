"""The site's own bots, and the command `manage.py setup`."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

import games
from engine.kernel import LEVELS
from tournaments import database_time
from tournaments.models import Bot, Event, Match, Player, Pool, Rating, Schedule, SiteText, User
from tournaments.queries.clocks import game_clocks
from tournaments.queries.ratings import pools
from tournaments.services import house
from tournaments.services.accounts import second_factor
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.long

_PASSWORD = "pedrecita-y-cielo-9"


@pytest.fixture
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", _PASSWORD)
    monkeypatch.delenv("STATIC_ROOT", raising=False)


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("setup", "--no-input", *arguments)
    return capsys.readouterr().out


@pytest.mark.usefixtures("db", "_variables")
def test_a_second_run_finds_everything(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, client: Client
) -> None:
    imprint = tmp_path / "imprint.txt"
    imprint.write_text("Calle 1\n\nBuenos Aires")
    first = _run(
        capsys,
        *("--operator", "Club Ajedrez", "--contact", "club@example.org"),
        *("--imprint", str(imprint), "--admin", "root", "--email", "root@example.org"),
    )
    counts = _counts()
    assert counts["bots"] == len(house.BOTS)
    assert counts["leagues"] == len(games.available())
    assert counts["schedules"] > 0
    user = User.objects.get(username="root")
    assert user.is_superuser
    assert user.check_password(_PASSWORD)
    assert second_factor.is_on(user)
    device = TOTPDevice.objects.get(user=user, confirmed=True)
    assert second_factor.key_of(device) in first
    second = _run(capsys, "--admin", "root")
    assert _counts() == counts
    assert "root is an administrator with a second factor" in second
    assert "key for the app" not in second
    # No event of the demo.
    assert not Event.objects.filter(is_listed=True, organiser__username="casa rayuela").exists()
    page = client.get("/contact/").content.decode()
    assert "Club Ajedrez" in page
    assert "<p>Calle 1</p>" in page
    assert '<a href="mailto:club@example.org">' in page
    assert "Club Ajedrez" in client.get("/privacy/").content.decode()


@pytest.mark.usefixtures("db", "_variables")
def test_only_given_texts_change(capsys: pytest.CaptureFixture[str]) -> None:
    SiteText.objects.create(kind="contact", text="club@example.org")
    out = _run(capsys, "--operator", "Club")
    assert "contact: club@example.org" in out
    assert "imprint: no text" in out
    assert dict(SiteText.objects.values_list("kind", "text")) == {
        "contact": "club@example.org",
        "operator": "Club",
    }


@pytest.mark.usefixtures("db", "_variables")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--privacy", "nothing-here.txt"), "nothing-here.txt"),
        (("--operator", "x" * 20_001), "20000 characters"),
        (("--admin", "ana"), "account of a player"),
        (("--admin", "a b/c"), "valid username"),
        (("--admin", "root", "--email", "no address"), "valid email"),
    ],
)
def test_a_bad_option_is_refused_by_name(
    ana: User, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match=re.escape(words)):
        _run(capsys, *arguments)
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.usefixtures("db")
def test_a_weak_password_of_the_administrator_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "12345678")
    with pytest.raises(CommandError, match="too common"):
        _run(capsys, "--admin", "root")
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.usefixtures("db")
def test_a_wrong_code_is_asked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The administrator types a wrong code, then the one that the app shows."""
    monkeypatch.setattr("tournaments.management.commands.setup.getpass", lambda _text: _PASSWORD)
    tries = []

    def typed(_prompt: str) -> str:
        device = TOTPDevice.objects.get()
        # django-otp waits after a wrong code.
        TOTPDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
        tries.append(device)
        return "000000x" if len(tries) == 1 else f"{totp(device.bin_key):06d}"

    monkeypatch.setattr("builtins.input", typed)
    call_command("setup", "--admin", "root")
    assert len(tries) == 2
    assert second_factor.is_on(User.objects.get(username="root"))
    assert "This code is wrong" in capsys.readouterr().err


def _counts() -> dict[str, int]:
    return {
        "bots": Bot.objects.count(),
        "players": Player.objects.count(),
        "leagues": Event.objects.filter(format=Event.Format.LEAGUE).count(),
        "events": Event.objects.count(),
        "schedules": Schedule.objects.count(),
        "accounts": User.objects.count(),
    }


@pytest.mark.engine
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
def test_the_levels_are_rated_by_games_among_themselves(
    erasable: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first round, on a board that is played quickly, in the pool in which people play bots."""
    smallest = SimpleNamespace(
        name="morelli", presentation=SimpleNamespace(lobby_board="morelli(size=5)")
    )
    monkeypatch.setattr(games, "available", lambda: [smallest])
    bots = house.add_bots()[:8]
    (event,) = house.add_leagues(bots)
    assert event.starts_at is not None
    assert timedelta(minutes=5) < event.starts_at - database_time.now() < timedelta(minutes=20)
    assert house._LEVELS == len(LEVELS) == event.max_entries
    event = lifecycle.start_event(event_id=event.pk, actor=event.organiser)
    # Each meets each of the others six times.
    assert event.rounds_total == 6 * (8 - 1)
    for match_id in Match.objects.due(database_time.now()).values_list("pk", flat=True):
        matches.play_match(match_id)
    rated = Rating.objects.filter(pool__kind=Pool.Kind.MIXED, games=1, player__in=bots)
    assert rated.count() == 8
    (pool,) = {row.pool for row in rated.select_related("pool")}
    clock = game_clocks.Clock.read("600+10")
    assert pool.key == pools.key_for(
        "morelli(size=5)", clock.initial_ms, clock.increment_ms, Pool.Kind.MIXED
    )
