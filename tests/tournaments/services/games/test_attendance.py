"""Players who leave the table of a live game, and claims against them."""

from __future__ import annotations

from datetime import timedelta

import pytest

import games
from tests.tournaments import pages, remote_players
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import TournamentError
from tournaments.models import (
    Attendance,
    Game,
    LedgerEntry,
    NewsItem,
    Outage,
    Player,
    User,
    WebProcess,
)
from tournaments.queries.games import attendance as attendance_queries
from tournaments.queries.records import game_records
from tournaments.services.accounts import guests
from tournaments.services.clocks import outages
from tournaments.services.games import absence_claims, attendance, game_creation, play
from tournaments.services.games.absence_claims import ClaimedResult
from tournaments.services.games.attendance import Process, Seat
from tournaments.services.rounds import lifecycle
from tournaments.text import endings

pytestmark = pytest.mark.engines

MORELLI_5 = "morelli(size=5)"
TEN_MINUTES = game_creation.Clock(600_000)


@pytest.fixture
def game(clock: FrozenClock, ana: User, ben: User) -> Game:
    """Return a rated game in which both have moved, both are at the table, and Ben is to move."""
    outages.forget()
    game = _game_of(ana.player, ben.player)
    for side in ("first", "second"):
        attendance.arrive(Seat(game.pk, side), _process(clock))
    return game


@pytest.fixture
def left(game: Game, clock: FrozenClock) -> Game:
    """Return the game, which Ben left 60 s ago."""
    _leave(game, "second", clock)
    _wait(clock, 60)
    return game


def _game_of(
    first: Player, second: Player, time_control: game_creation.Clock = TEN_MINUTES, plies: int = 3
) -> Game:
    game = pages.new_game(
        first,
        second,
        MORELLI_5,
        clock=time_control,
        is_rated=not (first.is_guest or second.is_guest or time_control.kind.is_unlimited),
    )
    for _ in range(plies):
        pages.move(game)
    return game


def _process(clock: FrozenClock, key: str = "one") -> Process:
    return Process(key, clock.now)


def _wait(clock: FrozenClock, seconds: float) -> None:
    """Let the time pass while the service and the process live."""
    clock.wait(seconds=seconds)
    attendance.renew(_process(clock))


def _leave(game: Game, side: str, clock: FrozenClock) -> None:
    attendance.leave(Seat(game.pk, side), _process(clock), for_s=0)


def _claim(game: Game, player: Player, result: ClaimedResult = ClaimedResult.WIN) -> Game:
    return absence_claims.claim(game_id=game.pk, player=player, result=result)


def _code(game: Game, player: Player) -> str:
    """Return the code of the refusal of a claim, or an empty text if it was granted."""
    try:
        _claim(game, player)
    except TournamentError as refusal:
        return refusal.code
    return ""


def _news(game: Game) -> list[dict[str, object]]:
    items = NewsItem.objects.filter(topic__name=f"game:{game.pk}", kind="presence")
    return list(items.order_by("seq").values_list("payload", flat=True))


@pytest.mark.parametrize(
    ("remaining_s", "after_s"),
    [(1, 60), (600, 60), (601, 60.1), (1200, 120), (1800, 180), (1801, 180), (10_800, 180)],
)
def test_a_claim_needs_a_tenth_of_the_time_within_one_and_three_minutes(
    remaining_s: int, after_s: float
) -> None:
    assert attendance_queries.claim_after(remaining_s * 1000) == timedelta(seconds=after_s)


def test_an_absence_of_a_minute_is_claimed_as_a_win(left: Game, ana: User, ben: User) -> None:
    game = _claim(left, ana.player)
    assert (game.result, game.ending, game.ending_detail) == ("first", "absence", "second")
    assert LedgerEntry.objects.filter(game=game).count() == 2
    assert endings.cause(game, []) == "Ben left the game, and the opponent claimed the win."
    assert endings.verdict(game, [], "first") == "You won by absence."
    assert endings.verdict(game, [], "second") == "You lost by absence."
    assert game_records.record_of(game).ending == "absence"
    assert games.parse_record(game_records.text_of(game)) == game_records.record_of(game)


def test_an_absence_of_a_minute_is_claimed_as_a_draw(left: Game, ana: User) -> None:
    game = _claim(left, ana.player, ClaimedResult.DRAW)
    assert (game.result, game.ending) == ("draw", "absence")
    assert endings.cause(game, []) == "Ben left the game, and the opponent claimed a draw."
    assert LedgerEntry.objects.filter(game=game).count() == 2


def test_a_shorter_absence_is_not_enough(game: Game, clock: FrozenClock, ana: User) -> None:
    _leave(game, "second", clock)
    _wait(clock, 59)
    assert _code(game, ana.player) == "claim-early"
    _wait(clock, 1)
    assert _code(game, ana.player) == ""


def test_a_player_who_is_back_keeps_the_game(left: Game, clock: FrozenClock, ana: User) -> None:
    attendance.arrive(Seat(left.pk, "second"), _process(clock))
    assert _code(left, ana.player) == "opponent-here"


def test_a_move_is_a_return(left: Game, clock: FrozenClock, ana: User) -> None:
    pages.move(left)
    pages.move(left)
    assert _code(left, ana.player) == "claim-early"
    _wait(clock, 60)
    assert _code(left, ana.player) == ""


def test_no_player_claims_on_their_own_turn(left: Game, ana: User) -> None:
    pages.move(left)
    assert _code(left, ana.player) == "claim-own-turn"


def test_the_absent_player_and_a_stranger_claim_nothing(
    left: Game, ben: User, people: list[Player]
) -> None:
    assert _code(left, ben.player) == "claim-own-turn"
    assert _code(left, people[0]) == "not-your-game"


def test_both_may_be_away(left: Game, clock: FrozenClock, ana: User) -> None:
    """The request itself proves that the claimer is present."""
    _leave(left, "first", clock)
    _wait(clock, 60)
    assert _code(left, ana.player) == ""


def test_a_clock_that_has_run_down_decides_before_a_claim(
    left: Game, clock: FrozenClock, ana: User
) -> None:
    _wait(clock, 600)
    game = _claim(left, ana.player, ClaimedResult.DRAW)
    assert (game.result, game.ending) == ("first", "time")


def test_before_both_have_moved_there_is_an_abort_and_no_claim(
    clock: FrozenClock, ana: User, ben: User
) -> None:
    game = _game_of(ana.player, ben.player, plies=1)
    attendance.arrive(Seat(game.pk, "second"), _process(clock))
    _leave(game, "second", clock)
    _wait(clock, 200)
    assert attendance_queries.table(game, clock.now).claim_at is None
    assert _code(game, ana.player) == "claim-first-moves"


@pytest.mark.long
def test_a_game_of_an_event_is_watched_and_not_claimed(
    clock: FrozenClock, ana: User, people: list[Player]
) -> None:
    event = event_of(ana, rounds_total=1)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.filter(pairing__event=event).with_players().order_by("pk")[0]
    for _ in range(3):
        pages.move(game)
    attendance.arrive(Seat(game.pk, "second"), _process(clock))
    _leave(game, "second", clock)
    _wait(clock, 300)
    table = attendance_queries.table(game, clock.now)
    assert table.seats["second"] is not None
    assert table.claim_at is None
    assert _code(game, game.first) == "claim-event"


@pytest.mark.parametrize("text", ["unlimited", "259200+86400<604800"])
def test_games_without_a_live_clock_have_no_attendance(
    clock: FrozenClock, ana: User, ben: User, text: str
) -> None:
    game = _game_of(ana.player, ben.player, game_creation.Clock.read(text))
    attendance.arrive(Seat(game.pk, "second"), _process(clock))
    assert attendance_queries.table(game, clock.now).seats == {}
    assert _code(game, ana.player) == "claim-never"


def test_a_remote_bot_claims_from_a_person_who_has_left_and_is_never_absent(
    clock: FrozenClock, ana: User, ben: User
) -> None:
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, ben.player)
    for _ in range(3):
        pages.move(game)
    for side in ("first", "second"):
        attendance.arrive(Seat(game.pk, side), _process(clock))
        _leave(game, side, clock)
    _wait(clock, 59)
    assert set(attendance_queries.table(game, clock.now).seats) == {"second"}
    assert _code(game, bot.player) == "claim-early"
    pages.move(game)
    assert _code(game, ben.player) == "claim-never"


def test_a_guest_who_leaves_is_absent(clock: FrozenClock, ana: User) -> None:
    outages.forget()
    guest = guests.enter(browser="b", address="127.0.0.1")
    game = _game_of(ana.player, guest)
    attendance.arrive(Seat(game.pk, "second"), _process(clock))
    _leave(game, "second", clock)
    _wait(clock, 60)
    assert _code(game, ana.player) == ""


def test_a_player_without_a_stream_is_unknown_and_not_absent(
    clock: FrozenClock, ana: User, ben: User
) -> None:
    game = _game_of(ana.player, ben.player)
    _wait(clock, 300)
    assert attendance_queries.table(game, clock.now).seats == {}
    assert _code(game, ana.player) == "opponent-here"


def test_time_in_which_the_site_was_away_is_no_absence(
    game: Game, clock: FrozenClock, ana: User
) -> None:
    _leave(game, "second", clock)
    _wait(clock, 20)
    outages.notice(clock.now)
    clock.sleep(seconds=120)
    outages.notice(clock.now)
    assert Outage.objects.count() == 1
    attendance.renew(_process(clock))
    _wait(clock, 30)
    assert _code(game, ana.player) == "claim-early"
    _wait(clock, 10)
    assert _code(game, ana.player) == ""


def test_time_in_which_no_web_process_ran_is_no_absence(
    game: Game, clock: FrozenClock, ana: User
) -> None:
    _leave(game, "second", clock)
    clock.wait(seconds=200)
    assert (
        _code(game, ana.player) == "claim-early"
    )  # no process lives, to which a player could return
    other = _process(clock, "two")
    for _ in range(2):
        attendance.renew(other)
        clock.wait(seconds=29)
    attendance.renew(other)
    assert _code(game, ana.player) == "claim-early"
    clock.wait(seconds=2)
    assert _code(game, ana.player) == ""


def test_a_player_with_a_page_in_another_process_is_present(
    game: Game, clock: FrozenClock, ana: User
) -> None:
    attendance.arrive(Seat(game.pk, "second"), _process(clock, "two"))
    _leave(game, "second", clock)
    for _ in range(4):
        attendance.renew(_process(clock, "two"))
        _wait(clock, 20)
    assert attendance_queries.table(game, clock.now).seats["second"] is None
    assert _code(game, ana.player) == "opponent-here"


def test_the_players_of_a_dead_process_are_absent_from_the_end_of_its_lease(
    game: Game, clock: FrozenClock, ana: User
) -> None:
    attendance.arrive(Seat(game.pk, "first"), _process(clock, "two"))
    attendance.renew(_process(clock, "two"))
    died_at = clock.now
    for _ in range(2):
        clock.wait(seconds=20)
        attendance.renew(_process(clock, "two"))
        attendance.note_dead_processes()
    table = attendance_queries.table(game, clock.now)
    absence = table.seats["second"]
    assert table.seats["first"] is None
    assert absence is not None
    assert absence.left_at == died_at + attendance.LEASE
    departures = [each for each in _news(game) if not each["is_present"]]
    assert departures == [{"side": "second", "is_present": False}]
    # A site of an earlier file may have left its row, too.
    own = WebProcess.objects.filter(key__in=["one", "two"])
    assert list(own.values_list("key", flat=True)) == ["two"]
    clock.wait(seconds=49)
    assert _code(game, ana.player) == "claim-early"


def test_a_process_that_was_taken_for_dead_is_told_so(game: Game, clock: FrozenClock) -> None:
    clock.wait(seconds=41)
    attendance.note_dead_processes()
    assert not attendance.renew(_process(clock))
    assert attendance.renew(_process(clock))


def test_a_process_that_stops_gives_up_its_players_after_the_grace(
    game: Game, clock: FrozenClock
) -> None:
    attendance.end(_process(clock))
    attendance.note_dead_processes()
    assert all(each["is_present"] for each in _news(game))
    assert attendance_queries.table(game, clock.now).seats == {"first": None, "second": None}
    clock.wait(seconds=10)
    assert all(attendance_queries.table(game, clock.now).seats.values())


def test_the_table_is_told_of_each_departure_and_return_once(
    game: Game, clock: FrozenClock
) -> None:
    ben = Seat(game.pk, "second")
    for key in ("one", "two"):
        attendance.arrive(ben, _process(clock, key))
    attendance.leave(ben, _process(clock, "two"), for_s=10)
    assert _news(game) == [
        {"side": "first", "is_present": True},
        {"side": "second", "is_present": True},
    ]
    for _ in range(2):
        attendance.leave(ben, _process(clock), for_s=10)
    attendance.arrive(ben, _process(clock))
    assert _news(game)[2:] == [
        {"side": "second", "is_present": False},
        {"side": "second", "is_present": True},
    ]


def test_a_game_that_is_over_has_no_attendance(game: Game, clock: FrozenClock, ben: User) -> None:
    play.resign(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    before = _news(game)
    _leave(game, "second", clock)
    attendance.arrive(Seat(game.pk, "second"), _process(clock, "two"))
    assert attendance_queries.table(game, clock.now).seats == {}
    assert _news(game) == before
    assert not Attendance.objects.filter(side="second", left_at=None).exists()
