"""A game that the rules have ended says why, in the words of its family, and shows it."""

from __future__ import annotations

import random

import pytest
from django.test import Client

import games
from tests.tournaments import pages
from tournaments.models import Game, User
from tournaments.services.games import offers, play
from tournaments.text import descriptions

CHAIN = ["c5", "e5", "c4", "e4", "c3", "e3", "c2", "e2", "c1", "e1"]


def ended(key: str, seed: int = 1) -> games.Position:
    """The last position of a game of random moves."""
    rng = random.Random(seed)
    position = games.load(key).initial(seed=seed)
    while position.outcome() is None:
        position = position.play(position.random_move(rng))
    return position


@pytest.mark.parametrize("edition", ["revised", "original"])
@pytest.mark.parametrize("seed", range(4))
def test_morelli_says_who_is_stuck_and_who_is_enthroned(edition: str, seed: int) -> None:
    setup = "random" if edition == "revised" else "facing"
    position = ended(f"morelli(edition={edition},size=7,setup={setup})", seed)
    stuck, throne = descriptions.reasons(position)
    colour = position.colour_of(position.side_to_move).capitalize()
    assert stuck == f"{colour} cannot move."
    place = "Throne" if edition == "revised" else "Centre"
    outcome = position.outcome()
    if outcome == games.Outcome.DRAW:
        assert throne == f"The {place} is vacant."
    else:
        owner = position.colour_of(games.Side(str(outcome))).capitalize()
        sits = {"Throne": "King sits on the Throne", "Centre": "tower stands in the Centre"}
        assert throne == f"{owner}'s {sits[place]}."


def test_a_draw_by_agreement_leaves_nobody_stuck() -> None:
    position = games.load("morelli(size=7)").initial(seed=1).play("agree")
    assert descriptions.reasons(position) == ["The Throne is vacant."]


@pytest.mark.parametrize(
    ("edition", "place"),
    [("revised", "Throne"), ("original", "Centre")],
    ids=["revised", "original"],
)
def test_an_end_by_agreement_is_told_in_the_words_of_its_edition(
    client: Client, ana: User, ben: User, edition: str, place: str
) -> None:
    setup = "random" if edition == "revised" else "facing"
    game = pages.new_game(
        ana.player, ben.player, f"morelli(edition={edition},size=7,setup={setup})"
    )
    page = pages.member(ana).get(game.get_absolute_url()).content.decode()
    assert f"The holder of the {place} wins" in page
    for player in (ana.player, ben.player):
        offers.offer_end(game_id=game.pk, player=player)
    page = client.get(game.get_absolute_url()).content.decode()
    assert f"Both agreed to end the game there, and the {place} decided." in page


@pytest.mark.parametrize("key", ["morelli(size=7)", "morlox(size=5)", "perfect(limit=60)"])
def test_a_game_that_goes_on_gives_no_reason(key: str) -> None:
    assert descriptions.reasons(games.load(key).initial(seed=1)) == []


def test_morlox_counts_and_marks_the_winning_chain_alone() -> None:
    position = games.load("morlox(size=5,swap=off)").initial()
    for move in CHAIN:
        position = position.play(move)
    assert descriptions.reasons(position) == ["Black has connected its two edges with 5 stones."]
    decisive = [trait for trait in position.traits() if trait.is_decisive]
    assert [(trait.colour, set(trait.cells)) for trait in decisive] == [
        ("black", {"c1", "c2", "c3", "c4", "c5"})
    ]


@pytest.mark.parametrize("stray", ["a1", "a5"])
def test_a_stone_on_an_edge_away_from_the_winning_chain_is_not_of_it(stray: str) -> None:
    position = games.load("morlox(size=5,swap=off)").initial()
    for move in (stray, "d3", *CHAIN):
        position = position.play(move)
    (decisive,) = (trait for trait in position.traits() if trait.is_decisive)
    assert set(decisive.cells) == {"c1", "c2", "c3", "c4", "c5"}


def test_the_perfect_game_counts_the_men_of_both_at_the_limit() -> None:
    position = ended("perfect(limit=20)")
    limit, *counts = descriptions.reasons(position)
    assert limit.startswith("The turns have run out")
    facts = {(fact.code, fact.colour): fact.count for fact in position.notices()}
    for colour in ("red", "blue"):
        name = colour.capitalize()
        arrived = facts["arrived", colour]
        assert f"{name}: {arrived} of 10 men have arrived." in counts
        assert any(c.startswith(f"{name}: {facts['waiting', colour]} ") for c in counts)


def test_the_page_gives_the_reason_once_and_draws_the_chain(
    client: Client, ana: User, ben: User
) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5,swap=off)")
    for move in CHAIN:
        game.refresh_from_db()
        play.play_move(
            game_id=game.pk, player=game.player_on(game.side_to_move), ply=game.ply, move=move
        )
    game.refresh_from_db()
    assert game.ending == Game.Ending.RULES
    page = client.get(game.get_absolute_url()).content.decode()
    assert pages.text_of(page.encode()).count("connected its two edges with 5 stones") == 1
    assert 'class="traits"' in page
    earlier = client.get(game.get_absolute_url(), {"ply": 4}).content.decode()
    assert 'class="traits"' not in earlier
    assert "connected its two edges" not in earlier
