"""Studies by the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.conftest import CLOCK
from tournaments.models import Game, User
from tournaments.services.games import game_creation, play

_RULES = {"ruleset": "morlox(size=5)"}


@pytest.fixture
def program(ana: User) -> Program:
    return program_of(ana)


def _stored(program: Program, **body: Any) -> Any:
    answer = program("POST", "/studies", body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_study_is_read_by_its_key(program: Program, anybody: Program) -> None:
    study = _stored(program, **_RULES, tree="a1;b2(c3{quieter})", at=1)
    assert (study["tree"], study["at"], study["game"]) == ("a1;b2(c3{quieter})", 1, None)
    assert anybody("GET", f"/studies/{study['key']}").json() == study
    assert anybody("GET", "/studies/none").status_code == 404


def test_equal_studies_have_one_key_and_a_changed_tree_another(program: Program) -> None:
    study = _stored(program, **_RULES, tree="a1;b2")
    assert _stored(program, **_RULES, tree="a1;b2") == study
    longer = _stored(program, study=study["key"], tree="a1;b2;c3")
    assert longer["key"] != study["key"]
    assert (longer["ruleset"], longer["start"]) == (study["ruleset"], study["start"])


def test_a_study_of_a_game_has_its_moves(program: Program, game: Game, ana: User) -> None:
    play.play_move(game_id=game.pk, player=ana.player, ply=0, move="a1")
    study = _stored(program, game=game.pk)
    assert (study["game"], study["tree"], study["at"]) == (game.pk, "a1", 1)
    assert _stored(program, game=game.pk, tree="=1;b2")["tree"] == "a1;b2"


def test_players_do_not_analyse_their_rated_game(program: Program, ana: User, ben: User) -> None:
    game = game_creation.create_game(
        ruleset=_RULES["ruleset"],
        setup="",
        first=ana.player,
        second=ben.player,
        clock=CLOCK,
        is_rated=True,
    )
    answer = program("POST", "/studies", {"game": game.pk})
    assert (answer.status_code, answer.json()["code"]) == (403, "analysis-own-game")


def test_a_record_becomes_a_study(
    program: Program, anybody: Program, game: Game, ana: User, ben: User
) -> None:
    for ply, (user, move) in enumerate([(ana, "a1"), (ben, "b2")]):
        play.play_move(game_id=game.pk, player=user.player, ply=ply, move=move)
    record = anybody("GET", f"/games/{game.pk}/record").content.decode()
    study = _stored(program, text=record)
    assert (study["tree"], study["at"], study["game"]) == ("a1;b2", 0, None)
    assert _stored(program, text=record, at=2)["at"] == 2


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"ruleset": "go"}, "unknown-ruleset"),
        ({**_RULES, "tree": "a1;a1"}, "bad-record"),
        ({**_RULES, "tree": "a1", "at": 2}, "no-such-node"),
        ({**_RULES, "text": "  "}, "paste-empty"),
        ({"text": "[", "study": "x"}, "form-bad"),
    ],
    ids=str,
)
def test_a_wrong_study_is_refused(program: Program, body: dict[str, Any], code: str) -> None:
    answer = program("POST", "/studies", body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
