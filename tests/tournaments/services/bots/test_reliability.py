"""Reliability of bots: a bot that fails too often is suspended and taken out of events, with a notice.

A good one never is.
"""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.db import transaction

from tests.tournaments import pages, uploads
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Bot, Email, Game, NewsItem, Player, Pool, User
from tournaments.queries.bots import reliability
from tournaments.services.bots import suspension, versions
from tournaments.services.events import entries
from tournaments.services.notifications import email, inbox
from tournaments.services.rounds import lifecycle


@pytest.fixture
def bot(ana: User) -> Bot:
    """Ana's, which plays."""
    return uploads.ready(uploads.line(ana), is_active=True)


@pytest.fixture
def rival(db: None) -> Player:
    return Player.objects.create(
        kind="person", name="Rival", canonical="rival", created_at=database_time.now()
    )


def _fail(bot: Bot, rival: Player, *endings: str) -> None:
    """Make the bot lose games with these endings, each counted as it ends."""
    for ending in endings:
        with transaction.atomic():
            suspension.suspend_if_unreliable(uploads.lost(bot.player, rival, ending))
    bot.refresh_from_db()


@pytest.mark.parametrize("ending", reliability.FAULTS)
def test_three_failures_in_a_row_suspend_a_version(bot: Bot, rival: Player, ending: str) -> None:
    _fail(bot, rival, ending, ending)
    assert bot.state == Bot.State.READY
    _fail(bot, rival, ending)
    assert (bot.state, bot.is_active) == (Bot.State.SUSPENDED, False)
    assert bot.state_code == "faults-in-a-row"


@pytest.mark.parametrize("ending", ["rules", "resignation", "agreement"])
def test_losing_is_no_failure(bot: Bot, rival: Player, ending: str) -> None:
    _fail(bot, rival, *[ending] * 5)
    assert bot.is_active


def test_a_game_that_is_played_out_breaks_the_row(bot: Bot, rival: Player) -> None:
    _fail(bot, rival, "crash", "crash", "rules", "crash", "crash")
    assert bot.is_active


def test_games_that_do_not_count_neither_make_nor_break_a_row(bot: Bot, rival: Player) -> None:
    _fail(bot, rival, "crash", "crash")
    uploads.lost(bot.player, rival, "fault", result=Game.Result.VOID)
    _fail(bot, rival, "crash")
    assert bot.state == Bot.State.SUSPENDED


def test_the_winner_of_a_failure_is_not_blamed(bot: Bot, rival: Player) -> None:
    for _ in range(3):
        with transaction.atomic():
            suspension.suspend_if_unreliable(uploads.lost(rival, bot.player))
    bot.refresh_from_db()
    assert bot.is_active


def test_more_than_a_tenth_of_forty_games_suspends_and_a_tenth_does_not(
    bot: Bot, rival: Player
) -> None:
    _fail(bot, rival, *(["rules"] * 8 + ["time"]) * 4)  # 4 of 36
    assert bot.is_active
    _fail(bot, rival, "rules", "rules", "rules", "rules")  # 4 of 40
    assert bot.is_active
    _fail(bot, rival, "time")  # 5 of 41
    assert (bot.state, bot.state_code) == (Bot.State.SUSPENDED, "faults-many")


def test_clean_games_of_another_kind_make_up_for_nothing(bot: Bot, rival: Player) -> None:
    for ending in ("crash", "rules", "crash", "rules", "crash"):
        with transaction.atomic():
            pool = pages.pool_of(Pool.Kind.BOTS) if ending == "crash" else None
            suspension.suspend_if_unreliable(uploads.lost(bot.player, rival, ending, pool=pool))
    bot.refresh_from_db()
    assert (bot.state, bot.state_code) == (Bot.State.SUSPENDED, "faults-in-a-row")


def test_games_before_another_check_do_not_count(bot: Bot, rival: Player) -> None:
    _fail(bot, rival, "crash", "crash")
    Bot.objects.filter(pk=bot.pk).update(faults_counted_from=database_time.now())
    _fail(bot, rival, "crash", "crash")
    assert bot.is_active


def test_built_in_bots_are_never_suspended(bots: list[Player], rival: Player) -> None:
    _fail(bots[0].bot, rival, "crash", "crash", "crash")
    assert bots[0].bot.is_active


def test_the_author_is_told_on_the_site_and_by_mail(
    ana: User, bot: Bot, rival: Player, mailoutbox: list[EmailMessage]
) -> None:
    inbox.confirm_address(inbox.ask_address(ana, "ana@rayuela.example", language="en"))
    _fail(bot, rival, "crash", "crash", "crash")
    news_item = NewsItem.objects.filter(topic__name=f"user:{ana.pk}", kind="bot").last()
    assert news_item is not None
    assert news_item.payload == {"version": bot.pk, "what": "suspended"}
    email.send_due(database_time.now())
    (mail,) = mailoutbox
    assert mail.to == ["ana@rayuela.example"]
    assert mail.subject == "Nilo 1 is suspended"
    assert f"/bots/versions/{bot.pk}/" in mail.body


@pytest.mark.parametrize("address", ["", "ana@rayuela.example"])
def test_without_a_confirmed_address_no_mail_is_written(
    ana: User, bot: Bot, rival: Player, address: str
) -> None:
    if address:
        inbox.ask_address(ana, address, language="en")
    _fail(bot, rival, "crash", "crash", "crash")
    assert not Email.objects.exists()


@pytest.mark.parametrize(("is_automatic", "stays"), [(True, False), (False, True)])
def test_a_suspended_version_leaves_running_automatic_events(
    ana: User, bot: Bot, rival: Player, bots_of_ours: list[Player], is_automatic: bool, stays: bool
) -> None:
    event = event_of(ana, ruleset="morlox(size=5)", is_automatic=is_automatic)
    for player in (*bots_of_ours[:2], bot.player):
        entries.enter(event_id=event.pk, player=player, actor=ana)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    _fail(bot, rival, "crash", "crash", "crash")
    versions.withdraw_unfit()
    versions.withdraw_unfit()
    assert event.entries.active().filter(player=bot.player).exists() is stays


@pytest.fixture
def bots_of_ours(request: pytest.FixtureRequest) -> list[Player]:
    built_in: list[Player] = request.getfixturevalue("bots")
    return built_in
