"""The games of guests after their sign-up or expiry."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments import pages, puzzle_rows
from tournaments import database_time
from tournaments.models import Game, Guest, Invitation, Player, Seek, User
from tournaments.queries.clocks import game_clocks
from tournaments.services import tick
from tournaments.services.accounts import exercises, guests
from tournaments.services.games import notes
from tournaments.services.lobby import guest_games, invitations, seeks
from tournaments.services.puzzles import tries

pytestmark = pytest.mark.engines

CLOCK = game_clocks.Clock(600_000)
RULESET = "morelli(size=5)"


@pytest.fixture
def guest(db: None) -> Player:
    return guests.enter(browser="one browser", address="192.0.2.1")


def _grow_old() -> None:
    Guest.objects.update(seen_at=database_time.now() - guests.STAYS - timedelta(seconds=1))


def test_a_sign_in_takes_ongoing_games_along(ana: User, guest: Player, bots: list[Player]) -> None:
    game = pages.new_game(guest, bots[0])
    pages.move(game)
    notes.keep(game=game, player=guest, text="beware of the middle")
    guest_games.bring_along(guest=guest, player=ana.player)
    game.refresh_from_db()
    assert (game.first, game.result, game.is_rated) == (ana.player, None, False)
    assert notes.of_player(game, ana.player) == "beware of the middle"
    assert guests.find(guest.pk) is None


def test_a_sign_in_takes_tries_and_exercises_along(ana: User, guest: Player) -> None:
    """A guest who has seen a solution would otherwise be rated for it."""
    both, new = puzzle_rows.stored(), puzzle_rows.stored(1)
    tries.play(ana.player, both, (), both.line[0])
    for puzzle in (both, new):
        tries.give_up(guest, puzzle)
    exercises.note(guest, [("morelli", "capture")])
    guest_games.bring_along(guest=guest, player=ana.player)
    assert tries.play(ana.player, new, (), new.line[0]).first == ana.player.puzzle_tries.get(
        puzzle=new, is_solved=False, after_centielo=None
    )
    assert ana.player.puzzle_tries.get(puzzle=both).is_solved
    assert exercises.done_by(ana.player) == {("morelli", "capture")}


def test_tries_and_exercises_of_a_guest_go_with_the_guest(
    guest: Player, bots: list[Player]
) -> None:
    pages.finished_game(guest, bots[0], "first")
    tries.give_up(guest, puzzle_rows.stored())
    exercises.note(guest, [("morelli", "capture")])
    _grow_old()
    guest_games.forget_absent(database_time.now())
    assert not guest.puzzle_tries.exists()
    assert not guest.exercises_done.exists()


def test_finished_games_keep_their_neutral_seat(
    ana: User, guest: Player, bots: list[Player]
) -> None:
    game = pages.finished_game(guest, bots[0], "first")
    guest_games.bring_along(guest=guest, player=ana.player)
    game.refresh_from_db()
    assert game.first == guest
    assert game.first.name.startswith("Guest ")


def test_nobody_plays_against_oneself_after_a_sign_in(ana: User, guest: Player) -> None:
    game = pages.new_game(ana.player, guest)
    guest_games.bring_along(guest=guest, player=ana.player)
    game.refresh_from_db()
    assert (game.result, game.ending) == (Game.Result.VOID, Game.Ending.ABORTED)


def test_open_invitations_and_seeks_follow(ana: User, ben: User, guest: Player) -> None:
    own = invitations.invite(host=guest, ruleset=RULESET, clock=CLOCK, side="first")
    of_others = invitations.invite(host=ben.player, ruleset=RULESET, clock=CLOCK, is_player=False)
    invitations.join(token=of_others.token, player=guest)
    seeks.create(player=guest, ruleset=RULESET, clock=CLOCK)
    guest_games.bring_along(guest=guest, player=ana.player)
    own.refresh_from_db()
    of_others.refresh_from_db()
    assert (own.host, own.player, of_others.player) == (ana.player, ana.player, ana.player)
    assert not Seek.objects.waiting().exists()


def test_an_account_is_not_brought_along_by_another(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    guest_games.bring_along(guest=ana.player, player=ben.player)
    game.refresh_from_db()
    assert (game.first, game.result) == (ana.player, None)


def test_who_was_here_this_month_is_kept(guest: Player, bots: list[Player]) -> None:
    game = pages.new_game(guest, bots[0])
    guest_games.forget_absent(database_time.now() + guests.STAYS - timedelta(minutes=1))
    game.refresh_from_db()
    assert game.result is None
    assert guests.find(guest.pk) == guest


def test_after_a_month_unfinished_games_end_and_finished_ones_stay(
    ana: User, guest: Player, bots: list[Player]
) -> None:
    finished = pages.finished_game(guest, bots[0], "first")
    started, untouched = pages.new_game(guest, ana.player), pages.new_game(ana.player, guest)
    pages.move(started)
    open_invitation = invitations.invite(host=guest, ruleset=RULESET, clock=CLOCK)
    _grow_old()
    guest_games.forget_absent(database_time.now())
    for game in (started, untouched, finished, open_invitation):
        game.refresh_from_db()
    assert (started.result, started.ending) == ("second", Game.Ending.RESIGNATION)
    assert (untouched.result, untouched.ending) == ("void", Game.Ending.ABORTED)
    assert (finished.first, finished.result) == (guest, "first")
    assert open_invitation.state == Invitation.State.WITHDRAWN
    assert not Guest.objects.exists()
    assert Player.objects.filter(pk=guest.pk, kind=Player.Kind.GUEST).exists()


def test_a_guest_without_any_game_is_deleted(guest: Player) -> None:
    invitations.invite(host=guest, ruleset=RULESET, clock=CLOCK)
    seeks.create(player=guest, ruleset=RULESET, clock=CLOCK)
    _grow_old()
    guest_games.forget_absent(database_time.now())
    assert not Player.objects.exists()
    assert not Invitation.objects.exists()


def test_the_tick_forgets_guests(guest: Player) -> None:
    _grow_old()
    tick.tick((database_time.now() + timedelta(minutes=1)).replace(second=0))
    assert not Guest.objects.exists()


def test_two_guests_of_one_game_are_forgotten_together(guest: Player) -> None:
    other = guests.enter(browser="another", address="192.0.2.1")
    game = pages.new_game(guest, other)
    pages.move(game)
    _grow_old()
    guest_games.forget_absent(database_time.now())
    game.refresh_from_db()
    assert game.ending == Game.Ending.RESIGNATION
    assert not Guest.objects.exists()


def test_who_comes_back_in_time_is_not_forgotten(
    guest: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest makes a move between the look at the list and the turn of the guest."""
    _grow_old()
    real = Guest.objects.filter

    def filter_late(**conditions: object) -> object:
        if "pk" in conditions:
            real(pk=guest.pk).update(seen_at=database_time.now())
        return real(**conditions)

    monkeypatch.setattr(Guest.objects, "filter", filter_late)
    guest_games.forget_absent(database_time.now())
    monkeypatch.undo()
    assert guests.find(guest.pk) == guest


def test_a_guest_who_is_being_forgotten_is_not_the_one_who_comes(guest: Player) -> None:
    Guest.objects.update(browser="0" * 64)
    assert guests.enter(browser="one browser", address="192.0.2.1") != guest


def test_a_game_that_a_sign_in_has_missed_ends(
    ana: User, guest: Player, bots: list[Player]
) -> None:
    guest_games.bring_along(guest=guest, player=ana.player)
    game = pages.new_game(guest, bots[0])
    pages.move(game)
    guest_games.forget_absent(database_time.now())
    game.refresh_from_db()
    assert game.ending == Game.Ending.RESIGNATION
