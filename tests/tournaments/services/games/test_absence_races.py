"""Claims that meet a return, a move, or one another: the game has one result.

The race with a return has a twin without its guard, which must fail.
"""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection

from tests.tournaments import pages
from tests.tournaments.races import RUNNERS, at_once, successes
from tournaments import database_time
from tournaments.errors import TournamentError
from tournaments.models import Attendance, Game, LedgerEntry, NewsItem, Ply, User
from tournaments.models.games import GameQuerySet
from tournaments.queries.games import attendance as queries
from tournaments.services.clocks import outages
from tournaments.services.games import absence_claims, attendance, play
from tournaments.services.games.absence_claims import ClaimedResult
from tournaments.services.games.attendance import Process, Seat

pytestmark = [pytest.mark.engines, pytest.mark.django_db(transaction=True)]
# A return that waits for a claim lets the claim wait for it in vain.
_IN_VAIN_S = 0.5


@pytest.fixture
def game(erasable: None, ana: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a rated game in which Ben, who is to move, has been away for long enough."""
    # Plies of just now are a sign of presence, and cannot be made older.
    monkeypatch.setattr(queries, "claim_after", lambda _: timedelta())
    outages.forget()
    game = pages.new_game(ana.player, ben.player)
    for _ in range(3):
        pages.move(game)
    _arrive(game)
    attendance.leave(Seat(game.pk, "second"), _process(), for_s=60)
    return game


def _process() -> Process:
    return Process("one", database_time.now())


def _arrive(game: Game) -> None:
    attendance.arrive(Seat(game.pk, "second"), _process())


def _claim(game: Game, result: ClaimedResult = ClaimedResult.WIN) -> str:
    absence_claims.claim(game_id=game.pk, player=game.first, result=result)
    return "claimed"


def test_many_claims_are_one_ending(game: Game) -> None:
    results = at_once(lambda n: _claim(game, ClaimedResult.WIN if n % 2 else ClaimedResult.DRAW))
    assert len(successes(results)) == 1
    assert {each.code for each in results if isinstance(each, TournamentError)} == {"game-over"}
    game.refresh_from_db()
    assert game.ending == Game.Ending.ABSENCE
    assert LedgerEntry.objects.count() == 2
    assert NewsItem.objects.filter(topic__name=f"game:{game.pk}", kind="end").count() == 1


def test_a_claim_and_a_move_are_one_or_the_other(game: Game) -> None:
    legal = pages.legal(game)

    def come(number: int) -> str:
        if number % 2:
            return _claim(game)
        play.play_move(game_id=game.pk, player=game.second, ply=3, move=legal)
        return "moved"

    done = successes(at_once(come))
    assert len(done) == 1
    game.refresh_from_db()
    is_claimed = game.ending == Game.Ending.ABSENCE
    assert done == (["claimed"] if is_claimed else ["moved"])
    assert Ply.objects.count() == (3 if is_claimed else 4)


def test_a_claim_and_a_return_are_one_or_the_other(game: Game) -> None:
    done = successes(at_once(lambda n: _claim(game) if n % 2 else _arrive(game)))
    game.refresh_from_db()
    assert ("claimed" in done) == (game.ending == Game.Ending.ABSENCE)
    assert ("claimed" in done) != _has_returned(game)


def _has_returned(game: Game) -> bool:
    return Attendance.objects.filter(game=game, side="second", left_at=None).exists()


def _return_during_claim(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ben return when his absence was checked and before the game is ended."""
    checked, returned = threading.Event(), threading.Event()
    require_absence = absence_claims._require_absence

    def require(*arguments: object) -> None:
        require_absence(*arguments)  # type: ignore[arg-type]  # as it is called
        checked.set()
        returned.wait(_IN_VAIN_S)

    def come(number: int) -> None:
        if number == 0:
            _claim(game)
        elif number == 1:
            checked.wait()
            _arrive(game)
            returned.set()

    monkeypatch.setattr(absence_claims, "_require_absence", require)
    assert len(successes(at_once(come))) == RUNNERS
    game.refresh_from_db()


def test_a_return_waits_for_a_claim_that_has_begun(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    _return_during_claim(game, monkeypatch)
    assert game.ending == Game.Ending.ABSENCE
    assert not _has_returned(game)


def test_without_the_lock_a_player_returns_to_a_game_that_is_being_claimed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: without the game's lock the return is accepted, and the game is lost all the same."""
    if connection.vendor == "sqlite":
        pytest.skip("transactions of SQLite wait for each other without a lock")
    monkeypatch.setattr(GameQuerySet, "select_for_update", lambda self, **_: self.all())
    _return_during_claim(game, monkeypatch)
    assert game.ending == Game.Ending.ABSENCE
    assert _has_returned(game)
