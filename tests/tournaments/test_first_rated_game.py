"""From nothing to a rated game: by the forms of the site, through the real sandbox, into the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.tournaments import uploads, visits
from tournaments.models import Bot, Event, Game, LedgerEntry, Match
from tournaments.services import checks, entries, events, matches, ticks, wake

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

    from tournaments.models import Player, User


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, list[int]]:
    """What workers would be told, by the name of the task."""
    told: dict[str, list[int]] = {"check": [], "match": [], "event": []}
    for name, ids in told.items():
        monkeypatch.setattr(wake, name, ids.append)
    monkeypatch.setattr(settings, "HOME", tmp_path)
    return told


def _uploaded(client: Client, source: bytes) -> None:
    """Sign up and upload `source`, as a visitor does."""
    signed = client.post("/sign-up/", {"name": "Lucía", "password": "rayuela-73"})
    assert signed.status_code == 302
    sent = {
        "name": "Nilo",
        "description": "Leaves the opponent few moves.",
        "file": SimpleUploadedFile("main.py", source),
        "families": ["morlox"],
        "takes_over": "on",
        "key": "once",
    }
    assert client.post("/bots/new/", sent).status_code == 302


@pytest.mark.engine
def test_a_bot_of_ten_lines_is_uploaded_checked_and_plays_a_rated_pair_in_a_ladder(
    client: Client,
    ana: User,
    bots: list[Player],
    new_event: Callable[..., Event],
    woken: dict[str, list[int]],
) -> None:
    uploads.require_box()
    ladder = new_event(
        ruleset="morlox(size=5)",
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=3600,
    )
    entries.enter(event_id=ladder.pk, player=bots[0], actor=ana)
    _uploaded(client, uploads.GOOD)
    bot = Bot.objects.of_authors().get()
    assert woken["check"] == [bot.pk]
    assert checks.check(bot.pk)
    page = visits.text_of(client.get(f"/bots/versions/{bot.pk}/").content)
    assert "Nilo 1 plays" in page
    assert "no violations" in page

    entered = client.post(f"/events/{ladder.slug}/enter/", {"bots": [bot.player_id]})
    assert entered.status_code == 302
    events.start_event(event_id=ladder.pk, actor=ana)
    events.advance_event(ladder.pk)
    match = Match.objects.get()
    assert matches.play_match(match.pk)
    games = list(Game.objects.of(bot.player).finished())
    assert [game.ending for game in games] == ["rules", "rules"]
    assert LedgerEntry.objects.filter(player=bot.player).count() == 2
    shown = visits.text_of(client.get(f"/bots/versions/{bot.pk}/").content)
    assert shown.count("by the rules") == 2


@pytest.mark.engine
def test_a_bot_that_cheats_never_plays(
    client: Client, db: None, woken: dict[str, list[int]]
) -> None:
    uploads.require_box()
    _uploaded(client, uploads.CHEAT)
    bot = Bot.objects.of_authors().get()
    assert checks.check(bot.pk)
    page = visits.text_of(client.get(f"/bots/versions/{bot.pk}/").content)
    assert "It did something wrong in the games of its check" in page
    assert "illegal-move" in page
    challenged = client.post(
        "/play/challenge/",
        {"opponent": bot.player.name, "ruleset": "morlox(size=5,swap=on)", "clock": "180+2"},
        follow=True,
    )
    assert "This bot does not play at the moment." in visits.text_of(challenged.content)
    assert not Game.objects.exists()


@pytest.mark.engine
def test_a_bot_that_crashes_in_three_games_is_suspended_and_leaves_the_ladder(
    client: Client,
    ana: User,
    bots: list[Player],
    new_event: Callable[..., Event],
    woken: dict[str, list[int]],
) -> None:
    """It passes its check, for it is only on larger boards that it fails."""
    uploads.require_box()
    source = uploads.GOOD.replace(
        b"    def replies", b"    assert len(position.legal_moves()) < 40\n    def replies"
    )
    _uploaded(client, source)
    bot = Bot.objects.of_authors().get()
    assert checks.check(bot.pk)
    ladder = new_event(
        ruleset="morlox(size=9)",
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=3600,
    )
    for player in (bots[0], Bot.objects.get(pk=bot.pk).player):
        entries.enter(
            event_id=ladder.pk, player=player, actor=bot.owner if player.bot.owner else ana
        )
    events.start_event(event_id=ladder.pk, actor=ana)
    for _ in range(2):
        events.advance_event(ladder.pk)
        for match in Match.objects.filter(state=Match.State.QUEUED):
            assert matches.play_match(match.pk)
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.SUSPENDED, "faults-in-a-row")
    ticks.bots.withdraw_unfit()
    assert not ladder.entries.active().filter(player=bot.player).exists()
