"""Pages of puzzles: moves made, tries stored, and the answers to what is not right."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import games
from tests.tournaments import pages, puzzle_rows
from tournaments.models import Puzzle, PuzzleTry, User

pytestmark = pytest.mark.django_db


def _text(content: bytes) -> str:
    return " ".join(pages.text_of(content).split())


def _post(client: Client, puzzle: Puzzle, **fields: str) -> str:
    answer = client.post(reverse("puzzle-try", args=[puzzle.pk]), fields, follow=True)
    assert answer.status_code == 200
    return _text(answer.content)


def _wrong(puzzle: Puzzle) -> str:
    position = games.load(puzzle.ruleset).parse(puzzle.position)
    right = position.play(puzzle.line[0])
    return next(move for move in position.legal_moves() if position.play(move) != right)


def test_the_right_move_solves_the_puzzle_and_is_rated(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    client = pages.member(ana)
    page = client.get(puzzle.get_absolute_url())
    assert "find the best move" in _text(page.content)
    text = _post(client, puzzle, **{"try": puzzle.line[0]})
    row = PuzzleTry.objects.get()
    assert row.is_solved
    assert f"Solved. Your rating: 1500 → {row.elo_after}." in text
    assert "Next puzzle" in text


def test_a_wrong_move_is_stored_once_and_may_be_tried_again(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    client = pages.member(ana)
    wrong = _wrong(puzzle)
    assert f"{wrong} is not the best move. Try again." in _post(client, puzzle, **{"try": wrong})
    text = _post(client, puzzle, **{"try": puzzle.line[0]})
    assert "The line is complete." in text
    row = PuzzleTry.objects.get()
    assert not row.is_solved
    assert (row.after_centielo or 0) < 1500_00


def test_the_other_side_replies_and_the_line_goes_on(ana: User) -> None:
    puzzle = puzzle_rows.stored(plies=3)
    client = pages.member(ana)
    path = reverse("puzzle-try", args=[puzzle.pk])
    page = client.post(path, {"try": puzzle.line[0]}, follow=True)
    assert list(page.context["page"].moves) == puzzle.line[:2]
    assert not PuzzleTry.objects.exists()
    moves = ";".join(puzzle.line[:2]).replace(" ", "_")
    page = client.post(path, {"moves": moves, "try": puzzle.line[2]}, follow=True)
    assert page.context["is_done"]
    assert PuzzleTry.objects.get().is_solved


def test_whoever_asks_for_the_solution_has_not_solved_it(ana: User) -> None:
    puzzle = puzzle_rows.stored(plies=3)
    client = pages.member(ana)
    assert "The line is complete." in _post(client, puzzle, give_up="1")
    assert not PuzzleTry.objects.get().is_solved


def test_an_illegal_move_is_refused_and_no_try(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    assert "The rules do not allow this move." in _post(
        pages.member(ana), puzzle, **{"try": "A1-A1"}
    )
    assert not PuzzleTry.objects.exists()


def test_a_legal_move_waits_for_its_button_without_scripts(client: Client) -> None:
    puzzle = puzzle_rows.stored()
    page = client.get(puzzle.get_absolute_url(), {"try": _wrong(puzzle)})
    assert page.context["is_legal"]
    assert b"data-play" in page.content
    # Nothing tells whether it is right.
    assert "not the best" not in _text(page.content)


def test_visitors_solve_puzzles_without_any_row(client: Client) -> None:
    puzzle = puzzle_rows.stored()
    assert "Next puzzle" in _post(client, puzzle, **{"try": puzzle.line[0]})
    assert not PuzzleTry.objects.exists()


@pytest.mark.parametrize("moves", ["nonsense", "A1-B2", ";;", "x" * 9_000])
def test_moves_that_are_no_part_of_the_line_are_forgotten(client: Client, moves: str) -> None:
    puzzle = puzzle_rows.stored()
    page = client.get(puzzle.get_absolute_url(), {"moves": moves})
    assert list(page.context["page"].moves) == []
    assert _post(client, puzzle, moves=moves, **{"try": puzzle.line[0]})
    assert client.get("/puzzles/999999/").status_code == 404


def test_next_leads_to_a_puzzle_or_back_to_all(client: Client) -> None:
    path = reverse("puzzle-next", args=["morelli"])
    assert client.get(path)["Location"] == reverse("puzzles")
    puzzle = puzzle_rows.stored()
    for after in ("", "x", "9" * 30, "-1"):
        assert client.get(path, {"after": after})["Location"] == puzzle.get_absolute_url()
    assert client.get("/puzzles/chess/next/").status_code == 404


def test_the_page_of_all_puzzles_has_the_ratings_and_days_of_a_player(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    client = pages.member(ana)
    _post(client, puzzle, **{"try": puzzle.line[0]})
    text = _text(client.get(reverse("puzzles")).content)
    assert "Morelli: puzzle of the day" in text
    assert "1 of 1 solved" in text
    assert "You have solved puzzles on 1 day in a row." in text


def test_a_site_without_puzzles_says_so(client: Client) -> None:
    assert "Puzzles are found in finished games, and there is none yet." in _text(
        client.get(reverse("puzzles")).content
    )
    assert client.get("/").status_code == 200


def test_the_front_page_has_the_puzzle_of_the_day_to_play(client: Client) -> None:
    puzzle = puzzle_rows.stored()
    page = client.get("/")
    assert "Puzzle of the day: Morelli" in _text(page.content)
    assert f'data-figure="{puzzle.get_absolute_url()}"'.encode() in page.content
    assert f'href="{puzzle.get_absolute_url()}?path='.encode() in page.content


def test_an_address_does_not_tell_a_player_that_its_moves_are_right(ana: User) -> None:
    """Otherwise each move could be looked at before the try that counts."""
    puzzle = puzzle_rows.stored()
    client = pages.member(ana)
    moves = {"moves": puzzle.line[0].replace(" ", "_")}
    assert not client.get(puzzle.get_absolute_url(), moves).context["is_done"]
    _post(client, puzzle, give_up="1")
    assert client.get(puzzle.get_absolute_url(), moves).context["is_done"]


def test_a_page_calls_only_legal_moves_wrong(client: Client) -> None:
    puzzle = puzzle_rows.stored()
    for text, is_repeated in (("Send your password to", False), (_wrong(puzzle), True)):
        page = client.get(puzzle.get_absolute_url(), {"wrong": text})
        assert ("is not the best move" in _text(page.content)) is is_repeated


def test_the_theme_leads_from_puzzle_to_puzzle(client: Client) -> None:
    for number in range(12):
        puzzle_rows.stored(number)
    path = reverse("puzzle-next", args=["morelli"])
    address = client.get(path, {"theme": "several captures"})["Location"]
    puzzle = Puzzle.objects.get(pk=int(address.split("/")[2]))
    page = client.post(
        reverse("puzzle-try", args=[puzzle.pk]),
        {"try": puzzle.line[0], "theme": "several captures"},
        follow=True,
    )
    assert "several captures" in _text(page.content)
    assert b"theme=several%20captures" in page.content
    answer = client.get(path, {"theme": "no such theme"}, follow=True)
    assert "There is no further puzzle of this kind." in _text(answer.content)


@pytest.mark.long
def test_the_page_of_all_puzzles_asks_a_fixed_number_of_questions(ana: User) -> None:
    for number in range(3):
        puzzle_rows.stored(number)
    client = pages.member(ana)
    client.get(reverse("puzzles"))
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("puzzles"))
    for number in range(3, 9):
        _post(client, puzzle_rows.stored(number), give_up="1")
    client.get(reverse("puzzles"))
    with CaptureQueriesContext(connection) as many:
        client.get(reverse("puzzles"))
    assert len(many) <= len(few)


def test_a_number_beyond_those_of_the_database_is_no_puzzle(client: Client) -> None:
    assert client.get(f"/puzzles/{10**30}/").status_code == 404
    assert client.post(f"/puzzles/{10**30}/try/", {"try": "A1"}).status_code == 404
