"""Games by the API: their data, and playing to the end."""

from __future__ import annotations

from datetime import timedelta

import pytest

import games as rules
from tests.tournaments import absences
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.conftest import CLOCK
from tournaments import database_time
from tournaments.models import Game, User
from tournaments.services.games import attendance, game_creation
from tournaments.services.games.attendance import Process, Seat


def _legal(game: Game) -> str:
    game.refresh_from_db()
    return rules.load(game.ruleset).parse(game.position).legal_moves()[0]


@pytest.mark.long
def test_a_game_is_played_to_its_end(ana: User, ben: User, game: Game, anybody: Program) -> None:
    programs = {"first": program_of(ana), "second": program_of(ben)}
    state = anybody("GET", f"/games/{game.pk}").json()
    assert (state["ply"], state["moves"], state["turn"]["first_ms"]) == (0, [], CLOCK.initial_ms)
    while state["result"] is None:
        legal = anybody(
            "POST",
            "/positions",
            {"ruleset": state["ruleset"], "position": state["position"]},
        ).json()
        move = {"move": legal["legal_moves"][-1], "ply": state["ply"]}
        answer = programs[state["side_to_move"]]("POST", f"/games/{game.pk}/moves", move)
        assert answer.status_code == 201, answer.content
        assert answer["Location"] == f"/api/v1/games/{game.pk}"
        state = answer.json()
    assert state["ending"] == "rules"
    moves = anybody("GET", f"/games/{game.pk}/moves?limit=200").json()["items"]
    assert [each["move"] for each in moves] == state["moves"]
    record = anybody("GET", f"/games/{game.pk}/record").json()
    assert [each["move"] for each in record["plies"]] == state["moves"]
    text = anybody("GET", f"/games/{game.pk}/record", Accept="text/plain").content.decode()
    assert rules.parse_record(text).moves == tuple(state["moves"])
    charges = anybody("GET", f"/games/{game.pk}/clock?limit=200").json()["items"]
    assert {each["reason"] for each in charges} <= {"spent", "increment", "lag", "cap"}


@pytest.mark.parametrize(
    ("who", "body", "status", "code"),
    [
        ("player", {"move": "z9", "ply": 0}, 422, "illegal-move"),
        ("player", {"move": "a1", "ply": 1}, 409, "moved-on"),
        ("player", {"move": "a1", "ply": 0, "attempt": 2}, 409, "moved-on"),
        ("opponent", {"move": "a1", "ply": 0}, 409, "not-your-turn"),
        ("stranger", {"move": "a1", "ply": 0}, 403, "not-your-game"),
        ("player", {"move": "", "ply": 0}, 422, "invalid"),
        ("player", {"move": "a1"}, 422, "invalid"),
        ("player", {"move": "a1", "ply": -1}, 422, "invalid"),
    ],
)
def test_a_move_that_cannot_be_played_says_why(
    ana: User,
    ben: User,
    staff: User,
    game: Game,
    who: str,
    body: dict[str, object],
    status: int,
    code: str,
) -> None:
    user = {"player": ana, "opponent": ben, "stranger": staff}[who]
    response = program_of(user)("POST", f"/games/{game.pk}/moves", body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    game.refresh_from_db()
    assert game.ply == 0


def test_a_move_that_is_too_late_has_lost_the_game(
    ana: User, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = database_time.now() + timedelta(milliseconds=CLOCK.initial_ms + 60_000)
    program, move = program_of(ana), _legal(game)
    monkeypatch.setattr(database_time, "now", lambda: later)
    body = {"move": move, "ply": 0}
    # The answer remains, whichever key the request came with.
    response = program("POST", f"/games/{game.pk}/moves", body, **{"Idempotency-Key": "k"})
    assert response.status_code == 409
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")


def test_a_key_with_another_move_is_refused(ana: User, game: Game) -> None:
    program = program_of(ana)
    answers = [
        program(
            "POST",
            f"/games/{game.pk}/moves",
            {"move": move, "ply": 0},
            **{"Idempotency-Key": "k"},
        )
        for move in ("a1", "a1", "b2")
    ]
    assert [each.status_code for each in answers] == [201, 201, 422]
    assert ["Idempotency-Replayed" in each for each in answers] == [False, True, False]
    assert answers[2].json()["code"] == "key-used"


def test_offers_are_made_and_answered(ana: User, ben: User, game: Game) -> None:
    one, other = program_of(ana), program_of(ben)
    path = f"/games/{game.pk}"
    one("POST", f"{path}/moves", {"move": "a1", "ply": 0})
    waiting = one("POST", f"{path}/offers", {"kind": "takeback"}).json()
    assert waiting["offer"] == {"kind": "takeback", "side": "first"}
    granted = other("POST", f"{path}/offers", {"kind": "takeback", "is_answer": True}).json()
    assert (granted["ply"], granted["attempt"], granted["offer"]) == (0, 2, None)
    assert (
        other("POST", f"{path}/offers", {"kind": "takeback", "is_answer": True}).status_code == 409
    )
    given = one("POST", f"{path}/offers", {"kind": "time"}).json()
    assert given["turn"]["second_ms"] > CLOCK.initial_ms
    assert one("POST", f"{path}/resign").json()["result"] == "second"
    one("POST", f"{path}/offers", {"kind": "rematch"})
    rematch = other("POST", f"{path}/offers", {"kind": "rematch", "is_answer": True}).json()
    assert rematch["id"] != game.pk
    assert rematch["first"]["name"] == "Ben"


def test_games_are_looked_for(ana: User, ben: User, game: Game, anybody: Program) -> None:
    program_of(ana)("POST", f"/games/{game.pk}/resign")
    game_creation.create_game(
        ruleset="morelli(size=5)",
        setup="",
        first=ben.player,
        second=ana.player,
        clock=CLOCK,
        is_rated=False,
    )
    for query, count in (
        ("", 1),
        ("family=morlox", 1),
        ("family=morelli", 0),
        (f"player={ana.player.pk}&result=lost", 1),
        (f"player={ben.player.pk}&result=lost", 0),
        (f"opponent={ana.player.pk}", 1),
        ("only_rated=true", 0),
        ("size=5", 1),
        ("since=2999-01-01", 0),
    ):
        assert len(anybody("GET", f"/games?{query}").json()["items"]) == count, query
    assert anybody("GET", "/games?result=won").status_code == 422
    assert anybody("GET", "/games?player=999999").status_code == 404


def test_a_game_whose_opponent_has_left_is_claimed(ana: User, ben: User, anybody: Program) -> None:
    game = absences.left_game(ana.player, ben.player)
    path = f"/games/{game.pk}"
    presence = anybody("GET", path).json()["presence"]
    assert presence["first"] is None
    assert not presence["second"]["is_present"]
    assert presence["second"]["left_at"] < presence["claim_at"]
    claim = program_of(ana)("POST", f"{path}/claim", {"result": "win"})
    assert claim.status_code == 200
    state = claim.json()
    assert (state["result"], state["ending"], state["presence"]) == ("first", "absence", None)


def test_an_opponent_who_is_back_is_an_answer_of_409(ana: User, ben: User) -> None:
    game = absences.left_game(ana.player, ben.player)
    process = Process("old", database_time.now())
    attendance.arrive(Seat(game.pk, "second"), process)
    claim = program_of(ana)("POST", f"/games/{game.pk}/claim", {"result": "draw"})
    assert (claim.status_code, claim.json()["code"]) == (409, "opponent-here")
    state = program_of(ana)("GET", f"/games/{game.pk}").json()
    assert state["presence"]["second"] == {"is_present": True, "left_at": None}
    assert state["presence"]["claim_at"] is None
