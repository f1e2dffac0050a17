"""Tokens by the API: listed, made with the password, exchanged and revoked."""

from __future__ import annotations

from tests.tournaments import remote_players
from tests.tournaments.api.conftest import PASSWORD, Program, program_of
from tournaments.models import User
from tournaments.services.accounts import tokens


def test_a_token_is_made_used_exchanged_and_revoked(ana: User) -> None:
    owner = program_of(ana)
    body = {"name": "Viewer", "scopes": ["read"], "days": 30, "password": PASSWORD}
    answer = owner("POST", "/me/tokens", body)
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    viewer = Program(answer.json()["secret"], ana)
    assert viewer("GET", "/me").json()["token"]["scopes"] == ["read"]
    [row] = [
        each for each in owner("GET", "/me/tokens").json()["items"] if each["name"] == "Viewer"
    ]
    assert not row["is_this"]
    assert "secret" not in row

    successor = viewer("POST", "/me/tokens/rotate").json()
    assert viewer("GET", "/me").status_code == 401
    viewer = Program(successor["secret"], ana)
    assert successor["token"]["expires_at"] == row["expires_at"]
    assert viewer("DELETE", f"/me/tokens/{successor['token']['id']}").status_code == 403
    assert owner("DELETE", f"/me/tokens/{successor['token']['id']}").status_code == 204
    assert viewer("GET", "/me").status_code == 401


def test_a_token_needs_the_password(ana: User) -> None:
    answer = program_of(ana)("POST", "/me/tokens", {"name": "Thief", "password": "guess"})
    assert (answer.status_code, answer.json()["code"]) == (422, "password-wrong")


def test_the_secret_is_not_stored_with_the_answer_to_a_key(ana: User) -> None:
    body = {"name": "Viewer", "password": PASSWORD}
    owner = program_of(ana)
    secrets = {
        owner("POST", "/me/tokens", body, Idempotency_Key="k").json()["secret"] for _ in range(2)
    }
    assert len(secrets) == 2


def test_the_token_of_a_bot_is_exchanged_for_another_one_of_the_bot(ana: User) -> None:
    bot = remote_players.bot(ana)
    old = tokens.create(
        user=ana, password=PASSWORD, name="b", scopes=["bots:play"], days=30, line=bot.line
    )
    new = Program(old.secret, ana)("POST", "/me/tokens/rotate").json()
    assert (new["token"]["scopes"], new["token"]["bot"]) == (["bots:play"], bot.line_id)
    assert Program(new["secret"], ana)("GET", "/me").json()["bot"]["line"] == bot.line_id
    assert Program(new["secret"], ana)("GET", "/me/tokens").status_code == 403
