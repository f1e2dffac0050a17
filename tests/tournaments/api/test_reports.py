"""Reports to the moderators by the API."""

from __future__ import annotations

from tests.tournaments import puzzle_rows
from tests.tournaments.api import event_world
from tests.tournaments.api.conftest import program_of
from tournaments import database_time
from tournaments.models import ChatLine, ChatReport, Game, PlayerReport, PuzzleReport, User
from tournaments.services.accounts import players
from tournaments.services.games import chat
from tournaments.services.puzzles import tries


def test_a_player_is_reported_once_while_the_report_is_open(ana: User, ben: User) -> None:
    program, path = program_of(ana), f"/players/{ben.player.pk}/report"
    answer = program("POST", path, {"text": "Insults"})
    assert answer.status_code == 201
    row = PlayerReport.objects.get(reporter=ana.player)
    assert (row.pk, row.reported, row.text) == (answer.json()["id"], ben.player, "Insults")
    again = program("POST", path, {"text": "Insults"})
    assert (again.status_code, again.json()["code"]) == (422, "reported-already")


def test_a_line_is_reported_by_a_reader_of_its_room_alone(game: Game, ana: User, ben: User) -> None:
    line = chat.say(game_id=game.pk, player=ben.player, text="Rude")
    path = f"/chat/{line.pk}/report"
    first, second = (program_of(ana)("POST", path).json()["id"] for _ in range(2))
    assert first == second == ChatReport.objects.get(line=line).pk
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    refused = program_of(cleo)("POST", path)
    assert (refused.status_code, refused.json()["code"]) == (403, "chat-elsewhere")
    own = program_of(ben)("POST", path)
    assert (own.status_code, own.json()["code"]) == (422, "not-yourself-report")


def test_a_line_of_a_private_event_needs_its_code(ana: User, ben: User) -> None:
    event = event_world.board_event(
        ana, "Private", is_private=True, access_code="sesame", chat="members"
    )
    line = ChatLine.objects.create(
        event=event, room="event", author=ana.player, text="Rude", made_at=database_time.now()
    )
    program, path = program_of(ben), f"/chat/{line.pk}/report"
    assert program("POST", path).status_code == 404
    assert program("POST", path, **{"Event-Code": "sesame"}).status_code == 201


def test_a_puzzle_is_reported_after_a_try(ana: User) -> None:
    puzzle = puzzle_rows.stored()
    program, path = program_of(ana), f"/puzzles/{puzzle.pk}/report"
    refused = program("POST", path, {"text": "Two moves win."})
    assert (refused.status_code, refused.json()["code"]) == (422, "puzzle-untried")
    tries.note(ana.player, puzzle.pk, is_solved=True)
    answer = program("POST", path, {"text": "Two moves win."})
    assert answer.json()["id"] == PuzzleReport.objects.get(puzzle=puzzle).pk
