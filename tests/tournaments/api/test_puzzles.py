"""Puzzles by the API: their fields before a try, moves, and the tries of the account."""

from __future__ import annotations

import pytest

from tests.tournaments import puzzle_rows
from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import PuzzleTry, User


@pytest.fixture
def program(ana: User) -> Program:
    return program_of(ana)


def test_a_puzzle_has_its_solution_after_the_first_try_alone(
    program: Program, anybody: Program
) -> None:
    puzzle = puzzle_rows.stored()
    path = f"/puzzles/{puzzle.pk}"
    for asker in (program, anybody):
        row = asker("GET", path).json()
        hidden = ("solution", "themes", "source", "first_try")
        assert [row[name] for name in hidden] == [None] * 4
        assert puzzle.line[0] not in asker("GET", path).content.decode()
    program("POST", f"{path}/tries", {"move": puzzle.line[0]})
    assert program("GET", path).json()["solution"] == puzzle.line
    assert anybody("GET", path).json()["solution"] is None


def test_a_line_is_solved_move_by_move(program: Program) -> None:
    puzzle = puzzle_rows.stored(plies=3)
    path = f"/puzzles/{puzzle.pk}/tries"
    answer = program("POST", path, {"move": puzzle.line[0]}).json()
    assert answer == {
        "is_right": True, "is_done": False, "moves": puzzle.line[:2], "first_try": None
    }  # fmt: skip
    answer = program("POST", path, {"moves": puzzle.line[:2], "move": puzzle.line[2]}).json()
    assert answer["is_done"]
    assert answer["first_try"]["rating_after"] > answer["first_try"]["rating_before"]
    [row] = program("GET", "/me/puzzles").json()["items"]
    assert (row["puzzle"], row["game"], row["is_solved"]) == (puzzle.pk, "morelli", True)


def test_the_same_solution_twice_is_one_try(program: Program) -> None:
    puzzle = puzzle_rows.stored()
    path, body = f"/puzzles/{puzzle.pk}/tries", {"move": puzzle.line[0]}
    first, second = (program("POST", path, body).json() for _ in range(2))
    assert first == second
    assert PuzzleTry.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"move": "A1-A1"}, 422),
        ({"moves": ["A1-B2"], "move": "A1-A1"}, 409),
        ({}, 422),
    ],
    ids=["illegal", "no part of the line", "empty"],
)
def test_a_refused_move_is_no_try(program: Program, body: dict[str, object], status: int) -> None:
    puzzle = puzzle_rows.stored()
    assert program("POST", f"/puzzles/{puzzle.pk}/tries", body).status_code == status
    assert not PuzzleTry.objects.exists()


def test_the_next_puzzle_is_untried_and_of_the_theme(program: Program) -> None:
    puzzle = puzzle_rows.stored()
    path = "/puzzles/next?game=morelli"
    assert program("GET", path).json()["id"] == puzzle.pk
    assert program("GET", f"{path}&theme=a+flip").status_code == 404
    program("POST", f"/puzzles/{puzzle.pk}/tries", {"give_up": True})
    assert program("GET", path).status_code == 404
    assert program("GET", "/puzzles/daily?game=chess").status_code == 422
