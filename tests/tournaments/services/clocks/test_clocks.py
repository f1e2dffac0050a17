"""The clocks of games: kept by the server, charged line by line, decided once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

import games
from tests.tournaments import clock_lines, pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import StaleError
from tournaments.models import Challenge, ClockCharge, Game, Player, Pool, User
from tournaments.models.timing import ClockKind
from tournaments.queries.clocks import game_clocks, ledger
from tournaments.queries.ratings import pools
from tournaments.services import tick
from tournaments.services.accounts import players
from tournaments.services.games import game_creation, offers, play
from tournaments.services.lobby import challenges
from tournaments.services.matches import replies

Begin = Callable[..., Game]

FISCHER = "60+2"
DELAY = "60d3"
BANK = "604800+86400<1209600"
DAY = 86_400_000


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


@pytest.fixture
def begin(wall: FrozenClock, ana: User, ben: User) -> Begin:
    """Begins a game of Ana, who has the first ply, and Ben."""

    def do(text: str, second: Player | None = None) -> Game:
        return pages.new_game(
            ana.player, second or ben.player, clock=game_clocks.Clock.read(text), is_rated=False
        )

    return do


def _move(game: Game, *, thought_ms: int | None = None) -> None:
    play.play_move(
        game_id=game.pk,
        player=game.player_on(game.side_to_move),
        ply=game.ply,
        move=pages.legal(game),
        thought_ms=thought_ms,
    )
    game.refresh_from_db()


def _left_s(game: Game, wall: FrozenClock) -> float:
    """Until the flag falls."""
    assert game.deadline_at is not None
    return (game.deadline_at - wall.now).total_seconds()


def test_the_kinds_of_clocks_are_those_of_the_pure_room() -> None:
    assert set(ClockKind.values) == {kind.value for kind in game_clocks.Kind}
    assert ClockCharge.Reason.values == [reason.value for reason in game_clocks.Reason]


def test_fischers_clock_is_charged_and_filled(begin: Begin, wall: FrozenClock) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=10)
    _move(game)
    assert clock_lines.of(game) == [("first", "spent", -10_000), ("first", "increment", 2_000)]
    assert game.first_ms == 52_000
    assert _left_s(game, wall) == 60


def test_the_first_seconds_of_a_turn_are_free_with_a_delay(begin: Begin, wall: FrozenClock) -> None:
    game = begin(DELAY)
    assert _left_s(game, wall) == 63
    wall.wait(seconds=2)
    _move(game)
    wall.wait(seconds=5)
    _move(game)
    assert (game.first_ms, game.second_ms) == (60_000, 58_000)
    assert clock_lines.of(game)[2:] == [("second", "delay", 3_000), ("second", "spent", -5_000)]


def test_a_bank_is_filled_up_to_its_cap(begin: Begin, wall: FrozenClock) -> None:
    game = begin("604800+86400<691200")
    for _ in range(3):
        wall.wait(hours=6)
        _move(game)
    assert game.first_ms == 8 * DAY
    assert clock_lines.of(game)[-3:] == [
        ("first", "spent", -DAY // 4),
        ("first", "increment", DAY),
        ("first", "cap", -DAY // 2),
    ]


def test_the_ledger_adds_up_to_the_clocks(
    begin: Begin, wall: FrozenClock, ana: User, ben: User
) -> None:
    """Each line has the time left after it, through plies, gifts and the flag, and so do the plies."""
    game = begin(DELAY)
    for seconds in (1, 30, 17, 4):
        wall.wait(seconds=seconds)
        _move(game, thought_ms=1000)
    offers.give_time(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    wall.wait(seconds=400)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert game.ending == Game.Ending.TIME
    remaining_ms = {"first": 60_000, "second": 60_000}
    for number, charge in enumerate(ledger.of_game(game), start=1):
        remaining_ms[charge.side] += charge.ms
        assert (charge.seq, charge.remaining_ms) == (number, remaining_ms[charge.side])
    assert remaining_ms == {"first": game.first_ms, "second": game.second_ms}
    assert game.first_ms == 0
    for ply in game.plies.all():
        lines = [each for each in ledger.of_game(game) if each.ply == ply.number]
        assert lines[-1].remaining_ms == ply.remaining_ms


def test_a_fallen_flag_is_told_line_by_line(begin: Begin, wall: FrozenClock) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=62)
    tick.tick(wall.now)
    assert clock_lines.of(game) == [
        ("first", "floor", 1_500),  # nobody looks before a move that was sent in time can be here
        ("first", "spent", -61_500),
        ("first", "flag", 0),
    ]


@pytest.mark.long
def test_a_flag_is_decided_within_six_seconds(begin: Begin, wall: FrozenClock) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=55)
    outcomes = []
    for _ in range(5 + 6):
        wall.wait(seconds=1)
        tick.tick(wall.now)
        outcomes.append(Game.objects.finished().filter(pk=game.pk).exists())
    assert outcomes.index(True) + 1 <= 5 + 6
    assert not any(outcomes[:5])


def test_who_moves_after_the_flag_has_lost(begin: Begin, wall: FrozenClock) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=60)
    with pytest.raises(StaleError, match="time-up"):
        _move(game)
    game.refresh_from_db()
    assert (game.result, game.ending, game.ply) == ("second", "time", 0)


def test_whoever_looks_at_the_page_decides_a_fallen_flag(
    client: Client, begin: Begin, wall: FrozenClock
) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=61)
    assert client.get(game.get_absolute_url()).status_code == 200
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")


def test_the_last_turn_is_charged_whatever_ends_the_game(
    begin: Begin, wall: FrozenClock, ben: User
) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=7)
    play.resign(game_id=game.pk, player=ben.player)
    assert clock_lines.of(game) == [("first", "spent", -7_000)]
    game.refresh_from_db()
    assert game.first_ms == 53_000


def test_a_game_that_ends_on_the_board_runs_no_clock_after_it(
    begin: Begin, wall: FrozenClock
) -> None:
    game = begin(FISCHER)
    pages.play_out(game)
    assert game.ending == Game.Ending.RULES
    assert clock_lines.of(game)[-1][1] == "increment"
    assert (game.turn_started_at, game.deadline_at) == (None, None)


# --- the way of a move --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thought_ms", "lag_ms"),
    [(9_800, 200), (10_000, 0), (99_000, 0), (0, 500), (-5, 0), (None, 0)],
    ids=["honest", "no-lag", "longer-than-the-turn", "a-cheat", "negative", "unmeasured"],
)
def test_what_a_move_is_on_its_way_is_given_back_within_the_bound(
    begin: Begin, wall: FrozenClock, thought_ms: int | None, lag_ms: int
) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=10)
    _move(game, thought_ms=thought_ms)
    assert game.first_ms == 52_000 + lag_ms
    credits_ms = [ms for reason, ms in clock_lines.reasons(game) if reason == "lag"]
    assert credits_ms == ([lag_ms] if lag_ms else [])


def test_a_move_that_was_sent_in_time_is_played(begin: Begin, wall: FrozenClock) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=60.3)
    tick.tick(wall.now)
    _move(game, thought_ms=59_900)
    assert (game.result, game.ply) == (None, 1)
    assert clock_lines.of(game)[0] == ("first", "lag", 400)
    assert game.first_ms == 2_100


def test_nobody_counts_the_way_of_a_move_among_days(begin: Begin, wall: FrozenClock) -> None:
    game = begin(BANK)
    wall.wait(hours=5)
    _move(game, thought_ms=1)
    assert "lag" not in {reason for _, reason, _ in clock_lines.of(game)}


@pytest.mark.parametrize("claim", ["", "abc", "1e9", "-1", "9" * 40, "NaN", "12.5", "٣"])
def test_garbage_about_thinking_is_no_reason_to_refuse_a_move(
    begin: Begin, wall: FrozenClock, ana: User, claim: str
) -> None:
    game = begin(FISCHER)
    wall.wait(seconds=10)
    data = {"move": pages.legal(game), "ply": 0, "attempt": "1", "thought_ms": claim}
    response = pages.member(ana).post(f"/game/{game.pk}/move/", data)
    assert response.status_code == 302
    game.refresh_from_db()
    assert (game.ply, game.first_ms) == (1, 52_000)


# --- time that the wall clock does not charge ---------------------------------------------------


@pytest.mark.engine
def test_a_bot_is_charged_by_its_workers_figures(begin: Begin, wall: FrozenClock) -> None:
    game = begin(DELAY, players.add_bot(name="Bot", engine="random"))
    _move(game)
    wall.wait(seconds=40)  # nobody was at it
    assert replies.reply(game.pk)
    ply = game.plies.get(number=2)
    assert ply.wall_ms is not None
    assert ply.spent_ms <= ply.wall_ms < 40_000
    of_bot = {reason for side, reason, _ in clock_lines.of(game) if side == "second"}
    assert of_bot <= {"delay", "spent"}


@pytest.mark.parametrize("text", [DELAY, BANK])
def test_bots_among_themselves_play_by_fischers_clock(begin: Begin, text: str) -> None:
    pair = [players.add_bot(name=f"Bot {n}", engine="random") for n in (1, 2)]
    control = game_clocks.Clock.read(text)
    game = game_creation.new_game(
        games.load("morelli(size=5)").initial(seed=1),
        first=pair[0],
        second=pair[1],
        clock=control,
        is_rated=False,
    )
    clock_played = game_clocks.clock_of(game)
    assert (clock_played.kind, clock_played.cap_ms) == ("fischer", None)
    assert (clock_played.initial_ms, clock_played.increment_ms) == (
        control.initial_ms,
        control.increment_ms,
    )


# --- challenges, pools, guards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [FISCHER, DELAY, BANK])
def test_the_game_of_a_challenge_has_its_clock(
    wall: FrozenClock, ana: User, ben: User, text: str
) -> None:
    clock = game_clocks.Clock.read(text)
    challenge = challenges.challenge(
        challenger=ana.player, opponent=ben.player, ruleset="perfect()", clock=clock
    )
    game = challenges.accept(challenge_id=challenge.pk, player=ben.player)
    assert game_clocks.clock_of(Challenge.objects.get()) == clock
    assert game_clocks.clock_of(Game.objects.get()) == clock
    assert game.allows_vacation == (text == BANK)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("180+2", Pool.TimeClass.BLITZ),
        ("300d3", Pool.TimeClass.BLITZ),
        ("900d10", Pool.TimeClass.RAPID),
        ("86400+0<86400", Pool.TimeClass.CORRESPONDENCE),
        (BANK, Pool.TimeClass.CORRESPONDENCE),
    ],
)
def test_clocks_of_every_kind_have_their_time_class(text: str, expected: Pool.TimeClass) -> None:
    clock = game_clocks.Clock.read(text)
    assert pools.time_class(clock.initial_ms, clock.increment_ms) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"clock_kind": "sand"},
        {"clock_kind": "bank"},
        {"clock_cap_ms": 10**9},
        {"allows_vacation": True},
    ],
    ids=str,
)
def test_the_database_refuses_a_clock_that_is_none(begin: Begin, change: dict[str, object]) -> None:
    game = begin(FISCHER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)


def test_the_ledger_is_only_added_to(begin: Begin, ben: User) -> None:
    game = begin(FISCHER)
    offers.give_time(game_id=game.pk, player=ben.player)
    rows = ClockCharge.objects.filter(game=game)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(ms=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows._raw_delete(rows.db)
