"""Notes and conditional moves by the API."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import Game, User
from tournaments.services.games import play


@pytest.mark.parametrize("part", ["note", "conditionals"])
def test_parts_of_players_are_private(
    anybody: Program, game: Game, ana: User, staff: User, part: str
) -> None:
    path = f"/games/{game.pk}/{part}"
    assert program_of(ana)("GET", path).status_code == 200
    assert program_of(staff)("GET", path).json()["code"] == "not-your-game"
    assert anybody("GET", path).status_code == 401


def test_a_note_is_for_its_author_alone(game: Game, ana: User, ben: User) -> None:
    program, path = program_of(ana), f"/games/{game.pk}/note"
    assert program("PUT", path, {"text": "A weak corner."}).json() == {"text": "A weak corner."}
    assert program("GET", path).json() == {"text": "A weak corner."}
    assert program_of(ben)("GET", path).json() == {"text": ""}
    assert program("PUT", path, {"text": " "}).json() == {"text": ""}
    assert not game.notes.exists()


def test_a_reply_in_advance_is_played(game: Game, ana: User, ben: User) -> None:
    program, path = program_of(ana), f"/games/{game.pk}/conditionals"
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    lines = [["b2", "c3"], ["e5", "c3"]]
    stored = program("PUT", path, {"lines": lines}).json()
    assert sorted(stored["lines"]) == lines
    assert program("GET", path).json() == stored
    assert program_of(ben)("GET", path).json() == {"lines": []}
    play.play_move(game_id=game.pk, player=ben.player, ply=1, move="b2")
    moves = game.plies.order_by("number").values_list("move", flat=True)
    assert list(moves) == ["a1", "b2", "c3"]


def test_conditional_moves_are_replaced_and_dropped(game: Game, ana: User) -> None:
    program, path = program_of(ana), f"/games/{game.pk}/conditionals"
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    for lines in ([["b2", "c3"]], [["e5", "d4"]]):
        assert program("PUT", path, {"lines": lines}).json() == {"lines": lines}
    for _ in range(2):
        assert program("DELETE", path).status_code == 204
    assert program("GET", path).json() == {"lines": []}


@pytest.mark.long
@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([["b2"]], "conditional-empty"),
        ([["a1", "c3"]], "bad-record"),
        ([[f"m{n}"] * 300 for n in range(3)], "conditional-large"),
    ],
    ids=["no reply", "illegal", "large"],
)
def test_wrong_conditional_moves_are_refused(
    game: Game, ana: User, lines: list[list[str]], code: str
) -> None:
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    answer = program_of(ana)("PUT", f"/games/{game.pk}/conditionals", {"lines": lines})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
