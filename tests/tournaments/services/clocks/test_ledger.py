"""The ledger of a game: charges of its plies and of other moments in one order."""

from __future__ import annotations

import pytest

from tests.tournaments import clock_lines, pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.models import ClockCharge, Game, User
from tournaments.queries.clocks import ledger
from tournaments.services.games import game_creation, offers, play, takebacks


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


@pytest.fixture
def game(wall: FrozenClock, ana: User, ben: User) -> Game:
    return pages.new_game(
        ana.player, ben.player, clock=game_creation.Clock(60_000, 2_000), is_rated=False
    )


def _move(game: Game, wall: FrozenClock) -> None:
    wall.wait(seconds=1)
    pages.move(game)


def test_a_gift_comes_before_the_ply_of_its_turn(game: Game, wall: FrozenClock, ben: User) -> None:
    offers.give_time(game_id=game.pk, player=ben.player)
    game.refresh_from_db()
    pages.move(game)
    (gift,) = ClockCharge.objects.filter(game=game)
    assert clock_lines.of(game) == [
        ("first", "gift", gift.ms),
        ("first", "increment", 2_000),
    ]
    assert [line.remaining_ms for line in ledger.of_game(game)] == [
        60_000 + gift.ms,
        62_000 + gift.ms,
    ]


def test_plies_before_a_takeback_are_charged_once(
    game: Game, wall: FrozenClock, ana: User, ben: User
) -> None:
    for _ in range(3):
        _move(game, wall)
    before = clock_lines.of(game)
    for player, is_answer in ((ana.player, False), (ben.player, True)):
        takebacks.offer_takeback(game_id=game.pk, player=player, is_answer=is_answer)
    game.refresh_from_db()
    _move(game, wall)
    assert clock_lines.of(game) == [
        *before,
        ("second", "takeback", 0),
        ("first", "spent", -1_000),
        ("first", "increment", 2_000),
    ]
    lines = ledger.of_game(game)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert [(line.attempt, line.ply) for line in lines[-2:]] == [(2, 3)] * 2


def test_rows_of_release_0_3_0_are_read_with_later_plies(
    game: Game, wall: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It wrote a row for each charge of a ply."""
    with monkeypatch.context() as patch:
        patch.setattr(play, "written", lambda _: None)
        _move(game, wall)
    rows = [("spent", -1_000, 59_000), ("increment", 2_000, 61_000)]
    ClockCharge.objects.bulk_create(
        ClockCharge(
            game=game,
            seq=seq,
            attempt=1,
            ply=1,
            side="first",
            reason=reason,
            ms=ms,
            remaining_ms=remaining_ms,
            at=wall.now,
        )
        for seq, (reason, ms, remaining_ms) in enumerate(rows, start=1)
    )
    _move(game, wall)
    assert [(line.reason, line.ms, line.remaining_ms) for line in ledger.of_game(game)] == [
        *rows,
        *rows,
    ]
