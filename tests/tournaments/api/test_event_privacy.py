"""Private events: their data are hidden from users without a part in them and without a code."""

from __future__ import annotations

import pytest

from tests.tournaments import shared_rows
from tests.tournaments.api import event_world
from tests.tournaments.api.conftest import Program, program_of
from tournaments.api import openapi
from tournaments.api.v1 import v1
from tournaments.models import Event, Game, User
from tournaments.services.accounts import players

_CODE = "red door"
_OF_EVENTS = [
    (method.upper(), row["x-example"]["path"].partition("?")[0])
    for method, path, row in openapi.operations(openapi.document(v1))
    if path.startswith("/api/v1/events/{")
]
_OF_GAMES = [
    (method.upper(), row["x-example"]["path"].partition("?")[0])
    for method, path, row in openapi.operations(openapi.document(v1))
    if path.startswith("/api/v1/games/{")
]


@pytest.fixture(scope="module", autouse=True)
def rows_of_file(transaction_of_file: None) -> Event:
    """A private event of Ana's, after its first round."""
    ana = players.sign_up(name="Ana", password="rayuela-1963")
    event = event_world.board_event(ana, "Secret", is_private=True, access_code=_CODE)
    event_world.close(event, ana)
    return event


private = shared_rows.part()
ana = shared_rows.part("organiser")


def _path(template: str, event: Event) -> str:
    entry = event.entries.order_by("pk").first()
    assert entry is not None
    for name, value in {
        "EVENT": event.slug,
        "ENTRY": str(entry.pk),
        "NUMBER": "1",
        "BOARD": "1",
        "GROUP": "1",
        "MEMBER": "1",
        "ACTION": "1",
        "PRIZE": "1",
        "CLAIM": "1",
    }.items():
        template = template.replace(f"${name}", value)
    return template


def test_there_is_something_to_hide() -> None:
    assert len(_OF_EVENTS) > 40


@pytest.mark.parametrize(("method", "template"), _OF_EVENTS)
def test_no_operation_tells_a_stranger_of_it(
    anybody: Program, private: Event, method: str, template: str
) -> None:
    stranger = program_of(players.sign_up(name="Stranger", password="rayuela-1963"))
    path = _path(template, private)
    nowhere = path.replace(private.slug, "nowhere")
    bodies: list[object] = [None, {}, {"listed": [], "number": 1, "reason": "x", "code": "wrong"}]
    for program in (anybody, stranger):
        for body in bodies if method != "GET" else [None]:
            answer = program(method, path, body, **{"If-Match": "*"})
            other = program(method, nowhere, body, **{"If-Match": "*"})
            assert answer.status_code >= 400
            assert answer.status_code == other.status_code, answer.content
            assert answer.json()["code"] == other.json()["code"]
            assert b"Secret" not in answer.content


@pytest.mark.parametrize(("method", "template"), _OF_GAMES)
def test_no_operation_tells_a_stranger_of_a_game_of_it(
    anybody: Program, private: Event, method: str, template: str
) -> None:
    stranger = program_of(players.sign_up(name="Stranger", password="rayuela-1963"))
    game = Game.objects.filter(pairing__event=private)[0]
    path, nowhere = (template.replace("$GAME", str(pk)) for pk in (game.pk, 98765432))
    bodies: list[object] = [
        None,
        {"move": "a1", "ply": 0},
        {"kind": "time"},
        {"act": "resume", "reason": "x"},
        {"result": "draw", "reason": "x"},
    ]
    for program in (anybody, stranger):
        for body in bodies if method != "GET" else [None]:
            answer, other = (program(method, each, body) for each in (path, nowhere))
            assert answer.status_code >= 400
            assert answer.status_code == other.status_code, answer.content
            assert answer.json()["code"] == other.json()["code"]


def test_the_code_opens_its_games(anybody: Program, private: Event, ana: User) -> None:
    path = f"/games/{Game.objects.filter(pairing__event=private)[0].pk}"
    assert anybody("GET", path).status_code == 404
    assert anybody("GET", path, **{"Event-Code": _CODE}).status_code == 200
    assert program_of(ana)("GET", path).status_code == 200
    assert anybody("GET", "/games").json()["items"] == []
    assert len(program_of(ana)("GET", "/games").json()["items"]) > 0


def test_lists_leave_it_out(anybody: Program, private: Event, ana: User, ben: User) -> None:
    assert anybody("GET", "/events").json()["items"] == []
    assert program_of(ben)("GET", "/events?q=secret").json()["items"] == []
    assert len(program_of(ana)("GET", "/events?mine=true").json()["items"]) == 1
    assert anybody("GET", "/events?mine=true").status_code == 401


def test_the_code_opens_it(anybody: Program, private: Event, ben: User) -> None:
    path = f"/events/{private.slug}"
    by_header = anybody("GET", path, **{"Event-Code": _CODE})
    assert by_header.status_code == 200
    assert by_header.json()["settings"]["access_code"] == ""
    assert anybody("GET", f"{path}/standings?code=red%20door").status_code == 200
    assert anybody("GET", path, **{"Event-Code": "red"}).status_code == 404
    program = program_of(ben)
    assert program("POST", f"{path}/enter", {"code": "red"}).status_code == 404
    assert program("POST", f"{path}/enter", {"code": _CODE}).status_code == 200
    assert program("GET", path).status_code == 200, "he takes part"


def test_drafts_are_for_the_staff(anybody: Program, ana: User, ben: User) -> None:
    event = event_world.board_event(ana, "Drafted")
    event_world.draft(event, ana)
    root = f"/events/{event.slug}"
    for program in (anybody, program_of(ben)):
        assert program("GET", f"{root}/rounds").json()["items"] == []
        assert program("GET", f"{root}/rounds/1").status_code == 404
        assert program("GET", f"{root}/rounds/1/boards/1/explanation").status_code == 404
        assert program("GET", root).json()["draft"] is None
    assert program_of(ana)("GET", f"{root}/rounds/1").json()["state"] == "draft"
