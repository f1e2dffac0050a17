"""Vacations: clocks of days stop, within a public budget."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments import clock_lines, pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, User, Vacation
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.services import tick
from tournaments.services.clocks import outages, vacations
from tournaments.services.rounds import lifecycle

BANK = game_clocks.Clock.read("604800+86400<1209600")
DAY = 86_400_000


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch, db: None) -> FrozenClock:
    wall = freeze(monkeypatch)
    outages.notice(wall.now)
    return wall


def _begin(ana: User, ben: User, clock: game_clocks.Clock = BANK) -> Game:
    return pages.new_game(ana.player, ben.player, clock=clock, is_rated=False)


@pytest.fixture
def game(wall: FrozenClock, ana: User, ben: User) -> Game:
    """Return a game with seven days each. Ana begins."""
    return _begin(ana, ben)


def test_a_bank_stands_still_while_its_owner_is_away(
    game: Game, wall: FrozenClock, ana: User
) -> None:
    wall.wait(days=2)
    vacations.start(player=ana.player, days=20)
    game.refresh_from_db()
    assert game.deadline_at is None
    wall.wait(days=19)
    tick.tick(wall.now)
    wall.wait(days=3)  # two of them after the vacation
    tick.tick(wall.now)
    game.refresh_from_db()
    assert game.result is None
    pages.move(game)
    assert clock_lines.reasons(game) == [
        ("vacation", 20 * DAY),
        ("spent", -24 * DAY),
        ("increment", DAY),
    ]
    assert game.first_ms == 4 * DAY


def test_the_other_clock_runs_on_and_stops_when_it_passes_the_turn(
    game: Game, wall: FrozenClock, ana: User
) -> None:
    pages.move(game)
    vacations.start(player=ana.player, days=5)
    wall.wait(days=1)
    pages.move(game)
    assert game.second_ms == 7 * DAY
    assert (game.side_to_move, game.deadline_at, game.paused_at) == ("first", None, wall.now)
    wall.wait(days=2)
    vacations.end(player=ana.player)
    game.refresh_from_db()
    assert game.deadline_at is not None
    assert (game.deadline_at - wall.now).days == 8


def test_who_is_away_may_move_all_the_same(game: Game, wall: FrozenClock, ana: User) -> None:
    vacations.start(player=ana.player, days=5)
    wall.wait(days=1)
    pages.move(game)
    assert (game.first_ms, game.vacation_ms, game.paused_at) == (8 * DAY, 0, None)


def test_a_flag_that_has_fallen_is_not_escaped(game: Game, wall: FrozenClock, ana: User) -> None:
    wall.wait(days=7)
    vacations.start(player=ana.player, days=5)
    wall.wait(seconds=1)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")


def test_live_games_know_no_vacation(wall: FrozenClock, ana: User, ben: User) -> None:
    game = _begin(ana, ben, game_clocks.Clock(600_000, 10_000))
    vacations.start(player=ana.player, days=5)
    wall.wait(seconds=601)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert game.ending == "time"


def test_a_game_that_begins_while_somebody_is_away_waits(
    wall: FrozenClock, ana: User, ben: User
) -> None:
    vacations.start(player=ana.player, days=5)
    game = _begin(ana, ben)
    assert (game.deadline_at, game.paused_at) == (None, wall.now)


@pytest.mark.parametrize("allows", [True, False])
def test_an_event_may_forbid_vacations(
    wall: FrozenClock, ana: User, ben: User, allows: bool
) -> None:
    event = event_of(ana, clock=BANK, allows_vacation=allows, admits="people")
    enter(event, ana.player, ben.player)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.get()
    vacations.start(player=game.first, days=5)
    game.refresh_from_db()
    assert (game.deadline_at is None) == allows


def test_an_outage_in_a_vacation_is_not_given_back_twice(
    game: Game, wall: FrozenClock, ana: User
) -> None:
    vacations.start(player=ana.player, days=3)
    wall.wait(days=2)
    wall.sleep(days=2)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert (game.outage_ms, game.vacation_ms) == (0, 4 * DAY)
    wall.wait(days=1)
    pages.move(game)
    assert game.first_ms == 7 * DAY


# --- the budget ---------------------------------------------------------------------------------------------------


def test_thirty_days_a_year_and_no_more(wall: FrozenClock, ana: User) -> None:
    vacations.start(player=ana.player, days=20)
    wall.wait(days=20)
    vacations.end_due(wall.now)
    assert vacation_days.days_left(ana.player, wall.now) == 10
    with pytest.raises(RefusedError) as refused:
        vacations.start(player=ana.player, days=11)
    assert refused.value.code == "vacation-days"
    vacations.start(player=ana.player, days=10)
    assert vacation_days.days_left(ana.player, wall.now) == 0
    next_year = datetime(2027, 1, 1, tzinfo=UTC)
    assert vacation_days.days_left(ana.player, next_year) == vacation_days.BUDGET_DAYS


@pytest.mark.parametrize(
    ("hours", "used"), [(0, 1), (1, 1), (24, 1), (25, 2), (72, 3), (400, 5)], ids=str
)
def test_an_early_return_gives_back_the_days_that_have_not_begun(
    wall: FrozenClock, ana: User, hours: int, used: int
) -> None:
    vacations.start(player=ana.player, days=5)
    wall.wait(hours=hours)
    vacations.end(player=ana.player)
    assert vacation_days.days_left(ana.player, wall.now) == vacation_days.BUDGET_DAYS - used


@pytest.mark.parametrize("days", [0, -3, 31, 10**9])
def test_a_vacation_has_whole_days_that_are_left(wall: FrozenClock, ana: User, days: int) -> None:
    with pytest.raises(RefusedError):
        vacations.start(player=ana.player, days=days)


def test_one_vacation_at_a_time(wall: FrozenClock, ana: User) -> None:
    with pytest.raises(StaleError) as refused:
        vacations.end(player=ana.player)
    assert refused.value.code == "vacation-over"
    vacations.start(player=ana.player, days=5)
    with pytest.raises(StaleError) as refused:
        vacations.start(player=ana.player, days=5)
    assert refused.value.code == "vacation-running"


def test_the_history_of_vacations_stays(wall: FrozenClock, ana: User) -> None:
    vacation = vacations.start(player=ana.player, days=5)
    vacations.end(player=ana.player)
    rows = Vacation.objects.filter(pk=vacation.pk)
    for change in ({"ended_at": None}, {"days": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows._raw_delete(rows.db)
