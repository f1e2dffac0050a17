"""Remote bots: who may meet them, what their clocks charge, where they are rated, and which events they enter."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.tournaments import remote_players, uploads
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.models import Bot, Challenge, Event, Game, Pool, RemoteBot, Round
from tournaments.services import tick
from tournaments.services.accounts import remote_terms, tokens
from tournaments.services.bots import bot_catalogue, reliability, remote_bots, versions
from tournaments.services.clocks import game_clocks, outages
from tournaments.services.clocks.game_clocks import FIRST_MOVE_GRACE_MS, Clock
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError
from tournaments.services.events import entries
from tournaments.services.games import game_creation, play
from tournaments.services.lobby import challenges
from tournaments.services.notifications import news
from tournaments.services.ratings import pools
from tournaments.services.rounds import lifecycle

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Player, User

_MINUTE = Clock(60_000)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch, db: None) -> FrozenClock:
    wall = freeze(monkeypatch)
    outages.notice(wall.now)
    return wall


def _challenge(challenger: Player, bot: Bot, **changes: Any) -> Challenge:
    player = Bot.objects.select_related("player").get(pk=bot.pk).player
    values = {"ruleset": "morlox(size=5)", "clock": _MINUTE, "is_rated": True, **changes}
    return challenges.challenge(challenger=challenger, opponent=player, **values)


def _game(bot: Bot, other: Player, clock: Clock = _MINUTE, **changes: Any) -> Game:
    """A game in which the bot moves first."""
    values: dict[str, Any] = {"is_rated": False, **changes}
    return game_creation.create_game(
        ruleset="morlox(size=5)", setup="", first=bot.player, second=other, clock=clock, **values
    )


def _code(act: Callable[[], object]) -> str:
    with pytest.raises((RefusedError, NotAllowedError)) as refused:
        act()
    return refused.value.code


# --- meeting them -----------------------------------------------------------------------------------------------------


def test_a_challenge_waits_for_the_bots_program(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    challenge = _challenge(ben.player, bot)
    assert challenge.state == Challenge.State.OPEN
    assert [item.kind for item in news.after(news.of_bot(bot.player_id), 0)] == ["challenge"]
    game = challenges.accept(challenge_id=challenge.pk, player=bot.player)
    assert game.match_id is None
    assert [item.kind for item in news.after(news.of_bot(bot.player_id), 0)][1] == "game"


@pytest.mark.parametrize(
    ("terms", "changes", "code"),
    [
        ({"is_there": False}, {}, "bot-away"),
        ({"least_s": 61}, {}, "bot-clock"),
        ({"most_s": 59}, {}, "bot-clock"),
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
    assert _code(lambda: _challenge(ben.player, bot, **changes)) == code
    assert not Challenge.objects.exists()


def test_it_plays_no_more_games_at_once_than_it_can(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana, max_games=1)
    first, second = _challenge(ben.player, bot), _challenge(ben.player, bot)
    game = challenges.accept(challenge_id=first.pk, player=bot.player)
    assert _code(lambda: challenges.accept(challenge_id=second.pk, player=bot.player)) == "bot-busy"
    play.resign(game_id=game.pk, player=ben.player)
    challenges.accept(challenge_id=second.pk, player=bot.player)


def test_a_retired_bot_begins_no_game(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    challenge = _challenge(ben.player, bot)
    versions.retire(bot_id=bot.pk, actor=ana)
    assert _code(lambda: _challenge(ben.player, bot)) == "bot-inactive"
    accept = challenges.accept
    assert _code(lambda: accept(challenge_id=challenge.pk, player=bot.player)) == "bot-inactive"


def test_a_bot_is_there_a_while_after_it_was_heard_of(wall: FrozenClock, ana: User) -> None:
    bot = remote_players.bot(ana)
    wall.wait(seconds=89)
    assert remote_terms.is_present(RemoteBot.objects.get(), wall.now)
    wall.wait(seconds=2)
    assert not remote_terms.is_present(RemoteBot.objects.get(), wall.now)
    assert bot.line_id is not None
    remote_terms.note_seen(bot.line_id)
    assert remote_terms.is_present(RemoteBot.objects.get(), wall.now)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"families": []}, "families-bad"),
        ({"families": ["chess"]}, "families-bad"),
        ({"least_s": 0}, "clock-bad"),
        ({"least_s": 20, "most_s": 10}, "clock-bad"),
        ({"max_games": 9}, "remote-games-bad"),
        ({"takes_rated": False, "takes_casual": False}, "remote-takes-nothing"),
    ],
)
def test_terms_that_make_no_sense_are_refused(ana: User, terms: dict[str, Any], code: str) -> None:
    values = {"families": ["morlox"], **terms}
    make = remote_bots.create
    assert _code(lambda: make(owner=ana, name="F1", terms=remote_bots.Terms(**values))) == code
    bot = remote_players.bot(ana)
    change = remote_bots.change
    assert (
        _code(lambda: change(bot_id=bot.pk, actor=ana, terms=remote_bots.Terms(**values))) == code
    )


def test_nobody_else_changes_its_terms(ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    terms = remote_bots.Terms(families=["morelli"])
    change = remote_bots.change
    assert _code(lambda: change(bot_id=bot.pk, actor=ben, terms=terms)) == "not-your-bot"
    change(bot_id=bot.pk, actor=ana, terms=terms)
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
            user=user, password="rayuela-73", name="x", scopes=scopes, days=30, line=line
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


def _reasons(game: Game) -> list[tuple[str, int]]:
    return list(game.charges.order_by("seq").values_list("reason", "ms"))


def test_its_first_turn_has_a_grace_and_no_other(wall: FrozenClock, ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    game = _game(bot, ben.player)
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    game = Game.objects.get(pk=game.pk)
    assert _reasons(game) == [("grace", FIRST_MOVE_GRACE_MS), ("spent", -40_000)]
    assert game.first_ms == 50_000
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=bot.player, ply=2, move="c3")
    assert Game.objects.get(pk=game.pk).first_ms == 10_000


def test_people_have_no_grace(wall: FrozenClock, ana: User, ben: User) -> None:
    bot = remote_players.bot(ana)
    game = game_creation.create_game(
        ruleset="morlox(size=5)",
        setup="",
        first=ben.player,
        second=bot.player,
        clock=_MINUTE,
        is_rated=False,
    )
    wall.wait(seconds=40)
    play.play_move(game_id=game.pk, player=ben.player, ply=0, move="a1")
    assert Game.objects.get(pk=game.pk).first_ms == 20_000


def test_it_gets_back_the_way_of_its_move_up_to_half_a_second(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana)
    game = _game(bot, ben.player)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    wall.wait(seconds=10)
    # A program whose clock is wrong by an hour measures with it what it likes.
    play.play_move(game_id=game.pk, player=bot.player, ply=2, move="c3", thought_ms=1)
    assert Game.objects.get(pk=game.pk).first_ms == 50_500


@pytest.mark.parametrize(("back_after_s", "result"), [(9, None), (30, "second")])
def test_a_cut_with_ten_seconds_left_is_decided_by_the_clock(
    wall: FrozenClock, ana: User, ben: User, back_after_s: int, result: str | None
) -> None:
    """Back in time the bot plays on; after thirty seconds its flag has fallen, and its move comes too late."""
    bot = remote_players.bot(ana)
    game = _game(bot, ben.player, Clock(10_000))
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


def test_the_end_of_its_streams_is_not_the_end_of_its_game(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana)
    game = _game(bot, ben.player, Clock(600_000))
    wall.wait(minutes=5)
    tick.tick(wall.now)
    assert Game.objects.get(pk=game.pk).result is None
    assert not remote_terms.is_present(RemoteBot.objects.get(), wall.now)
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")


def test_losing_on_time_again_and_again_does_not_suspend_it(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana, max_games=8)
    for _ in range(reliability.IN_A_ROW):
        game = _game(bot, ben.player)
        play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
        play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
        wall.wait(minutes=2)
        tick.tick(wall.now)
        assert Game.objects.get(pk=game.pk).ending == Game.Ending.TIME
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.READY


# --- ratings and events -----------------------------------------------------------------------------------------------


def test_its_games_are_rated_in_pools_of_their_own(
    ana: User, ben: User, people: list[Player], bots: list[Player]
) -> None:
    bot, other = remote_players.bot(ana), remote_players.bot(ben, "Esperanza")
    for opponent in (people[0], bots[0], other.player):
        game = _game(bot, opponent, is_rated=True)
        assert game.pool is not None
        assert game.pool.kind == Pool.Kind.REMOTE, opponent
    mixed = game_creation.create_game(
        ruleset="morlox(size=5)",
        setup="",
        first=people[0],
        second=bots[0],
        clock=_MINUTE,
        is_rated=True,
    )
    assert mixed.pool is not None
    assert mixed.pool.kind == Pool.Kind.MIXED


def test_a_game_against_ones_own_bot_is_not_rated(ana: User) -> None:
    assert not _game(remote_players.bot(ana), ana.player, is_rated=True).is_rated


def test_an_event_is_entered_where_its_organiser_consents(
    ana: User, ben: User, new_event: Callable[..., Event]
) -> None:
    bot = remote_players.bot(ben)
    without, consenting = new_event(), new_event(name="With", admits_remote=True)
    enter = entries.enter
    assert (
        _code(lambda: enter(event_id=without.pk, player=bot.player, actor=ben)) == "remote-refused"
    )
    enter(event_id=consenting.pk, player=bot.player, actor=ben)
    assert pools.of_event(without).kind == Pool.Kind.MIXED
    assert pools.of_event(consenting).kind == Pool.Kind.REMOTE
    assert pools.key_of(consenting) == pools.of_event(consenting).key
    assert bot_catalogue.joinable(bot) == []


@pytest.mark.parametrize("changes", [{"admits": Event.Admits.PEOPLE}, {"fuel": 10**7}])
def test_people_alone_and_fuel_leave_them_out(
    ana: User, new_event: Callable[..., Event], changes: dict[str, Any]
) -> None:
    plan = {"admits": Event.Admits.BOTS, "admits_remote": True, **changes}
    assert _code(lambda: new_event(**plan)) == "admits-bad"


@pytest.fixture
def ladder(new_event: Callable[..., Event]) -> Event:
    return new_event(
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        admits_remote=True,
        clock=Clock(60_000, 1_000),
        rounds_total=0,
        ruleset="morlox(size=5)",
    )


def test_a_ladder_opens_games_with_deadlines_for_those_who_are_there(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    here, there, away = (
        remote_players.bot(ana, "Fama", max_games=1),
        remote_players.bot(ben, "Esperanza", max_games=1),
        remote_players.bot(ben, "Cronopio", is_there=False),
    )
    for bot, owner in ((here, ana), (there, ben), (away, ben)):
        entries.enter(event_id=ladder.pk, player=bot.player, actor=owner)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    [game] = Game.objects.filter(pairing__event=ladder)
    assert {game.first_id, game.second_id} == {here.player_id, there.player_id}
    assert game.match_id is None
    assert game.turn_started_at is not None
    assert game.deadline_at == game.turn_started_at + timedelta(
        milliseconds=60_000 + FIRST_MOVE_GRACE_MS
    )
    assert game.pool is not None
    assert game.pool.kind == Pool.Kind.REMOTE
    assert remote_terms.unavailable([here.player_id], wall.now)  # it plays as many as it can
    play.resign(game_id=game.pk, player=game.first)
    lifecycle.advance_event(ladder.pk)
    second = Game.objects.ongoing().get(pairing=game.pairing_id)
    assert (second.number, second.first_id, second.second_id) == (2, game.second_id, game.first_id)
    assert [item.kind for item in news.after(news.of_bot(here.player_id), 0)].count("game") == 2
    wall.wait(minutes=2)  # nobody has been heard of since
    play.resign(game_id=second.pk, player=second.first)
    lifecycle.advance_event(ladder.pk)
    assert not Game.objects.ongoing().filter(pairing__event=ladder).exists()
    assert not ladder.rounds.exclude(state=Round.State.CLOSED).exists()


def test_a_bot_that_comes_back_is_paired(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    bots = []
    for owner, name in ((ana, "Fama"), (ben, "Esperanza")):
        bots.append(remote_players.bot(owner, name))
        entries.enter(event_id=ladder.pk, player=bots[-1].player, actor=owner)
    wall.wait(minutes=5)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    assert not Game.objects.exists()
    for bot in bots:
        assert bot.line_id is not None
        remote_terms.note_seen(bot.line_id)
    now = wall.wait(seconds=16)
    assert Event.objects.filter(pk=ladder.pk, next_step_at__lte=now).exists()
    lifecycle.advance_event(ladder.pk)
    assert Game.objects.filter(pairing__event=ladder).count() == 1


def test_a_bot_that_has_left_plays_no_second_game(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    for owner, name in ((ana, "Fama"), (ben, "Esperanza")):
        bot = remote_players.bot(owner, name)
        entries.enter(event_id=ladder.pk, player=bot.player, actor=owner)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    [game] = Game.objects.filter(pairing__event=ladder)
    RemoteBot.objects.update(seen_at=wall.now - remote_terms.PRESENT)
    play.resign(game_id=game.pk, player=game.first)
    lifecycle.advance_event(ladder.pk)
    assert Game.objects.filter(pairing__event=ladder).count() == 1
    assert ladder.rounds.get().state == Round.State.CLOSED


def test_a_move_of_the_house_follows_in_a_casual_game(ana: User, bots: list[Player]) -> None:
    """A boxed bot answers a remote one as it answers a person."""
    bot = remote_players.bot(ana)
    game = _game(bot, bots[0])
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    game = Game.objects.get(pk=game.pk)
    assert game.deadline_at is None  # its worker keeps its clock
    assert game_clocks.runs_out_ms(game, game.created_at) == 60_000
