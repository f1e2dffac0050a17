"""Players at the table, on the page of a game and by its stream."""

from __future__ import annotations

import re
from typing import Protocol

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.tournaments import correspondence, pages
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.services.notifications.test_streams import Listener
from tournaments.edges import streams
from tournaments.models import Attendance, Game, Player, User
from tournaments.services.accounts import guests
from tournaments.services.clocks import outages
from tournaments.services.games import attendance, game_creation
from tournaments.services.games.attendance import Process, Seat
from tournaments.views import guest_cookie


class Leave(Protocol):
    """A function that lets a player leave for some seconds."""

    def __call__(self, side: str, *, seconds: float) -> None: ...


@pytest.fixture
def game(clock: FrozenClock, ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben, who are at the table. Ben is to move, and has moved before."""
    outages.forget()
    game = pages.new_game(ana.player, ben.player, clock=game_creation.Clock(600_000))
    for _ in range(3):
        pages.move(game)
    for side in ("first", "second"):
        attendance.arrive(Seat(game.pk, side), Process("one", clock.now))
    return game


@pytest.fixture
def leave(game: Game, clock: FrozenClock) -> Leave:
    def leave(side: str, *, seconds: float) -> None:
        attendance.leave(Seat(game.pk, side), Process("one", clock.now), for_s=0)
        clock.wait(seconds=seconds)
        attendance.renew(Process("one", clock.now))

    return leave


def _page(client: Client, game: Game) -> str:
    return client.get(game.get_absolute_url()).content.decode()


def test_both_are_seen_at_the_table_by_all(game: Game, client: Client, ana: User) -> None:
    for visitor in (client, pages.member(ana)):
        page = _page(visitor, game)
        assert page.count('class="attendance here"') == 2
        assert page.count("at the table</span>") == 2


def test_a_player_who_has_left_is_seen_away_with_the_time(
    game: Game, leave: Leave, client: Client, ana: User
) -> None:
    leave("second", seconds=25)
    for visitor in (client, pages.member(ana)):
        page = _page(visitor, game)
        assert page.count('class="attendance here"') == 1
        assert 'data-away-ms="25000">0:25<' in page
        assert 'data-left="Ben has left."' in page


def test_a_viewer_is_told_about_others_only(game: Game, leave: Leave, ana: User) -> None:
    leave("first", seconds=25)
    page = _page(pages.member(ana), game)
    assert "Ana has left." not in page


def test_a_page_asks_again_at_the_time_of_the_claim(game: Game, leave: Leave, ana: User) -> None:
    leave("second", seconds=25)
    page = _page(pages.member(ana), game)
    assert 'data-claim-ms="35000"' in page
    assert "Claim win" not in page


def test_a_claim_is_for_the_player_who_waits(
    game: Game, leave: Leave, client: Client, ana: User, ben: User
) -> None:
    leave("second", seconds=60)
    assert "Claim win" in _page(pages.member(ana), game)
    for visitor in (client, pages.member(ben)):
        page = _page(visitor, game)
        assert "Claim win" not in page
        assert "data-claim-ms" not in page


@pytest.mark.parametrize(("claim", "result"), [("win", "first"), ("draw", "draw")])
def test_a_claim_ends_the_game(
    game: Game, leave: Leave, ana: User, claim: str, result: str
) -> None:
    leave("second", seconds=60)
    answer = pages.member(ana).post(reverse("game-claim", args=[game.pk]), {"result": claim})
    assert answer["Location"] == game.get_absolute_url()
    game.refresh_from_db()
    assert (game.result, game.ending) == (result, "absence")
    assert 'class="attendance' not in _page(pages.member(ana), game)


def test_a_player_whose_page_asks_without_a_stream_has_not_left(
    game: Game, leave: Leave, clock: FrozenClock, ana: User, ben: User
) -> None:
    leave("second", seconds=60)
    pages.member(ben).get(reverse("game-live", args=[game.pk]))
    clock.wait(seconds=5)
    claim = reverse("game-claim", args=[game.pk])
    pages.member(ana).post(claim, {"result": "win"})
    game.refresh_from_db()
    assert game.result is None


def test_a_claim_of_something_else_is_refused(game: Game, leave: Leave, ana: User) -> None:
    leave("second", seconds=60)
    answer = pages.member(ana).post(
        reverse("game-claim", args=[game.pk]),
        {"result": "loss"},
        headers={"accept": "application/json"},
    )
    assert answer.json()["code"] == "form-bad"
    game.refresh_from_db()
    assert game.result is None


def test_the_page_of_a_player_listens_at_the_table(game: Game, client: Client, ana: User) -> None:
    for visitor, is_at_the_table in ((pages.member(ana), True), (client, False)):
        stream = re.search(r'data-stream="([^"]*t=game:[^"]*)"', _page(visitor, game))
        assert stream is not None
        assert stream[1].endswith(f"&amp;at={game.pk}") == is_at_the_table


def test_a_session_and_a_guest_have_their_seats(ana: User) -> None:
    guest = guests.enter(browser="b", address="127.0.0.1")
    game = pages.new_game(ana.player, guest)
    member = pages.member(ana)
    session = member.cookies[settings.SESSION_COOKIE_NAME].value
    assert streams.seat_of(game.pk, session, "") == Seat(game.pk, "first")
    cookie = _cookie_of(guest)
    assert streams.seat_of(game.pk, "", cookie) == Seat(game.pk, "second")
    # A person who is signed in is not the guest of an older cookie.
    assert streams.seat_of(game.pk, session, cookie) == Seat(game.pk, "first")
    for forged in ("", str(guest.pk), f"{guest.pk}:x:y", cookie[:-1] + "!"):
        assert streams.seat_of(game.pk, "", forged) is None


def _cookie_of(guest: Player) -> str:
    response = HttpResponse()
    guest_cookie.remember(response, guest)
    return response.cookies[settings.GUEST_COOKIE_NAME].value


def test_a_spectator_has_no_seat(game: Game, people: list[Player]) -> None:
    assert people[0].user is not None
    session = pages.member(people[0].user).cookies[settings.SESSION_COOKIE_NAME].value
    assert streams.seat_of(game.pk, session, "") is None


def test_a_game_over_days_has_no_seats(ana: User, ben: User) -> None:
    game = correspondence.begin(ana.player, ben.player)
    session = pages.member(ana).cookies[settings.SESSION_COOKIE_NAME].value
    assert streams.seat_of(game.pk, session, "") is None


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
def test_an_open_stream_is_a_player_at_the_table(
    erasable: None, ana: User, ben: User, site: str
) -> None:
    game = pages.new_game(ana.player, ben.player)
    session = pages.member(ana).cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"}
    with (
        Listener(site, f"?t=game:{game.pk}") as spectator,
        Listener(site, f"?t=game:{game.pk}&at={game.pk}", cookie),
    ):
        assert spectator.next()[0] == "open"
        kind, data = spectator.next()
    assert (kind, data["side"], data["is_present"]) == ("presence", "first", True)
    row = Attendance.objects.get()
    assert (row.game_id, row.side) == (game.pk, "first")
