"""Offers, and the end of the game, on the page of a game."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client

from tests.tournaments import pages
from tournaments.models import Game, User
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_end, play


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at the Perfect Game, which knows draws. Ana begins."""
    return pages.new_game(ana.player, ben.player, "perfect()")


@pytest.fixture
def ended(ana: User, ben: User) -> Game:
    """A game at Morelli that Ana has resigned against Ben."""
    game = pages.new_game(ana.player, ben.player)
    return play.resign(game_id=game.pk, player=ana.player)


@pytest.mark.long
def test_each_sees_the_offer_from_his_own_side(
    client: Client, game: Game, ana: User, ben: User
) -> None:
    url = game.get_absolute_url()
    maker, other = pages.member(ana), pages.member(ben)
    assert maker.post(f"{url}agree/")["Location"] == url
    assert "You have offered a draw." in maker.get(url).content.decode()
    assert "Ana offers a draw." in other.get(url).content.decode()
    assert "draw" not in client.get(f"{url}live/").content.decode()
    other.post(f"{url}decline/")
    assert "Ben has declined your offer." in maker.get(url).content.decode()
    assert "You have declined the offer." in other.get(url).content.decode()


def test_an_answer_to_nothing_is_told_as_stale(game: Game, ana: User) -> None:
    visitor = pages.member(ana)
    answer = visitor.post(
        f"{game.get_absolute_url()}agree/",
        {"answer": "yes"},
        headers={"accept": "application/json"},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "offer-gone")
    assert not game.offers.exists()


def test_the_page_gives_time_and_aborts(game: Game, ana: User, ben: User) -> None:
    url = game.get_absolute_url()
    pages.member(ana).post(f"{url}time/")
    assert "Ana added 2:30 to your clock." in pages.member(ben).get(url).content.decode()
    page = pages.member(ana).post(f"{url}abort/", follow=True).content.decode()
    assert "Game not counted" in page
    assert "Ana aborted the game before making a move." in page


def test_a_form_that_accepts_a_rematch_leads_to_it(ended: Game, ana: User, ben: User) -> None:
    url = ended.get_absolute_url()
    assert pages.member(ana).post(f"{url}rematch/")["Location"] == url
    to = pages.member(ben).post(f"{url}rematch/", {"answer": "yes"})["Location"]
    assert to == ended.offers.get().next_game.get_absolute_url()  # type: ignore[union-attr]  # it was accepted
    assert f'href="{to}">Go to rematch' in pages.member(ana).get(url).content.decode()


ENDINGS = {
    "rules": "played to its end.",
    "agreement": "Both agreed to end the game there.",
    "resignation": "Ben resigned.",
    "draw-agreed": "Both agreed on a draw.",
    "time": "Ben ran out of time.",
    "absence": "Ben left the game, and the opponent claimed the win.",
    "no-show": "Ben made no move in time.",
    "aborted": "Ben aborted the game",
    "crash": "Ben crashed.",
    "illegal-move": "Ben made a move that the rules do not allow.",
    "flood": "Ben sent too much output.",
    "protocol": "Ben broke the protocol.",
    "fault": "The service failed",
    "forfeit": "The arbiter declared the game forfeited.",
    "adjudication": "The arbiter decided the game.",
    "over-board": "The game was played over the board.",
}


@pytest.mark.parametrize("ending", Game.Ending.values)
def test_every_ending_names_its_cause_and_whose_it_was(
    client: Client, game: Game, ending: str
) -> None:
    with transaction.atomic():
        game_end.finish_game(game, result="first", ending=ending, detail="second")
    assert ENDINGS[ending] in client.get(game.get_absolute_url()).content.decode()


def test_a_corrected_result_leaves_the_cause_with_whom_it_was(
    client: Client, game: Game, ana: User, ben: User, administrator: User
) -> None:
    play.resign(game_id=game.pk, player=ben.player)
    for result in ("second", "draw"):
        corrections.correct(
            game_id=game.pk, actor=administrator, result=result, reason="a wrong click"
        )
    assert "Ben resigned." in client.get(game.get_absolute_url()).content.decode()


def test_the_end_speaks_to_each_player_and_neutrally_to_spectators(
    client: Client, ended: Game, ana: User, ben: User
) -> None:
    url = ended.get_absolute_url()
    own, others, public = (
        pages.text_of(visitor.get(url).content)
        for visitor in (pages.member(ana), pages.member(ben), client)
    )
    assert "You lost by resignation." in own
    assert "You won by resignation." in others
    assert "Your rating" in own
    assert "You won" not in public
    assert "Ben won by resignation" in public
    assert "Your rating" not in public


@pytest.mark.long
def test_the_next_steps_are_for_players_of_a_game_that_is_over(
    client: Client, ended: Game, game: Game, ana: User, ben: User
) -> None:
    page = pages.member(ben).get(ended.get_absolute_url()).content.decode()
    assert page.index("Rematch") < page.index("Play again")
    assert "Keep this game" not in page
    assert "Play again" not in client.get(ended.get_absolute_url()).content.decode()
    assert "Play again" not in pages.member(ben).get(game.get_absolute_url()).content.decode()
    # Another game waits for Ana's move.
    own = pages.member(ana).get(ended.get_absolute_url()).content.decode()
    assert own.count("Next game") == 1
    assert "Play again" not in own
