"""The courses of the games: what their tasks say is so, by the code that plays them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import games
from games.core import Outcome, Position, Side
from games.presentation import Exercise

ALL = [
    (family.name, exercise)
    for family in games.available()
    for exercise in family.presentation.exercises()
]
every_exercise = pytest.mark.parametrize(
    ("family", "exercise"), ALL, ids=[f"{family}-{each.name}" for family, each in ALL]
)


def test_a_course_has_eight_to_ten_boards_with_names_of_their_own() -> None:
    for family in games.available():
        names = [each.name for each in family.presentation.exercises()]
        assert not names or 8 <= len(names) == len(set(names)) <= 10


@every_exercise
def test_right_lines_are_legal_written_out_and_of_one_length(
    family: str, exercise: Exercise
) -> None:
    assert re.fullmatch("[a-z-]+", exercise.name)
    assert len({len(line) for line in exercise.lines}) == 1
    for line in exercise.lines:
        position: Position = exercise.position
        for move in line:
            assert position.canonical(move) == move
            position = position.play(move)


@every_exercise
def test_there_is_something_to_find(family: str, exercise: Exercise) -> None:
    """Most legal moves are not right, or the rules leave no others."""
    right = {line[0] for line in exercise.lines}
    legal = exercise.position.legal_moves()
    assert set(legal) == right or 2 * len(right) <= len(legal)


@every_exercise
def test_a_move_written_in_another_way_is_the_move(family: str, exercise: Exercise) -> None:
    line = exercise.lines[-1]
    result = exercise.position.play(line[0])
    move = exercise.next_move((), result)
    assert exercise.position.play(move) == result
    assert exercise.next_move(line) == ""


def _piece(position: Position, cell: str) -> str | None:
    return next(each.piece for each in position.cells() if each.name == cell)


def _controls(position: Position, square: str) -> bool:
    return any(
        trait.code == "controlled" and trait.colour == "black" and square in trait.cells
        for trait in position.traits()
    )


# A fact about the position after each right line.
CLAIMS: dict[tuple[str, str], Callable[[Position], bool]] = {
    ("morelli", "capture"): lambda after: _piece(after, "E7") == "black",
    ("morelli", "captures"): lambda after: all(
        _piece(after, cell) == "black" for cell in ("C4", "C6", "D6")
    ),
    ("morelli", "between"): lambda after: _piece(after, "C4") == "black",
    ("morelli", "ripple"): lambda after: _piece(after, "D6") == "black",
    ("morelli", "frame"): lambda after: _piece(after, "E5") == "black-king",
    ("morelli", "frame-by-capture"): lambda after: _piece(after, "E5") == "black-king",
    ("morelli", "throne"): lambda after: _piece(after, "E5") == "black-king",
    ("morelli", "end"): lambda after: after.outcome() is Outcome.FIRST,
    ("morlox", "goal"): lambda after: after.outcome() is Outcome.FIRST,
    ("morlox", "three"): lambda after: _controls(after, "d4"),
    ("morlox", "diagonal"): lambda after: _controls(after, "d4"),
    ("morlox", "edge"): lambda after: _controls(after, "a4"),
    ("morlox", "flip"): lambda after: _piece(after, "d4") == "black",
    ("morlox", "bar"): lambda after: "d4" not in after.legal_moves(),
    ("morlox", "break"): lambda after: after.outcome() is None,
    ("morlox", "swap"): lambda after: after.side_to_move is Side.FIRST,
    ("perfect", "rescue"): lambda after: _piece(after.play("+e7"), "e5") is None,
    ("perfect", "obligation"): lambda after: _piece(after, "e5") is None,
    ("perfect", "own-ground"): lambda after: _piece(after, "c5") is None,
    ("perfect", "protected"): lambda after: _piece(after, "e7") == "blue-man",
    ("perfect", "arrival"): lambda after: after.outcome() is Outcome.FIRST,
}


@every_exercise
def test_what_the_task_asks_for_holds_after_every_right_line(
    family: str, exercise: Exercise
) -> None:
    holds = CLAIMS.get((family, exercise.name))
    if holds is not None:
        assert all(holds(exercise.after(line)) for line in exercise.lines)


def test_every_claim_is_of_an_exercise() -> None:
    assert set(CLAIMS) <= {(family, exercise.name) for family, exercise in ALL}


@pytest.mark.parametrize(
    ("name", "wrong"), [("bar", "g7"), ("three", "a1"), ("edge", "g7"), ("break", "a1")]
)
def test_in_morlox_a_move_that_is_not_right_leaves_the_task_undone(name: str, wrong: str) -> None:
    (exercise,) = [each for family, each in ALL if (family, each.name) == ("morlox", name)]
    if wrong not in exercise.position.legal_moves():
        wrong = next(m for m in exercise.position.legal_moves() if (m,) not in exercise.lines)
    assert not CLAIMS["morlox", name](exercise.position.play(wrong))
