"""The board on its page: in words, in palettes, with traits, and with its answers."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

import games
from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game, Player, User
from tournaments.services.accounts import guests, introductions
from tournaments.services.games import play
from tournaments.text import descriptions
from tournaments.views import preferences
from tournaments.views.games import move_choices, move_selection, rules_drawer, seat_cards

FACING = "morelli(edition=original,size=7,setup=facing)"


@pytest.fixture
def game(ana: User, ben: User) -> Game:
    """Return a game of Ana and Ben at Morelli 5x5. Ana begins."""
    return pages.new_game(ana.player, ben.player)


def page_of(client: Client, game: Game, query: str = "") -> str:
    return client.get(game.get_absolute_url() + query).content.decode()


def played(game: Game, *moves: str) -> Game:
    for move in moves:
        game.refresh_from_db()
        play.play_move(
            game_id=game.pk, player=game.player_on(game.side_to_move), ply=game.ply, move=move
        )
    game.refresh_from_db()
    return game


def answer_to(client: Client, game: Game, question: str) -> str:
    answer = client.get(reverse("game-ask", args=[game.pk]), {"q": question})
    assert answer.status_code == 200
    return str(answer.json()["answer"])


def position_after(key: str, *moves: str) -> games.Position:
    position = games.load(key).initial(seed=0)
    for move in moves:
        position = position.play(move)
    return position


# --- in words


@pytest.mark.parametrize(
    ("key", "cell", "english", "japanese"),
    [
        ("morelli(size=7)", "D4", "D4, Throne, empty", "D4、玉座、空"),
        (FACING, "D4", "D4, Centre, empty", "D4、センター、空"),
        ("morelli(size=31)", "B2", "B2, band 14, empty", "B2、帯14、空"),
        ("morelli(size=9)", "B2", "B2, green band, empty", "B2、緑の帯、空"),
        (FACING, "A1", "A1, green band, black stone", "A1、緑の帯、黒の石"),
        ("morelli(size=7,setup=random)", "G7", "G7, green band, white piece", "G7、緑の帯、白の駒"),
        ("morlox(size=5)", "c3", "c3, empty", "c3、空"),
        ("perfect()", "a1", "a1, orange start square, red man", "a1、橙の出発マス、赤の駒"),
    ],
)
def test_cells_are_told_in_the_readers_language(key, cell, english, japanese) -> None:
    position = games.load(key).initial(seed=0)
    assert descriptions.labels(position)[cell] == english
    with translation.override("ja"):
        assert descriptions.labels(position)[cell] == japanese


@pytest.mark.parametrize("key", ["morelli(size=7)", FACING, "morlox(size=5)", "perfect()"])
def test_every_cell_has_words_of_its_own(key) -> None:
    labels = descriptions.labels(games.load(key).initial(seed=0))
    assert len(set(labels.values())) == len(labels)
    assert all(label.startswith(f"{name}, ") for name, label in labels.items())


@pytest.mark.parametrize(
    ("key", "move", "sentence"),
    [
        ("morelli", "D12-G9", "Pola moves from D12 to G9."),
        ("morelli", "D12-G9 xF8H8", "Pola moves from D12 to G9: captures F8 and H8."),
        ("morelli", "L10-K9*", "Pola moves from L10 to K9: takes the Throne."),
        ("morelli", "C4-C6 xD6*", "Pola moves from C4 to C6: captures D6 and takes the Throne."),
        (FACING, "C4-C6 xD6*", "Pola moves from C4 to C6: captures D6 and takes the Centre."),
        ("morelli(setup=placement)", "@A5", "Pola places on A5."),
        ("morelli", "agree", "The game is ended by agreement."),
        ("morlox", "d4", "Pola places on d4."),
        ("morlox", "d4x", "Pola flips the stone on d4."),
        ("morlox", "swap", "Pola swapped colours."),
        ("morlox", "pass", "Pola passes."),
        ("perfect", "+e5", "Pola lays a tile on e5."),
        ("perfect", "b2-b3", "Pola moves from b2 to b3."),
        ("perfect", "c3xe5-g7xe9", "Pola moves from c3 to e9: captures d4 and f8."),
        ("perfect", "@b2", "Pola places on b2."),
    ],
)
def test_moves_are_told_in_a_sentence(key, move, sentence) -> None:
    assert descriptions.move_sentence(games.load(key), move, name="Pola") == sentence


def test_the_page_tells_the_last_move(game: Game) -> None:
    move = pages.legal(game)
    page = pages.text_of(page_of(Client(), played(game, move)).encode())
    path = games.load(game.ruleset).move_path(move)
    assert f"{game.first} moves from {path[0]} to {path[1]}" in page


def test_every_trait_of_random_games_has_a_sentence() -> None:
    for key, plies in (("morelli(size=9)", 40), ("morlox(size=7)", 30), ("perfect()", 140)):
        position = games.load(key).initial(seed=3)
        for _ in range(plies):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[len(moves) // 2])
            sentences = descriptions.traits(position.ruleset.family, position.traits())
            assert all(sentences)
            assert not any("%(" in sentence for sentence in sentences)


# --- effects of a choice, before it is made


def test_a_choice_says_which_stones_it_turns_and_that_it_takes_the_throne() -> None:
    ruleset = games.load("morelli(size=7)")
    choice = move_choices.Choice("C4-C5 xB5*", ("C4", "C5"), ((), ("B5", "D4")), "captures B5")
    assert choice.data["takes"] == [[], ["B5", "D4"]]
    assert ruleset.move_takes("C4-C5 xB5*") == (("B5",),)


@pytest.mark.parametrize(("edition", "place"), [("revised", "Throne"), ("original", "Centre")])
def test_choosing_the_throne_is_said_in_the_words_of_the_edition(edition: str, place: str) -> None:
    setup = "random" if edition == "revised" else "facing"
    position = games.load(f"morelli(edition={edition},size=7,setup={setup})").initial(seed=3)
    crowning = [choice for choice in _choices_on_the_way(position) if choice.touch]
    assert crowning
    for choice in crowning:
        assert choice.data["touch"] == {"cell": "D4", "words": f"take the {place}"}
        assert choice.move.endswith("*")


def _choices_on_the_way(position: games.Position) -> list[move_choices.Choice]:
    """The choices of every position of a game of random moves."""
    rng, everything = random.Random(3), []
    while position.outcome() is None:
        everything += move_choices.choices(position)
        position = position.play(position.random_move(rng))
    return everything


def test_laying_a_tile_says_what_it_flips_before_it_is_laid() -> None:
    # Red encloses the single blue tile in the corner a10: its neighbours are a9 and b10.
    position = position_after("perfect()", "+a9", "+a10")
    by_move = {choice.move: choice for choice in move_choices.choices(position)}
    assert by_move["+b10"].takes == (("a10",),)
    assert by_move["+b10"].effect == "flips a10"
    assert by_move["+e5"].takes == ((),)
    assert "takes" not in by_move["+e5"].data


@pytest.mark.parametrize("key", ["morelli(size=9)", "morlox(size=7)", "perfect()"])
def test_a_choice_says_what_the_board_looks_like_after_it(key: str) -> None:
    position = games.load(key).initial(seed=3)
    rng = random.Random(3)
    for _ in range(12):
        position = position.play(position.random_move(rng))
    before = {cell.name: [cell.ground, cell.piece] for cell in position.cells()}
    selection = move_selection.MoveSelection.of(position, ())
    for choice in selection.data:
        after = position.play(str(choice["move"])).cells()
        assert before | choice["after"] == {cell.name: [cell.ground, cell.piece] for cell in after}  # type: ignore[operator]
        assert all(before[cell] != look for cell, look in choice["after"].items())  # type: ignore[attr-defined]


def test_the_board_of_who_is_to_move_has_the_pictures_a_move_may_bring(
    ana: User, ben: User
) -> None:
    game = pages.new_game(ana.player, ben.player, "perfect()")
    mine, other = (page_of(pages.member(user), game) for user in (ana, ben))
    # No tile has been laid yet.
    for token in ("tile-red", "flipped-yellow", "last"):
        assert (f'id="perfect-i-{token}"' in mine) == (token != "flipped-yellow")
        assert f'id="perfect-i-{token}"' not in other


def test_too_many_choices_are_sent_as_beginnings() -> None:
    selection = move_selection.MoveSelection.of(games.load("morelli(size=31)").initial(seed=1), ())
    assert len(selection.choices) > move_selection.MAX_CHOICES_SENT
    sent = selection.data_or_first_cells
    assert all(one["more"] for one in sent)
    assert [one["path"] for one in sent] == [
        list(path) for path in dict.fromkeys(choice.path[:1] for choice in selection.choices)
    ]


@pytest.mark.long
def test_the_rest_is_sent_on_demand_to_whoever_is_to_move(ana: User, ben: User) -> None:
    big = pages.new_game(ana.player, ben.player, "morelli(size=31)")
    page = page_of(pages.member(ana), big)
    data = re.search(r'<script id="choices"[^>]*>(.*?)</script>', page)
    assert data is not None
    start = json.loads(data[1])[0]["path"][0]
    url = reverse("game-choices", args=[big.pk])
    mine = pages.member(ana).get(url, {"from": start}).json()["choices"]
    assert {choice["path"][0] for choice in mine} == {start}
    assert mine[0]["move"].startswith(f"{start}-")
    assert mine[0]["after"][start][1] is None
    assert pages.member(ben).get(url, {"from": start}).json() == {"choices": []}
    assert Client().get(url, {"from": "'; --"}).json() == {"choices": []}


# --- parameters of the address


def test_the_board_is_turned_and_told_from_the_other_side(game: Game) -> None:
    usual, turned = page_of(Client(), game), page_of(Client(), game, "?flip=1")
    names = [re.findall(r'data-cell="(\w+)"', page) for page in (usual, turned)]
    assert names[0][0] == "A5"
    assert names[1] == names[0][::-1]
    assert 'href="?flip=1#board"' in usual
    assert 'href="?#board"' in turned


def test_control_is_shown_on_demand(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)")
    # Black sees c3 from the north, the south and the west.
    played(game, "c5", "e5", "c1", "e1", "a3", "e2")
    assert 'class="traits"' not in page_of(Client(), game)
    page = page_of(Client(), game, "?show=1")
    assert 'class="traits"' in page
    assert "Black controls " in page
    assert answer_to(Client(), game, "? c3") == (
        "c3, empty. c3 sees a black stone on c5. c3 sees a white stone on e5. c3 sees a white stone on e1. "
        "c3 sees a black stone on c1. c3 sees a black stone on a3."
    )


def test_nonsense_in_the_address_counts_for_nothing(game: Game) -> None:
    usual = page_of(Client(), game)
    odd = page_of(Client(), game, "?flip=yes&show=on&at=%3Cscript%3E&ply=-1&path=<>")
    boards = [re.search(r"<svg .*?</svg>", page, re.DOTALL) for page in (usual, odd)]
    assert boards[0] is not None
    assert boards[1] is not None
    assert boards[0][0] == boards[1][0]


# --- questions


def test_a_side_without_pieces_has_none(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)")
    assert answer_to(pages.member(ana), game, "my") == "Black: none"


def test_the_board_answers_questions(ana: User, game: Game) -> None:
    mine, anybody = pages.member(ana), Client()
    assert answer_to(anybody, game, "? c3") == "C3, Throne, empty"
    assert answer_to(anybody, game, "?Z9") == "There is no cell Z9 on this board."
    assert answer_to(anybody, game, "last") == "No move has been made yet."
    assert "10:00" in answer_to(anybody, game, "clocks")
    assert answer_to(anybody, game, "r 3").startswith("A3, blue band, ")
    assert answer_to(anybody, game, "f 3") == "There is no such line on this board."
    assert answer_to(anybody, game, "F c").count("; ") == 1
    assert answer_to(anybody, game, "show") == "There is no content to show."
    black = answer_to(mine, game, "my")
    assert black.startswith("Black: ")
    assert answer_to(mine, game, "their").startswith("White: ")
    start = pages.legal(game).split("-")[0]
    assert answer_to(mine, game, f"moves {start}").startswith(f"From {start}: ")
    assert answer_to(mine, game, "moves C3") == "Nothing can be played from C3."
    for unknown in ("help", "", "sing me a song", "x" * 500):
        assert answer_to(anybody, game, unknown).startswith("You may ask: ")


def test_a_question_about_a_cell_says_what_to_draw(game: Game) -> None:
    url = reverse("game-ask", args=[game.pk])
    frame = Client().get(url, {"q": "? C4"}).json()["traits"]
    assert frame == [{"shape": "frame", "cells": ["B3", "C4", "D3", "C2"]}]
    for nothing in ("? C3", "? Q9", "last", ""):
        assert Client().get(url, {"q": nothing}).json()["traits"] == []


def test_without_a_script_a_question_is_answered_on_the_page(game: Game) -> None:
    assert "C3, Throne, empty" in pages.text_of(page_of(Client(), game, "?q=%3F+C3").encode())


def test_a_cell_tells_its_frame_too(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morelli(size=7)")
    assert answer_to(Client(), game, "? C4").endswith("The frame Indigo 2: C4, D5, E4 and D3.")


# --- premoves


@pytest.mark.long
def test_who_waits_in_a_live_game_may_choose_a_move_in_advance(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morelli(size=7)")
    mine, other = pages.member(ana), pages.member(ben)
    # Before the first move the page does not know the number of cells of a move.
    assert "data-premove" not in page_of(other, game)
    pages.move(game)
    assert 'data-premove="2"' in page_of(mine, game)
    assert "data-premove" not in page_of(other, game)
    assert "data-premove" not in page_of(Client(), game)
    assert "data-premove" not in page_of(mine, game, "?ply=0")


def test_a_game_of_placing_has_premoves_of_one_cell(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)")
    pages.move(game)
    assert 'data-premove="1"' in page_of(pages.member(ana), game)


# --- settings


def test_a_game_makes_sounds_until_its_button_is_pressed(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morelli(size=7)")
    client = pages.member(ana)
    assert 'name="sound" value="off" aria-pressed="true"' in page_of(client, game)
    client.post(reverse("settings"), {"sound": "off"})
    assert 'name="sound" value="on" aria-pressed="false"' in page_of(client, game)


def test_settings_are_kept_and_followed() -> None:
    client = Client()
    assert client.get(reverse("settings")).status_code == 200
    chosen = {"appearance": "dark", "palette": "safe", "motion": "reduced", "next": "/play/"}
    answer = client.post(reverse("settings"), chosen)
    assert answer["Location"] == "/play/"
    cookie = answer.cookies[preferences.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    page = client.get(reverse("settings")).content.decode()
    assert 'data-appearance="dark" data-motion="reduced"' in page
    assert "#2f2a7a" in page
    assert page.count("band-number") == 4
    client.post(reverse("settings"), {"coordinates": "off", "numbers": "off"})
    page = client.get(reverse("settings")).content.decode()
    assert 'data-appearance="dark"' in page  # what a form does not name stays
    assert "band-number" not in page
    assert 'class="coordinates"' not in page


def test_a_setting_there_is_not_is_refused_and_changes_nothing() -> None:
    client = Client()
    answer = client.post(
        reverse("settings"), {"palette": "neon", "next": "/settings/"}, follow=True
    )
    assert "There is no such setting." in answer.content.decode()
    assert preferences.COOKIE not in client.cookies
    for cookie in ("palette=neon&appearance=<b>", "&&&===", "palette=safe&" * 99):
        client.cookies[preferences.COOKIE] = cookie
        page = client.get(reverse("settings")).content.decode()
        assert 'data-appearance="auto"' in page
        assert "#5a529b" in page


def test_nobody_is_led_away_from_the_site() -> None:
    answer = Client().post(
        reverse("settings"), {"palette": "safe", "next": "https://elsewhere.example/"}
    )
    assert answer["Location"] == "/"


def test_the_board_of_a_game_follows_the_settings(ana: User, game: Game) -> None:
    client = Client()
    client.post(reverse("settings"), {"palette": "safe", "coordinates": "off"})
    page = page_of(client, game)
    assert "#6fbdf2" in page
    assert 'class="coordinates"' not in page
    assert 'data-confirm-moves="auto"' in page_of(pages.member(ana), game)


def test_a_swap_says_in_words_what_changes(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)")
    played(game, "c3")
    page = pages.text_of(page_of(pages.member(ben), game).encode())
    assert "Swap, and you become Black?" in page
    assert "continues as White and moves next" in page
    waiting = pages.text_of(page_of(pages.member(ana), game).encode())
    assert "Swap" not in waiting
    assert "White may swap instead of moving" in waiting
    assert "you may swap" not in waiting


@pytest.mark.long
def test_a_person_hears_that_a_bot_lacks_a_machine(ana: User, bots: list[Player]) -> None:
    game = pages.new_game(bots[0], ana.player)
    waits, question = "waits for a machine that can run it", "data-bot-asked"
    now = database_time.now()

    def page_at(*, turn_s: float, lease_s: float | None = None) -> str:
        lease = None if lease_s is None else now + timedelta(seconds=lease_s)
        Game.objects.filter(pk=game.pk).update(
            turn_started_at=now - timedelta(seconds=turn_s), reply_lease_until=lease
        )
        return page_of(pages.member(ana), game)

    fresh = page_at(turn_s=3)
    assert question in fresh
    assert waits not in fresh
    assert waits not in page_at(turn_s=60, lease_s=15)
    assert waits in page_at(turn_s=60, lease_s=-15)
    assert waits in page_at(turn_s=60)
    Game.objects.filter(pk=game.pk).update(side_to_move="second")
    mine = page_at(turn_s=60)
    assert question not in mine
    assert waits not in mine


def test_the_board_says_which_rule_forbids_a_move(client: Client, ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    address = reverse("game-ask", args=[game.pk])
    illegal = client.get(address, {"move": "A1-A1"}).json()
    assert illegal["code"] == "illegal-move"
    assert illegal["sentence"]
    assert illegal["paragraph"]
    assert client.get(address, {"move": pages.legal(game)}).json() == {}


@pytest.mark.parametrize("family", [known.name for known in games.available()])
def test_the_drawer_has_the_goal_the_rules_in_short_and_figures_that_open(
    family: str, client: Client
) -> None:
    drawer = rules_drawer.of_family(family)
    assert drawer is not None
    assert drawer.goal
    assert len(drawer.sentences) == 4
    assert len(drawer.figures) == 3
    assert all("<svg" in client.get(each.url).content.decode() for each in drawer.figures)


def test_the_page_of_a_game_has_its_goal_and_the_score_against_the_opponent(
    ana: User, ben: User, client: Client
) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    pages.finished_game(ben.player, ana.player, "draw")
    game = pages.new_game(ana.player, ben.player)
    score = "You against Ben: 1½ – ½"
    mine = page_of(pages.member(ana), game)
    assert score in pages.text_of(mine.encode())
    assert games.family_of("morelli").presentation.goal in mine
    assert "You against" not in page_of(client, game)


def test_a_spectator_with_an_account_reads_the_cards_of_both_players(
    ana: User, ben: User, people: list[Player], client: Client
) -> None:
    pages.finished_game(people[0], ana.player, "first")
    introductions.write(player=ben.player, text="I play <i>slowly</i>.", federation="ESP")
    game = pages.new_game(ana.player, ben.player)
    user = people[0].user
    assert user is not None
    own = page_of(pages.member(user), game)
    for page in (page_of(client, game), own):
        for side in ("first", "second"):
            assert f'data-card="card-{side}"' in page
            assert f'id="card-{side}"' in page
        assert "I play &lt;i&gt;slowly&lt;/i&gt;." in page
    assert "You against Ana: 1 – 0" in own
    assert "You against Ben" not in own
    assert "card-first" not in page_of(client, game, "embed/")


def test_a_guest_has_no_card(ana: User) -> None:
    game = pages.new_game(ana.player, guests.enter(browser="x", address=""))
    assert [card.player for card in seat_cards.of_game(game, None)] == [ana.player]
