"""The pages of clocks, vacations and plies taken back."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.models import Game, User
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.services import tick
from tournaments.services.clocks import vacations
from tournaments.services.games import takebacks
from tournaments.views.games import clock


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


def _begin(ana: User, ben: User, text: str) -> Game:
    return pages.new_game(
        ana.player, ben.player, clock=game_clocks.Clock.read(text), is_rated=False
    )


def _text(client: Client, address: str) -> str:
    return pages.text_of(client.get(address).content)


def test_the_ledger_says_in_words_where_the_time_went(
    client: Client, wall: FrozenClock, ana: User, ben: User
) -> None:
    game = _begin(ana, ben, "60d3")
    wall.wait(seconds=13)
    pages.move(game)
    wall.wait(seconds=70)
    tick.tick(wall.now)
    page = _text(client, reverse("game-clock", args=[game.pk]))
    assert "Ben lost on time: move 1... had not arrived" in page
    assert "+3 s delay" in page
    assert "−13 s thinking" in page
    assert "±0 the clock had run down" in page
    assert "Longest turn 13 s, at move 1." in page


def test_who_has_lost_on_time_is_led_to_the_ledger(
    client: Client, wall: FrozenClock, ana: User, ben: User
) -> None:
    game = _begin(ana, ben, "60+0")
    address = reverse("game-clock", args=[game.pk])
    wall.wait(seconds=70)
    tick.tick(wall.now)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "Ana ran out of time." in page
    assert page.count(f'href="{address}"') == 2  # beside the cause, and with the record


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", ["3.", "3...", "4."]),
        ("?page=1", ["1.", "1..."]),
        ("?page=9", ["3.", "3...", "4."]),
        ("?page=x", ["1.", "1..."]),
    ],
)
def test_a_long_ledger_comes_in_pages_and_ends_with_the_latest(
    client: Client,
    wall: FrozenClock,
    ana: User,
    ben: User,
    monkeypatch: pytest.MonkeyPatch,
    query: str,
    numbers: list[str],
) -> None:
    monkeypatch.setattr(clock, "_TURNS_A_PAGE", 2)
    monkeypatch.setattr(clock, "_ORPHANS", 1)
    game = _begin(ana, ben, "60+0")
    for _ in range(7):
        wall.wait(seconds=1)
        pages.move(game)
    page = client.get(reverse("game-clock", args=[game.pk]) + query).content.decode()
    assert re.findall(r'<td role="cell" class="number">(\d+\.+)</td>', page) == numbers
    links = re.findall(r'href="\?page=(\d)#charges"(?: aria-current="page")?>([\d–]+)<', page)
    assert links == [("1", "1–1"), ("2", "2–2"), ("3", "3–4")]
    # The chart has all of them.
    assert len(re.findall(r"M\d+ 60h8v-?\d+h-8z", page)) == 7


def test_an_outage_is_a_line_of_its_own(
    client: Client, wall: FrozenClock, ana: User, ben: User
) -> None:
    game = _begin(ana, ben, "60+0")
    tick.tick(wall.now)
    wall.sleep(seconds=900)
    tick.tick(wall.now)
    pages.move(game)
    page = _text(client, reverse("game-clock", args=[game.pk]))
    assert "+15 min the service was away" in page
    assert "Thinking time 0 s" in page


@pytest.mark.long
def test_plies_taken_back_stay_in_the_ledger(wall: FrozenClock, ana: User, ben: User) -> None:
    game = _begin(ana, ben, "60+0")
    pages.move(game)
    url = game.get_absolute_url()
    maker, other = pages.member(ana), pages.member(ben)
    wall.wait(seconds=5)
    maker.post(f"{url}take-back/")
    assert "Ana requests a take-back." in _text(other, url)
    other.post(f"{url}take-back/", {"answer": "yes"})
    assert "You took back your last move." in _text(maker, url)
    assert "Ana took back a move." in _text(other, url)
    game.refresh_from_db()
    assert (game.attempt, game.ply) == (2, 0)
    assert "takebacks" in _text(maker, f"{url}clock/")
    pages.move(game)
    assert "took back your last move" not in _text(maker, url)


def test_only_what_went_back_is_said_to_be_taken_back(
    client: Client, wall: FrozenClock, ana: User, ben: User
) -> None:
    game = _begin(ana, ben, "60+0")
    for _ in range(4):
        wall.wait(seconds=1)
        pages.move(game)
    for user in (ana, ben):  # the third ply, and the fourth with it
        takebacks.offer_takeback(game_id=game.pk, player=user.player)
    game.refresh_from_db()
    wall.wait(seconds=1)
    pages.move(game)
    page = client.get(reverse("game-clock", args=[game.pk])).content.decode()
    rows = page.split("<tr role")[2:]
    is_taken_back = ["taken back</span>" in row for row in rows]
    assert is_taken_back == [False, False, True, True, False, False]


def test_spectators_are_not_asked(client: Client, wall: FrozenClock, ana: User, ben: User) -> None:
    game = _begin(ana, ben, "60+0")
    pages.move(game)
    takebacks.offer_takeback(game_id=game.pk, player=ana.player)
    assert "take" not in _text(client, f"{game.get_absolute_url()}live/")


def test_the_clock_of_a_delay_shows_no_more_than_there_is(
    client: Client, wall: FrozenClock, ana: User, ben: User
) -> None:
    game = _begin(ana, ben, "60d5")
    page = client.get(game.get_absolute_url()).content.decode()
    assert 'data-ms="65000" data-most="60000"' in page
    assert ">1:00</span>" in page
    wall.wait(seconds=7)
    assert 'data-ms="58000" data-most="58000"' in client.get(f"/game/{game.pk}/").content.decode()


# --- vacations ----------------------------------------------------------------------------------------------------


def test_one_goes_on_vacation_and_comes_back(wall: FrozenClock, ana: User, ben: User) -> None:
    game = _begin(ana, ben, "604800+86400<1209600")
    visitor, opponent = pages.member(ana), pages.member(ben)
    assert "You have 30 days of 30 left in 2026." in _text(visitor, "/account/vacation/")
    assert visitor.post("/account/vacation/start/", {"days": "9"})["Location"] == (
        "/account/vacation/"
    )
    assert "On vacation until 19 March 2026, 12:00" in _text(visitor, "/account/vacation/")
    assert "on vacation until 19 March 2026, 12:00" in _text(opponent, game.get_absolute_url())
    assert "on vacation until" in _text(opponent, ana.player.get_absolute_url())
    assert "on vacation until" in _text(opponent, f"{game.get_absolute_url()}clock/")
    wall.wait(days=2)
    visitor.post("/account/vacation/end/")
    page = _text(visitor, "/account/vacation/")
    assert "You have 28 days of 30 left in 2026." in page
    assert "10 March 2026 to 12 March 2026: 2 days" in page


@pytest.mark.parametrize("days", ["0", "-1", "31", "x", "", "1.5", "9" * 30])
def test_days_that_cannot_be_had_are_refused_beside_the_field(
    wall: FrozenClock, ana: User, days: str
) -> None:
    answer = pages.member(ana).post("/account/vacation/start/", {"days": days})
    assert answer.status_code == 422
    assert b'id="id_days_error"' in answer.content
    assert vacation_days.running(ana.player) is None


def test_more_days_than_are_left_are_refused_beside_the_field(wall: FrozenClock, ana: User) -> None:
    vacations.start(player=ana.player, days=25)
    wall.wait(days=25)
    vacations.end_due(wall.now)
    answer = pages.member(ana).post("/account/vacation/start/", {"days": "6"})
    assert answer.status_code == 422
    assert "no more than are left this year" in answer.content.decode()


def test_who_comes_back_twice_is_told(wall: FrozenClock, ana: User) -> None:
    answer = pages.member(ana).post(
        "/account/vacation/end/", {"next": "/account/vacation/"}, follow=True
    )
    assert "You are not on vacation." in answer.content.decode()


def test_guests_have_no_vacation(client: Client, db: None) -> None:
    assert client.get("/account/vacation/")["Location"] == "/sign-in/?next=/account/vacation/"


# --- forms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("300d3", "5 min, 3 s delay"),
        ("864000+129600<864000", "10 days + 36 h per move (max 10 days)"),
        ("180+2", "3 min + 2 s"),
    ],
)
def test_a_challenge_says_its_clock_in_words(
    wall: FrozenClock, ana: User, ben: User, text: str, words: str
) -> None:
    data = {"ruleset": "morelli(size=9)", "clock": text, "side": "", "opponent": ""}
    pages.member(ana).post("/play/challenge/", data)
    assert words in _text(pages.member(ben), "/play/")
    wrong = pages.member(ana).post("/play/challenge/", {**data, "clock": "1+1"})
    assert wrong.status_code == 422
