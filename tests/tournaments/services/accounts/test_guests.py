"""Guests: their identity, their number, and the actions that need an account."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection

from tests.tournaments import pages
from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, TooManyError
from tournaments.models import Game, Guest, Player, Rating, User
from tournaments.queries.clocks import game_clocks
from tournaments.services.accounts import guests, players
from tournaments.services.games import chat
from tournaments.services.lobby import challenges

pytestmark = pytest.mark.engines

ADDRESS = "192.0.2.1"


def _guest(browser: str = "one browser") -> Player:
    return guests.enter(browser=browser, address=ADDRESS)


def test_a_guest_has_a_neutral_name_and_no_account(db: None) -> None:
    guest = _guest()
    assert guest.kind == Player.Kind.GUEST
    assert guest.user is None
    name, digits = guest.name.split()
    assert name == "Guest"
    assert int(digits, 16) >= 0
    assert len(digits) == 4


def test_one_browser_is_one_guest(db: None) -> None:
    assert _guest() == _guest()
    assert _guest("another") != _guest()


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_one_moment_are_one_guest() -> None:
    players_seen: list[int] = []
    start = threading.Barrier(4)

    def run() -> None:
        try:
            start.wait()
            players_seen.append(_guest().pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(players_seen) == 4
    assert len(set(players_seen)) == 1
    assert Player.objects.count() == 1


def test_a_guest_is_known_until_a_month_has_gone_by(db: None) -> None:
    guest = _guest()
    assert guests.find(guest.pk) == guest
    Guest.objects.update(seen_at=database_time.now() - guests.STAYS)
    assert guests.find(guest.pk) is None
    guests.note_visit(guest)
    assert guests.find(guest.pk) == guest


def test_players_with_an_account_are_not_found_as_guests(ana: User) -> None:
    assert guests.find(ana.player.pk) is None


def test_the_database_gives_no_account_to_a_guest(ana: User) -> None:
    guest = _guest()
    with pytest.raises(IntegrityError, match=r"player_account_of_a_person|UNIQUE"):
        Player.objects.filter(pk=guest.pk).update(user=User.objects.create(username="x"))


def test_from_one_place_come_so_many_and_no_more(db: None, with_limits: None) -> None:
    for number in range(limits.GUESTS.most):
        _guest(f"browser {number}")
    with pytest.raises(TooManyError, match="guests-by-"):
        _guest("one more")
    guests.enter(browser="elsewhere", address="192.0.2.2")
    # Guests who exist already play on.
    _guest("browser 0")


def test_all_places_together_have_a_limit(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    few = limits.Limit("guests", limits.By.ALL, 2, timedelta(hours=1), is_guard=True)
    monkeypatch.setattr(limits, "GUESTS_OF_ALL", few)
    for number in range(2):
        guests.enter(browser=f"browser {number}", address=f"192.0.2.{number}")
    with pytest.raises(TooManyError, match="guests-by-"):
        guests.enter(browser="one more", address="192.0.2.9")


def test_a_guest_plays_so_many_games_at_once(bots: list[Player]) -> None:
    guest = _guest()
    for _ in range(6):
        guests.require_room(guest, address=ADDRESS)
        pages.new_game(guest, bots[0])
    with pytest.raises(RefusedError, match="guest-games"):
        guests.require_room(guest, address=ADDRESS)


def test_games_of_one_place_begin_at_a_bounded_rate(db: None, with_limits: None) -> None:
    guest = _guest()
    for _ in range(limits.GUEST_GAMES.most):
        guests.require_room(guest, address=ADDRESS)
    with pytest.raises(TooManyError, match="guest-games"):
        guests.require_room(guest, address=ADDRESS)


def test_people_have_their_own_limits(ana: User, with_limits: None) -> None:
    for _ in range(limits.GUEST_GAMES.most + 1):
        guests.require_room(ana.player, address=ADDRESS)


def test_a_game_with_a_guest_is_casual(ana: User) -> None:
    rows = [pages.new_game(_guest(), ana.player), pages.new_game(ana.player, _guest())]
    assert [(game.is_rated, game.pool) for game in rows] == [(False, None)] * 2
    pages.play_out(rows[0])
    assert not Rating.objects.exists()


def test_guests_ask_nobody_and_are_asked_by_nobody(ana: User) -> None:
    guest = _guest()
    plan = {"ruleset": "morelli(size=5)", "clock": game_clocks.Clock(60_000)}
    for opponent in (None, ana.player):
        with pytest.raises(NotAllowedError, match="account-needed"):
            challenges.challenge(challenger=guest, opponent=opponent, **plan)  # type: ignore[arg-type]  # by keyword
    with pytest.raises(RefusedError, match="player-guest"):
        challenges.challenge(challenger=ana.player, opponent=guest, **plan)  # type: ignore[arg-type]  # by keyword
    row = challenges.challenge(challenger=ana.player, opponent=None, **plan)  # type: ignore[arg-type]  # by keyword
    with pytest.raises(NotAllowedError, match="account-needed"):
        challenges.accept(challenge_id=row.pk, player=guest)
    assert not Game.objects.exists()


def test_guests_do_not_write_in_chats(ana: User) -> None:
    guest = _guest()
    game = pages.new_game(ana.player, guest)
    with pytest.raises(NotAllowedError, match="account-needed"):
        chat.say(game_id=game.pk, player=guest, text="hello")
    chat.say(game_id=game.pk, player=ana.player, text="hello")


@pytest.mark.parametrize("name", ["Guest 4F2A", "guest", "GUEST of honour", "\uff27uest 1"])
def test_nobody_is_called_like_a_guest(db: None, name: str) -> None:
    with pytest.raises(RefusedError, match="name-bad"):
        players.sign_up(name=name, password="rayuela-1963")


def test_other_names_begin_with_these_letters(db: None) -> None:
    assert players.sign_up(name="Guestav", password="rayuela-1963").player.name == "Guestav"


def test_a_guest_who_signs_up_keeps_every_game(bots: list[Player]) -> None:
    guest = _guest()
    ended, ongoing = pages.new_game(guest, bots[0]), pages.new_game(bots[1], guest)
    pages.play_out(ended)
    user = players.sign_up(name="Lucía", password="rayuela-1963", guest=guest)
    assert user.player.pk == guest.pk
    assert (user.player.kind, user.player.name) == (Player.Kind.PERSON, "Lucía")
    ended.refresh_from_db()
    assert (ended.first, Game.objects.get(pk=ongoing.pk).second) == (user.player, user.player)
    assert guests.find(guest.pk) is None
    # Games after the sign-up are rated like those of all accounts.
    assert pages.new_game(user.player, bots[2]).is_rated


def test_two_sign_ups_of_one_guest_are_two_players(db: None) -> None:
    guest = _guest()
    one = players.sign_up(name="Talita", password="rayuela-1963", guest=guest)
    other = players.sign_up(name="Traveler", password="rayuela-1963", guest=guest)
    assert one.player.pk == guest.pk
    assert other.player.pk != guest.pk


def test_a_refused_name_leaves_the_guest_as_it_was(ana: User) -> None:
    guest = _guest()
    with pytest.raises(RefusedError, match="name-taken"):
        players.sign_up(name="Ana", password="rayuela-1963", guest=guest)
    assert guests.find(guest.pk) == guest
