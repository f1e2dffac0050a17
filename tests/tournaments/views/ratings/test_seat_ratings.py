"""Ratings beside the names of players."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments import pages
from tournaments.models import Game, LedgerEntry, Rating, User
from tournaments.queries.clocks import game_clocks
from tournaments.services.lobby import challenges

RULESET = "morelli(size=5)"


@pytest.fixture
def games(ana: User, ben: User) -> list[Game]:
    """Two finished games of Ana and Ben."""
    return [pages.finished_game(ana.player, ben.player, "first", RULESET) for _ in range(2)]


def _now(user: User) -> str:
    return f"{Rating.objects.get(player=user.player).elo}?"


def test_a_finished_game_shows_the_ratings_that_it_was_entered_with(
    client: Client, games: list[Game], ana: User, ben: User
) -> None:
    before = LedgerEntry.objects.get(game=games[1], player=ana.player).before_centielo
    seat = f'Ana</a> <span class="rating">{round(before / 100)}?</span>'
    assert seat in client.get(games[1].get_absolute_url()).content.decode()
    assert f"Ana {round(before / 100)}?" in pages.text_of(client.get(reverse("archive")).content)
    assert 'class="rating"' not in client.get(games[0].get_absolute_url()).content.decode()


def test_a_running_game_shows_the_ratings_of_now_to_everybody(
    client: Client, games: list[Game], ana: User, ben: User
) -> None:
    running = pages.new_game(ana.player, ben.player, RULESET)
    for visitor in (client, pages.member(ana)):
        text = pages.text_of(visitor.get(running.get_absolute_url()).content)
        assert f"Ana {_now(ana)}" in text
        assert f"Ben {_now(ben)}" in text


def test_small_boards_show_the_ratings_of_now(
    client: Client, games: list[Game], ana: User, ben: User
) -> None:
    pages.move(pages.new_game(ana.player, ben.player, RULESET))
    for visitor, name in ((client, "watch"), (pages.member(ben), "home")):
        page = visitor.get(reverse(name)).content.decode()
        _, _, card = page.partition('class="card board-card"')
        names = pages.text_of(card.partition('class="names"')[2].partition("</a>")[0].encode())
        assert f"Ana {_now(ana)} – Ben {_now(ben)}" in names


def test_a_challenge_shows_the_rating_of_the_challenger(
    games: list[Game], ana: User, ben: User
) -> None:
    row = challenges.challenge(
        challenger=ana.player,
        opponent=ben.player,
        ruleset=RULESET,
        clock=game_clocks.Clock(600_000, 5_000),
    )
    of_ben = pages.member(ben)
    for address in (reverse("open-games"), reverse("home")):
        assert f"Ana {_now(ana)}" in pages.text_of(of_ben.get(address).content), address
    message = pages.text_of(of_ben.get(reverse("challenge-message", args=[row.pk])).content)
    assert f"Ana ({_now(ana)}) challenges you" in message


def test_lists_of_games_take_two_queries_for_all_ratings(client: Client, games: list[Game]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("archive"))
        return len(captured)

    few = queries()
    for _ in range(4):
        pages.finished_game(games[0].first, games[0].second, "draw", RULESET)
    assert queries() == few


def test_a_profile_has_one_rating_for_each_game(
    client: Client, games: list[Game], ana: User
) -> None:
    page = client.get(ana.player.get_absolute_url()).content.decode()
    headlines = pages.text_of(page.partition('class="headlines"')[2].partition("</dl>")[0].encode())
    assert f"Morelli {_now(ana)} 2 games" in headlines
    assert "casual" not in pages.text_of(page.encode())
