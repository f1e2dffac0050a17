"""The way from an empty site to a rated game: by the forms of the site, through the real sandbox, into the ledger."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from tests import compiler
from tests.tournaments import pages, uploads
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import (
    Bot,
    Event,
    Game,
    LedgerEntry,
    Match,
    Player,
    SprtTest,
    Transcript,
    User,
)
from tournaments.queues import Queue
from tournaments.services import enqueue, sprt_tests, tick
from tournaments.services.bots import programs, sandbox_status
from tournaments.services.events import entries
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, list[int]]:
    """Return the messages to workers, by the name of the task."""
    wakeups: dict[str, list[int]] = {"check": [], "match": [], "event": []}
    for name, ids in wakeups.items():
        monkeypatch.setattr(enqueue, name, lambda pk=0, ids=ids, **_: ids.append(pk))
    monkeypatch.setattr(settings, "HOME", tmp_path)
    monkeypatch.setattr(sandbox_status, "_self_test", sandbox_status.SelfTest())
    return wakeups


def _ladder(ana: User, opponent: Player) -> Event:
    """Return a ladder with another bot."""
    ladder = event_of(
        ana,
        ruleset="morlox(size=5)",
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=3600,
    )
    entries.enter(event_id=ladder.pk, player=opponent, actor=ladder.organiser)
    return ladder


def _rated_pair(client: Client, bot: Bot, ladder: Event) -> list[Game]:
    """Enter the bot by its page, and return the rated games of its first pair."""
    address = f"/bots/versions/{bot.pk}/enter/"
    assert client.post(address, {"event": ladder.slug}).status_code == 302
    lifecycle.start_event(event_id=ladder.pk, actor=ladder.organiser)
    lifecycle.advance_event(ladder.pk)
    match = Match.objects.get()
    assert matches.play_match(match.pk)
    games = list(Game.objects.of(bot.player).finished())
    assert [game.ending for game in games] == ["rules", "rules"]
    assert LedgerEntry.objects.filter(player=bot.player).count() == 2
    return games


def _let_transaction_wait() -> None:
    """Let PostgreSQL keep the transaction of the test, in which a compiler may take minutes on a busy machine."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


def _upload(client: Client, source: bytes, filename: str = "main.py") -> None:
    """Sign up and upload `source`, as a visitor does."""
    response = client.post("/sign-up/", {"name": "Lucía", "password": "rayuela-1963"})
    assert response.status_code == 302
    form = {
        "name": "Nilo",
        "description": "Leaves the opponent few moves.",
        "file": SimpleUploadedFile(filename, source),
        "families": ["morlox"],
        "takes_over": "on",
        "key": "once",
    }
    assert client.post("/bots/new/", form).status_code == 302


HOW_TO = (Path(__file__).parents[4] / "docs/tutorials/first-bot.md").read_text()


def _bot_of_the_how_to() -> bytes:
    source = re.findall(r" +```python\n(.*?)```", HOW_TO, re.DOTALL)[0]
    return textwrap.dedent(source).encode()


@pytest.mark.engine
@pytest.mark.long
def test_a_bot_of_ten_lines_is_uploaded_checked_and_plays_a_rated_pair_in_a_ladder(
    client: Client, ana: User, bots: list[Player], woken: dict[str, list[int]]
) -> None:
    uploads.require_box()
    ladder = _ladder(ana, bots[0])
    _upload(client, _bot_of_the_how_to())
    bot = Bot.objects.of_authors().get()
    assert len(woken["check"]) == 1
    responses = [client.get(path) for path in ("/bots/", "/bots/new/", f"/bots/versions/{bot.pk}/")]
    assert uploads.has_verdict(bot)
    page = pages.text_of(client.get(f"/bots/versions/{bot.pk}/").content)
    assert "Nilo 1 active" in page
    assert "no violations" in page

    responses.append(client.get(f"/bots/versions/{bot.pk}/"))
    games = _rated_pair(client, bot, ladder)
    assert Transcript.objects.filter(game__in=games).count() == 2
    responses.append(client.get(f"/bots/versions/{bot.pk}/"))
    # In the list of games, and of a lost one among those to look at first too.
    assert pages.text_of(responses[-1].content).count("on the board") >= 2
    Bot.objects.filter(pk=bot.pk).update(is_active=False)  # as after a newer one
    responses.append(client.get(f"/bots/lines/{bot.line_id}/"))


@pytest.mark.engine
@pytest.mark.long
def test_the_same_bot_goes_on_to_the_verdict_of_a_sequential_test(
    client: Client, bots: list[Player], woken: dict[str, list[int]]
) -> None:
    """From sign-up to the laboratory: against a bot that moves at random a few pairs in the sandbox are enough."""
    uploads.require_box()
    _upload(client, _bot_of_the_how_to())
    bot = Bot.objects.of_authors().get()
    assert uploads.has_verdict(bot)
    form = {
        "candidate": bot.pk,
        "base": bots[0].bot.pk,
        "ruleset": "morlox(size=5)",
        "clock": "10+0.1",
        "model": "logistic",
        "elo0": "0",
        "elo1": "200",
        "max_pairs": "60",
    }
    response = client.post("/sprt/new/", form)
    assert response.status_code == 302
    sprt_test = SprtTest.objects.get()
    while sprt_test.state == SprtTest.State.RUNNING:
        waiting = Match.objects.filter(state=Match.State.QUEUED).order_by("pk")
        assert matches.play_match(waiting[0].pk)
        sprt_tests.advance_due()
        sprt_test.refresh_from_db()
    assert sprt_test.state == SprtTest.State.PASSED
    page = pages.text_of(client.get(response["Location"]).content)
    assert "passed: the candidate is stronger" in page
    assert "Log-likelihood ratio after" in page
    assert not LedgerEntry.objects.exists()


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.parametrize("suffix", compiler.each_suffix())
def test_a_sample_in_any_language_is_uploaded_built_checked_and_plays_a_rated_pair(
    client: Client,
    ana: User,
    bots: list[Player],
    woken: dict[str, list[int]],
    tmp_path: Path,
    suffix: str,
) -> None:
    uploads.require_box()
    for folder in compiler.FOLDERS:
        (tmp_path / folder).symlink_to(compiler.HOME / folder)
    sandbox_status.serve([Queue.CHECKS])
    assert sandbox_status.examine()
    _let_transaction_wait()
    _upload(client, compiler.sample(suffix), f"morlox{suffix}")
    bot = Bot.objects.of_authors().get()
    assert uploads.has_verdict(bot)
    bot.refresh_from_db()
    assert bot.state == Bot.State.READY, bot.check_log
    assert programs.of(bot).language == programs.LANGUAGES[suffix]
    ladder = _ladder(ana, bots[0])
    _rated_pair(client, bot, ladder)


@pytest.mark.long
@pytest.mark.engine
def test_a_bot_that_cheats_never_plays(
    client: Client, db: None, woken: dict[str, list[int]]
) -> None:
    uploads.require_box()
    _upload(client, uploads.CHEAT)
    bot = Bot.objects.of_authors().get()
    assert uploads.has_verdict(bot)
    page = pages.text_of(client.get(f"/bots/versions/{bot.pk}/").content)
    assert "It failed in the games of its check" in page
    assert "illegal-move" in page
    response = client.post(
        "/play/challenge/",
        {"opponent": bot.player.name, "ruleset": "morlox(size=5,swap=on)", "clock": "180+2"},
        follow=True,
    )
    assert "This bot does not play at the moment." in pages.text_of(response.content)
    assert not Game.objects.exists()


@pytest.mark.engine
@pytest.mark.long
def test_a_bot_that_crashes_in_three_games_is_suspended_and_leaves_the_ladder(
    client: Client, ana: User, bots: list[Player], woken: dict[str, list[int]]
) -> None:
    """It passes its check: it fails only on boards larger than the lobby's."""
    uploads.require_box()
    source = uploads.GOOD.replace(
        b"    def replies", b"    assert len(position.legal_moves()) < 150\n    def replies"
    )
    _upload(client, source)
    bot = Bot.objects.of_authors().get()
    assert uploads.has_verdict(bot)
    ladder = event_of(
        ana,
        ruleset="morlox(size=13)",
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=3600,
    )
    entries.enter(event_id=ladder.pk, player=bots[0], actor=ana)
    client.post(f"/bots/versions/{bot.pk}/enter/", {"event": ladder.slug})
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    for _ in range(2):
        lifecycle.advance_event(ladder.pk)
        for match in Match.objects.filter(state=Match.State.QUEUED):
            assert matches.play_match(match.pk)
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.SUSPENDED, "faults-in-a-row")
    tick.tick(database_time.now().replace(second=0))
    assert not ladder.entries.active().filter(player=bot.player).exists()
