"""Talk in games by the API: rooms, mutes, moderation, and scopes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tournaments import database_time
from tournaments.models import ChatLine, Game, Silence, User
from tournaments.services.accounts import players
from tournaments.services.games import chat, play


@pytest.fixture
def cleo(db: None) -> User:
    return players.sign_up(name="Cleo", password="rayuela-1963")


def _texts(program: Program, game: Game) -> list[str]:
    answer = program("GET", f"/games/{game.pk}/chat")
    assert answer.status_code == 200, answer.content
    return [row["text"] for row in answer.json()["items"]]


def _say(program: Program, game: Game, text: str) -> int:
    status: int = program("POST", f"/games/{game.pk}/chat", {"text": text}).status_code
    return status


def test_players_and_spectators_have_separate_rooms(
    anybody: Program, game: Game, ana: User, ben: User, cleo: User
) -> None:
    one, other, spectator = program_of(ana), program_of(ben), program_of(cleo)
    assert [_say(one, game, "Hi"), _say(other, game, "Hello")] == [201, 201]
    assert _say(spectator, game, "Nice move") == 201
    assert _texts(one, game) == _texts(other, game) == ["Hello", "Hi"]
    assert _texts(spectator, game) == _texts(anybody, game) == ["Nice move"]


def test_the_room_of_the_players_needs_the_scope_read(game: Game, ana: User, cleo: User) -> None:
    assert program_of(cleo, "games:play")("GET", f"/games/{game.pk}/chat").status_code == 200
    answer = program_of(ana, "games:play")("GET", f"/games/{game.pk}/chat")
    assert (answer.status_code, answer.json()["code"]) == (403, "scope-needed")


def test_lines_of_a_muted_player_are_left_out_for_the_reader_alone(
    game: Game, ana: User, ben: User
) -> None:
    one, other = program_of(ana), program_of(ben)
    _say(one, game, "Hi")
    _say(other, game, "Hello")
    chat.mute(player=ana.player, muted=ben.player)
    assert _texts(one, game) == ["Hi"]
    assert _texts(other, game) == ["Hello", "Hi"]


def test_a_hidden_line_has_no_text(game: Game, ana: User) -> None:
    program = program_of(ana)
    _say(program, game, "Rude")
    ChatLine.objects.filter(game=game).update(is_hidden=True)
    [line] = program("GET", f"/games/{game.pk}/chat").json()["items"]
    assert (line["text"], line["is_deleted"]) == ("", True)


def test_a_silenced_player_does_not_write(game: Game, ana: User, ben: User) -> None:
    now = database_time.now()
    Silence.objects.create(
        player=ana.player,
        line=chat.say(game_id=game.pk, player=ana.player, text="Rude"),
        until=now + timedelta(days=1),
        resolver=ben,
        made_at=now,
    )
    answer = program_of(ana)("POST", f"/games/{game.pk}/chat", {"text": "Hi"})
    assert (answer.status_code, answer.json()["code"]) == (422, "chat-silenced")


@pytest.mark.usefixtures("clock")
def test_the_sixth_line_within_seconds_waits(game: Game, ana: User) -> None:
    program = program_of(ana)
    statuses = [_say(program, game, str(number)) for number in range(6)]
    assert statuses == [201] * 5 + [429]


def test_a_room_closes_after_the_end_of_its_game(game: Game, ana: User) -> None:
    play.resign(game_id=game.pk, player=ana.player)
    program = program_of(ana)
    assert _say(program, game, "Thank you") == 201
    ended_at = database_time.now() - timedelta(days=3)
    Game.objects.filter(pk=game.pk).update(created_at=ended_at, ended_at=ended_at)
    assert _say(program, game, "Again?") == 422
