"""Challenges, and the bots' replies in the games that come of them."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.urls import reverse

import games
from engine import referee
from engine.match import BotSpec
from tests.tournaments import pages
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Challenge, Game, Player, Ply, User
from tournaments.queries.clocks import game_clocks
from tournaments.services import enqueue, tick
from tournaments.services.games import chat, game_creation, offers, play
from tournaments.services.lobby import challenges
from tournaments.services.matches import replies
from tournaments.services.notifications import inbox

pytestmark = pytest.mark.engines

CLOCK = game_creation.Clock(300_000, 2_000)
RULESET = "morelli(size=5)"


def _challenge(challenger: User, opponent: Player | None, **changes: object) -> Challenge:
    plan = {"ruleset": RULESET, "clock": CLOCK, "side": "first", **changes}
    return challenges.challenge(challenger=challenger.player, opponent=opponent, **plan)  # type: ignore[arg-type]  # by keyword


@pytest.fixture
def against_bot(ana: User, bots: list[Player]) -> Game:
    """Ana, who begins, against a bot."""
    game = _challenge(ana, bots[0]).game
    assert game is not None
    return game


def _anas_move(game: Game) -> None:
    game.refresh_from_db()
    legal = games.load(game.ruleset).parse(game.position).legal_moves()
    play.play_move(game_id=game.pk, player=game.first, ply=game.ply, move=legal[0])


def test_a_bot_accepts_at_once(against_bot: Game, ana: User) -> None:
    assert against_bot.first == ana.player
    assert against_bot.challenge.state == Challenge.State.ACCEPTED


def test_a_person_is_asked_and_then_the_game_begins(ana: User, ben: User) -> None:
    challenge = _challenge(ana, ben.player)
    assert challenge.game is None
    game = challenges.accept(challenge_id=challenge.pk, player=ben.player)
    assert {game.first, game.second} == {ana.player, ben.player}
    with pytest.raises(StaleError):
        challenges.accept(challenge_id=challenge.pk, player=ben.player)


def test_an_open_challenge_is_for_anybody_else(ana: User, ben: User) -> None:
    challenge = _challenge(ana, None)
    with pytest.raises(NotAllowedError):
        challenges.accept(challenge_id=challenge.pk, player=ana.player)
    assert challenges.accept(challenge_id=challenge.pk, player=ben.player).first == ana.player


def test_a_challenge_is_declined_by_the_one_and_withdrawn_by_the_other(
    ana: User, ben: User, bots: list[Player]
) -> None:
    with pytest.raises(NotAllowedError):
        challenges.decline(challenge_id=_challenge(ana, ben.player).pk, player=bots[0])
    challenge = challenges.decline(challenge_id=_challenge(ana, ben.player).pk, player=ben.player)
    withdrawn = challenges.decline(challenge_id=_challenge(ana, ben.player).pk, player=ana.player)
    assert (challenge.state, withdrawn.state) == ("declined", "withdrawn")
    # Players get no notice of their own challenge, nor of one that they decline.
    assert [notice.item.kind for notice in inbox.notices(ana)] == ["declined"]
    assert [notice.is_stale for notice in inbox.notices(ben)] == [True, True, False]
    page = pages.member(ana).get(reverse("notices")).content.decode()
    assert "Ben has declined your challenge" in page


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "go(size=19)"}, "ruleset-bad"),
        ({"ruleset": "x" * 10_000}, "ruleset-bad"),
        ({"side": "third"}, "side-bad"),
    ],
)
def test_a_bad_challenge_is_refused_by_name(
    ana: User, ben: User, changes: dict[str, str], code: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        _challenge(ana, ben.player, **changes)
    assert refused.value.code == code


def test_nobody_challenges_himself_or_a_resting_bot_or_too_many(
    ana: User, bots: list[Player]
) -> None:
    for opponent, code in ((ana.player, "not-yourself"), (bots[0], "bot-inactive")):
        bots[0].bot.is_active = False
        bots[0].bot.save()
        with pytest.raises(RefusedError) as refused:
            _challenge(ana, opponent)
        assert refused.value.code == code
    for _ in range(20):
        _challenge(ana, None)
    with pytest.raises(RefusedError) as refused:
        _challenge(ana, None)
    assert refused.value.code == "too-many-challenges"


@pytest.mark.engine
def test_nobody_is_reached_by_challenges_of_those_they_have_muted(ana: User, ben: User) -> None:
    before, of_ben = _challenge(ana, ben.player), pages.member(ben)
    message = reverse("challenge-message", args=[before.pk])
    assert of_ben.get(message).status_code == 200
    chat.mute(player=ben.player, muted=ana.player)
    with pytest.raises(RefusedError, match="player-unwilling"):
        _challenge(ana, ben.player)
    _challenge(ana, None)
    assert of_ben.get(message).status_code == 404
    for address in (reverse("open-games"), reverse("home"), reverse("lobby")):
        assert "/accept/" not in of_ben.get(address).content.decode(), address
    chat.unmute(player=ben.player, muted=ana.player)
    assert of_ben.get(message).status_code == 200


def test_the_bot_replies_once(against_bot: Game) -> None:
    assert not replies.reply(against_bot.pk)  # it is Ana's turn
    _anas_move(against_bot)
    assert replies.reply(against_bot.pk)
    assert not replies.reply(against_bot.pk)
    against_bot.refresh_from_db()
    assert (against_bot.ply, against_bot.side_to_move) == (2, "first")


def test_one_of_two_workers_may_think(against_bot: Game) -> None:
    _anas_move(against_bot)
    now = database_time.now()
    assert replies.due(now).filter(pk=against_bot.pk).update(reply_lease_until=now + replies.LEASE)
    assert not replies.reply(against_bot.pk)
    assert Ply.objects.count() == 1


@pytest.mark.engine
def test_a_reply_that_comes_too_late_is_dropped(
    against_bot: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    _anas_move(against_bot)
    honest = referee.choose_move

    def slow(*args: Any, **kwargs: Any) -> object:
        answer = honest(*args, **kwargs)
        play.resign(game_id=against_bot.pk, player=against_bot.first)
        return answer

    monkeypatch.setattr(referee, "choose_move", slow)
    assert not replies.reply(against_bot.pk)
    assert Ply.objects.count() == 1


@pytest.mark.engine
def test_a_bot_answers_an_offer_by_what_the_throne_says(against_bot: Game, ana: User) -> None:
    offers.offer_end(game_id=against_bot.pk, player=ana.player)
    replies.reply(against_bot.pk)
    against_bot.refresh_from_db()
    is_over = against_bot.result == "draw"  # the Throne is vacant
    assert is_over or against_bot.agreement_offered_by is None


@pytest.mark.long
def test_a_bot_that_cannot_be_started_keeps_nobody_waiting(
    against_bot: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "bot_spec", lambda *_, **__: BotSpec("x", ("/no/such/program",)))
    _anas_move(against_bot)
    for _ in range(replies.MAX_ATTEMPTS + 1):
        Game.objects.update(reply_lease_until=None)
        assert not replies.reply(against_bot.pk)
    against_bot.refresh_from_db()
    assert (against_bot.result, against_bot.ending) == ("void", "fault")


def test_the_tick_wakes_a_reply_that_was_forgotten(
    against_bot: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(enqueue, "reply", lambda pk, **_: woken.append(pk))
    _anas_move(against_bot)
    woken.clear()
    now = database_time.now().replace(second=0) + timedelta(minutes=2)
    tick.tick(now)
    assert woken == [against_bot.pk]


@pytest.mark.long
def test_the_tick_wakes_the_bot_for_an_offer_that_was_forgotten(
    against_bot: Game, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers.offer_end(game_id=against_bot.pk, player=ana.player)
    woken: list[int] = []
    monkeypatch.setattr(enqueue, "reply", lambda pk, **_: woken.append(pk))
    tick.tick(database_time.now().replace(second=0) + timedelta(minutes=1))
    assert woken == [against_bot.pk]


@pytest.mark.django_db(transaction=True)
def test_a_broken_queue_takes_nothing_from_what_is_committed(
    erasable: None, ana: User, bots: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(current_app, "send_task", broken)
    assert _challenge(ana, bots[0], side="second").game is not None


def test_the_tick_decides_fallen_flags(ana: User, ben: User) -> None:
    game = challenges.accept(challenge_id=_challenge(ana, ben.player).pk, player=ben.player)
    assert game.deadline_at is not None
    tick.tick(game.deadline_at - timedelta(seconds=1))
    assert Game.objects.ongoing().count() == 1
    tick.tick(game.deadline_at + game_clocks.GRACE)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")
