"""Finished games and players are found, a page at a time, and invalid queries are named."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Game, User
from tournaments.queries.records import archive
from tournaments.services.accounts import players
from tournaments.views.games import archive as archive_page


@pytest.fixture
def four_games(ana: User, ben: User) -> list[Game]:
    """Return four games: Ana wins, draws and loses against Ben, in two games and sizes.

    The last is in progress.
    """
    one = pages.finished_game(ana.player, ben.player, "first", "morelli(size=7)")
    two = pages.finished_game(ben.player, ana.player, "draw", "morelli(size=5)")
    three = pages.finished_game(ben.player, ana.player, "first", "morlox(size=5)")
    return [one, two, three, pages.new_game(ana.player, ben.player)]


_CARD = re.compile(r'class="card archive-card" href="/game/(\d+)/"')


def _numbers(client: Client, query: str) -> list[int]:
    """Return the games that the page links. A page without games says so."""
    answer = client.get(f"/archive/?{query}")
    assert answer.status_code == 200, pages.text_of(answer.content)
    numbers = [int(number) for number in _CARD.findall(answer.content.decode())]
    assert ("No finished game fits." in pages.text_of(answer.content)) == (not numbers)
    return numbers


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [2, 1, 0]),
        ("family=morelli", [1, 0]),
        ("size=5", [2, 1]),
        ("family=morelli&size=5", [1]),
        ("player=ANA", [2, 1, 0]),
        ("player=Ana&opponent=ben&result=won", [0]),
        ("player=Ana&result=lost", [2]),
        ("result=draw", [1]),
        ("result=first", [2, 0]),
        ("only_rated=on", [2, 1, 0]),
        ("player=Nobody+Here+Yet+Cleo", []),
    ],
)
def test_games_are_found_by_what_is_known_of_them(
    client: Client, four_games: list[Game], query: str, expected: list[int]
) -> None:
    players.sign_up(name="Nobody Here Yet Cleo", password="rayuela-1963")
    assert _numbers(client, query) == [four_games[k].pk for k in expected]


def test_games_are_found_by_the_day_on_which_they_ended(
    client: Client, four_games: list[Game]
) -> None:
    long_ago = database_time.now().replace(year=2020, month=2, day=29)
    Game.objects.filter(pk=four_games[0].pk).update(ended_at=long_ago)
    assert _numbers(client, "since=2020-02-29&until=2020-02-29") == [four_games[0].pk]
    assert _numbers(client, "since=2020-03-01") == [four_games[2].pk, four_games[1].pk]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("player=Zoe", "No player has this name."),
        ("result=won", "Name the player who won or lost."),
        ("since=2026-02-30", "Enter a valid date."),
        ("since=2026-02-02&until=2026-02-01", "This day comes before the first."),
        ("family=chess", "Select a valid choice."),
        ("size=0", "greater than or equal to 1"),
        ("before=-1", ""),
        ("before=99999999999999999999", ""),
        ("player=" + "x" * 5000, "at most 40 characters"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused_by_name(
    client: Client, four_games: list[Game], query: str, words: str
) -> None:
    answer = client.get(f"/archive/?{query}")
    assert answer.status_code == 400
    assert words in pages.text_of(answer.content)


def test_older_pages_have_every_game_once(
    client: Client, four_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_page, "CARDS", 2)
    first = client.get("/archive/?player=ana")
    assert [card.game.pk for card in first.context["cards"]] == [four_games[2].pk, four_games[1].pk]
    second = client.get(f"/archive/?{first.context['older']}")
    assert [card.game.pk for card in second.context["cards"]] == [four_games[0].pk]
    assert "older" not in second.context
    assert second.context["latest"] == "player=ana"


@pytest.mark.parametrize("query", ["", "family=morelli"])
def test_a_kept_first_page_leads_to_the_older_games(
    client: Client, four_games: list[Game], monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(archive_page, "CARDS", 1)
    newest = _numbers(client, query)
    again = client.get(f"/archive/?{query}")
    assert "games" not in again.context, "its boards were not drawn again"
    assert _CARD.findall(again.content.decode()) == [str(number) for number in newest]
    older = re.findall(r'rel="next" href="\?([^"]*)"', again.content.decode())
    expected = {"": four_games[1], "family=morelli": four_games[0]}
    assert _numbers(client, html.unescape(older[0])) == [expected[query].pk]


def test_players_are_found_by_a_part_of_their_name(
    client: Client, four_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Ana" in pages.text_of(client.get("/players/?q=AN").content)
    assert "Ben" not in pages.text_of(client.get("/players/?q=AN").content)
    assert "No player has such a name." in pages.text_of(client.get("/players/?q=zoe").content)
    monkeypatch.setattr(archive.search_players, "__kwdefaults__", {"after": "", "most": 1})
    page = client.get("/players/")
    assert "Ben" not in pages.text_of(page.content)
    assert "Ben" in pages.text_of(client.get(f"/players/?{page.context['next']}").content)


def test_an_organiser_who_never_played_is_found_by_name_alone(
    client: Client, ana: User, ben: User
) -> None:
    event_of(ana)
    address, link = reverse("players"), f'href="{ana.player.get_absolute_url()}"'
    listed = client.get(address).content.decode()
    assert link not in listed
    assert f'href="{ben.player.get_absolute_url()}"' in listed
    assert link in client.get(address, {"q": "ana"}).content.decode()
    pages.new_game(ben.player, ana.player)
    assert link in client.get(address).content.decode()


def test_a_profile_leads_to_all_games_of_its_player(
    client: Client, ana: User, four_games: list[Game]
) -> None:
    assert "/archive/?player=Ana" in client.get(ana.player.get_absolute_url()).content.decode()


def test_a_game_of_the_archive_has_its_final_position_its_length_and_its_ending(
    client: Client, four_games: list[Game]
) -> None:
    page = client.get("/archive/?family=morlox").content.decode()
    card = page.split('class="card archive-card"')[1].split("</a>")[0]
    assert "<svg" in card
    assert f"game-{four_games[2].pk}" in card
    words = pages.text_of(card.encode())
    assert four_games[2].get_ending_display() in words
    assert f"{four_games[2].ply} pl" in words


def test_each_criterion_is_a_chip_that_removes_it(client: Client, four_games: list[Game]) -> None:
    page = client.get("/archive/?player=Ana&result=draw&before=99999&only_rated=on")
    chips = {chip.words: chip.query for chip in page.context["chips"]}
    assert chips == {
        "Player: Ana": "result=draw&only_rated=on",
        "Result: draw": "player=Ana&only_rated=on",
        "Rated games only": "player=Ana&result=draw",
    }
    assert client.get("/archive/").context["chips"] == []
