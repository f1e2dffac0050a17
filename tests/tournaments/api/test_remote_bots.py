"""Remote bots by the API: creation and changes by their authors, and the permissions of their tokens."""

from __future__ import annotations

import pytest

from tests.tournaments import pages, remote_players
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.conftest import CLOCK
from tournaments.models import Bot, Evaluation, Game, User
from tournaments.services.games import play
from tournaments.services.lobby import challenges

_NEW = {"name": "Cronopio", "families": ["morlox"]}


@pytest.fixture
def bot(ana: User) -> Bot:
    return remote_players.bot(ana)


@pytest.fixture
def player(bot: Bot) -> Program:
    """A program that plays for the bot."""
    return Program(remote_players.token(bot))


def test_a_bot_is_made_once_for_a_key(ana: User) -> None:
    program = program_of(ana)
    first, again = (
        program("POST", "/remote-bots", _NEW, **{"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first["Location"] == f"/api/v1/remote-bots/{first.json()['id']}"
    row = Bot.objects.select_related("player").get()
    assert row.player.is_remote
    assert (row.state, row.is_active, row.owner) == (Bot.State.READY, True, ana)
    assert program("POST", "/remote-bots", _NEW).json()["code"] == "name-taken"


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"families": []}, 422), ({"families": ["chess"]}, 422), ({"name": "x"}, 422)],
)
def test_a_bot_that_makes_no_sense_is_refused(
    ana: User, changes: dict[str, object], status: int
) -> None:
    assert program_of(ana)("POST", "/remote-bots", {**_NEW, **changes}).status_code == status
    assert not Bot.objects.exists()


def test_a_change_is_of_what_was_read(ana: User, bot: Bot) -> None:
    program, path = program_of(ana), f"/remote-bots/{bot.pk}"
    etag = program("GET", path)["ETag"]
    answer = program("PATCH", path, {"families": ["morelli"]}, **{"If-Match": etag})
    assert answer.json()["families"] == ["morelli"]
    again = program("PATCH", path, {"families": ["morlox"]}, **{"If-Match": etag})
    assert again.status_code == 412


def test_a_bots_token_acts_as_the_bot_and_as_nobody_else(
    player: Program, bot: Bot, ana: User, ben: User
) -> None:
    assert player("GET", "/me").json()["player"] == {
        "id": bot.player_id,
        "name": "Fama",
        "kind": "remote",
    }
    refused = [
        ("PATCH", "/me", {"email_turns": False}),
        ("GET", "/remote-bots", None),
        ("POST", "/remote-bots", _NEW),
    ]
    for method, path, body in refused:
        answer = player(method, path, body, **{"If-Match": "*"})
        assert (answer.status_code, answer.json()["code"]) == (403, "scope-needed"), path
    game = pages.new_game(ana.player, ben.player, "morlox(size=5)", is_rated=False)
    answer = player("POST", f"/games/{game.pk}/moves", {"move": "a1", "ply": 0})
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-game")


def test_me_of_a_bots_token_is_the_bot_without_the_account(
    player: Program, bot: Bot, ana: User
) -> None:
    me = player("GET", "/me").json()
    assert (me["name"], me["bot"]) == ("Fama", {"line": bot.line_id, "version": 1})
    assert me["settings"] is None
    assert ana.get_username() not in str(me)
    account = program_of(ana)("GET", "/me").json()
    assert (account["name"], account["bot"]) == (ana.get_username(), None)
    assert account["settings"]["email_turns"]


def test_a_bot_accepts_a_challenge_and_plays(player: Program, bot: Bot, ben: User) -> None:
    row = challenges.challenge(
        challenger=ben.player,
        opponent=bot.player,
        ruleset="morlox(size=5)",
        clock=CLOCK,
        side="second",
    )
    [waiting] = player("GET", "/challenges").json()["items"]
    assert waiting["id"] == row.pk
    number = player("POST", f"/challenges/{row.pk}/accept", {}).json()["game"]
    [mine] = player("GET", "/me/games?my_turn=true").json()["items"]
    assert mine["id"] == number
    state = player("GET", f"/games/{number}").json()
    assert state["start"] == state["position"]
    move = {"move": "a1", "ply": 0, "attempt": 1, "thought_ms": 3}
    first, again = (
        player("POST", f"/games/{number}/moves", move, **{"Idempotency-Key": "m"}) for _ in "ab"
    )
    assert (first.status_code, again.status_code) == (201, 201)
    assert again["Idempotency-Replayed"] == "true"
    stale = player("POST", f"/games/{number}/moves", {"move": "b2", "ply": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "moved-on")
    assert Game.objects.get(pk=number).ply == 1
    assert player("GET", "/me/games?my_turn=true").json()["items"] == []


def test_two_tokens_of_one_bot_post_the_same_ply_and_one_is_played(
    player: Program, bot: Bot, ben: User
) -> None:
    other = Program(remote_players.token(bot))
    game = pages.new_game(bot.player, ben.player, "morlox(size=5)", is_rated=False)
    path = f"/games/{game.pk}/moves"
    assert player("POST", path, {"move": "a1", "ply": 0}).status_code == 201
    assert other("POST", path, {"move": "b2", "ply": 0}).status_code == 409
    assert game.plies.count() == 1


def test_an_evaluation_comes_with_the_move_and_is_shown_when_the_game_is_over(
    player: Program, bot: Bot, ben: User
) -> None:
    game = remote_players.game(bot, ben.player)
    path = f"/games/{game.pk}/moves"
    move = {"move": "a1", "ply": 0, "info": "info depth 4 score cp -12 pv a1 b2 string quiet"}
    assert player("POST", path, move).status_code == 201
    [ply] = player("GET", path).json()["items"]
    assert ply["evaluation"] is None
    play.resign(game_id=game.pk, player=ben.player)
    [ply] = player("GET", path).json()["items"]
    assert ply["evaluation"] == {
        "score_cp": -12,
        "depth": 4,
        "nodes": None,
        "time_ms": None,
        "line": ["a1", "b2"],
        "text": "quiet",
    }


@pytest.mark.parametrize("info", ["", "garbage", "info depth", "info score cp x", "x" * 9_000])
def test_a_move_counts_whatever_its_info_says(
    player: Program, bot: Bot, ben: User, info: str
) -> None:
    game = remote_players.game(bot, ben.player)
    body = {"move": "a1", "ply": 0, "info": info}
    assert player("POST", f"/games/{game.pk}/moves", body).json()["ply"] == 1
    assert not Evaluation.objects.exists()
