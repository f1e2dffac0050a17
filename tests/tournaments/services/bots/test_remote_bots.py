"""Remote bots: their opponents, the charges of their clocks, and the permissions of their authors."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.tournaments import clock_lines, pages, remote_players, uploads
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Bot, Challenge, Game, RemoteBot, User
from tournaments.queries.bots import reliability
from tournaments.queries.clocks.game_clocks import FIRST_MOVE_GRACE_MS, Clock
from tournaments.services import tick
from tournaments.services.accounts import remote_presence, tokens
from tournaments.services.bots import remote_bots, versions
from tournaments.services.games import play
from tournaments.services.lobby import challenges
from tournaments.services.notifications import news


def _code(act: Callable[[], object]) -> str:
    with pytest.raises((RefusedError, NotAllowedError)) as refused:
        act()
    return refused.value.code


# --- meeting them -----------------------------------------------------------------------------------------------------


def test_a_challenge_waits_for_the_bots_program(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    challenge = remote_players.challenge(ben.player, bot)
    assert challenge.state == Challenge.State.OPEN
    assert [item.kind for item in news.after(news.of_bot(bot.player_id), 0)] == ["challenge"]
    game = challenges.accept(challenge_id=challenge.pk, player=bot.player)
    assert game.match_id is None
    assert [item.kind for item in news.after(news.of_bot(bot.player_id), 0)][1] == "game"


@pytest.mark.parametrize(
    ("terms", "changes", "code"),
    [
        ({"is_there": False}, {}, "bot-away"),
        ({"least_ms": 61_000}, {}, "bot-clock"),
        ({"most_ms": 59_000}, {}, "bot-clock"),
        ({}, {"clock": Clock.read("unlimited")}, "bot-clock"),
        ({"takes_rated": False}, {}, "bot-casual-only"),
        ({"takes_casual": False}, {"is_rated": False}, "bot-rated-only"),
        ({"families": ["morelli"]}, {}, "bot-other-game"),
    ],
)
def test_what_its_author_does_not_want_is_refused(
    ana: User, ben: User, terms: dict[str, Any], changes: dict[str, Any], code: str
) -> None:
    bot = remote_players.bot(ana, **terms)
    assert _code(lambda: remote_players.challenge(ben.player, bot, **changes)) == code
    assert not Challenge.objects.exists()


def test_it_plays_no_more_games_at_once_than_it_can(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana, max_games=1)
    first, second = (
        remote_players.challenge(ben.player, bot),
        remote_players.challenge(ben.player, bot),
    )
    game = challenges.accept(challenge_id=first.pk, player=bot.player)
    assert _code(lambda: challenges.accept(challenge_id=second.pk, player=bot.player)) == "bot-busy"
    play.resign(game_id=game.pk, player=ben.player)
    challenges.accept(challenge_id=second.pk, player=bot.player)


def test_a_retired_bot_begins_no_game(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    challenge = remote_players.challenge(ben.player, bot)
    versions.retire(bot_id=bot.pk, actor=ana)
    assert _code(lambda: remote_players.challenge(ben.player, bot)) == "bot-inactive"
    accept = challenges.accept
    assert _code(lambda: accept(challenge_id=challenge.pk, player=bot.player)) == "bot-inactive"


def test_a_bot_is_there_a_while_after_it_was_heard_of(wall: FrozenClock, ana: User) -> None:
    bot = remote_players.bot(ana)
    wall.wait(seconds=89)
    assert remote_presence.is_present(RemoteBot.objects.get(), wall.now)
    wall.wait(seconds=2)
    assert not remote_presence.is_present(RemoteBot.objects.get(), wall.now)
    assert bot.line_id is not None
    remote_presence.note_seen(bot.line_id)
    assert remote_presence.is_present(RemoteBot.objects.get(), wall.now)


@pytest.mark.parametrize("families", [[], ["chess"]])
def test_games_that_there_are_not_are_refused(ana: User, families: list[str]) -> None:
    make, change = remote_bots.create, remote_bots.change_families
    assert _code(lambda: make(owner=ana, name="F1", families=families)) == "families-bad"
    bot = remote_players.bot(ana)
    assert _code(lambda: change(bot_id=bot.pk, actor=ana, families=families)) == "families-bad"


def test_nobody_else_changes_its_games(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    change = remote_bots.change_families
    refused = _code(lambda: change(bot_id=bot.pk, actor=ben, families=["morelli"]))
    assert refused == "not-your-bot"
    change(bot_id=bot.pk, actor=ana, families=["morelli"])
    assert Bot.objects.get(pk=bot.pk).families == ["morelli"]


def test_nothing_is_uploaded_to_it(ana: User) -> None:
    bot = remote_players.bot(ana)
    assert bot.line_id is not None
    line_id = bot.line_id
    add = versions.add_version
    assert _code(lambda: add(line_id=line_id, actor=ana, upload=uploads.upload())) == "line-remote"


def test_its_token_is_its_own(ana: User, ben: User) -> None:
    bot, uploaded = remote_players.bot(ana), uploads.line(ana)

    def make(user: User, line: Any, *scopes: str) -> object:
        return tokens.create(
            user=user, password="rayuela-1963", name="x", scopes=scopes, days=30, line=line
        )

    for user, line, scopes in [
        (ana, bot.line, ("bots:play", "read")),
        (ana, bot.line, ("read",)),
        (ana, None, ("bots:play",)),
        (ben, bot.line, ("bots:play",)),
        (ana, uploaded.line, ("bots:play",)),
    ]:
        assert _code(lambda: make(user, line, *scopes)) == "token-line"  # noqa: B023 - called at once
    make(ana, bot.line, "bots:play")


# --- its clock --------------------------------------------------------------------------------------------------------


def test_its_first_turn_has_a_grace_and_no_other(wall: FrozenClock, ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, ben.player)
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    game = Game.objects.get(pk=game.pk)
    assert clock_lines.reasons(game) == [("grace", FIRST_MOVE_GRACE_MS), ("spent", -40_000)]
    assert game.first_ms == 50_000
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=bot.player, ply=2, move="c3")
    assert Game.objects.get(pk=game.pk).first_ms == 10_000


def test_people_have_no_grace(wall: FrozenClock, ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    game = pages.new_game(
        ben.player, bot.player, "morlox(size=5)", clock=remote_players.MINUTE, is_rated=False
    )
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=ben.player, ply=0, move="a1")
    assert Game.objects.get(pk=game.pk).first_ms == 20_000


def test_it_gets_back_the_way_of_its_move_up_to_half_a_second(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, ben.player)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    wall.wait(seconds=10)
    # A program whose clock is wrong by an hour can send any measurement.
    play.play_move(game_id=game.pk, player=bot.player, ply=2, move="c3", thought_ms=1)
    assert Game.objects.get(pk=game.pk).first_ms == 50_500


@pytest.mark.parametrize(("back_after_s", "result"), [(9, None), (30, "second")])
def test_a_cut_with_ten_seconds_left_is_decided_by_the_clock(
    wall: FrozenClock, ana: User, ben: User, back_after_s: int, result: str | None
) -> None:
    """If it is back in time the bot plays on.

    After thirty seconds its flag has fallen, and its move comes too late.
    """
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, ben.player, Clock(10_000))
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    wall.wait(seconds=back_after_s)
    in_time = contextlib.nullcontext()
    refused = pytest.raises(StaleError, match="time-up")
    with in_time if result is None else refused:
        play.play_move(game_id=game.pk, player=bot.player, ply=2, move="c3")
    game = Game.objects.get(pk=game.pk)
    assert game.result == result
    assert game.ply == (3 if result is None else 2)
    if result is not None:
        assert game.ending == Game.Ending.TIME


@pytest.mark.long
def test_the_end_of_its_streams_is_not_the_end_of_its_game(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, ben.player, Clock(600_000))
    wall.wait(minutes=5)
    tick.tick(wall.now)
    assert Game.objects.get(pk=game.pk).result is None
    assert not remote_presence.is_present(RemoteBot.objects.get(), wall.now)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")


@pytest.mark.long
def test_losing_on_time_again_and_again_does_not_suspend_it(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana, max_games=8)
    for _ in range(reliability.IN_A_ROW):
        game = remote_players.game(bot, ben.player)
        play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
        play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
        wall.wait(minutes=2)
        tick.tick(wall.now)
        assert Game.objects.get(pk=game.pk).ending == Game.Ending.TIME
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.READY
