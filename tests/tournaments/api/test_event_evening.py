"""A club evening of twelve players over the board, which a program runs from the first name to the report."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tournaments import trf
from tournaments.models import Event, Pairing, User
from tournaments.queries.arbiter import round_verification

_LIST = "\n".join(
    f"Player {letter}; {2100 - 50 * number}" for number, letter in enumerate("ABCDEFGHIJKL")
)


_SIDES = ("first", "second")


class Desk:
    """An organiser's program at one event. An unexpected answer ends the test."""

    def __init__(self, program: Program, slug: str) -> None:
        self.program = program
        self._root = f"/events/{slug}"

    def get(self, path: str = "") -> Any:
        response = self.program("GET", self._root + path)
        assert response.status_code == 200, response.content
        return response.json()

    def do(self, path: str, body: object = None, method: str = "POST", **headers: str) -> Any:
        response = self.program(method, self._root + path, body, **headers)
        assert response.status_code in {200, 201, 204}, (path, response.content)
        return response.json() if response.content else None

    def refusal(self, path: str, body: object = None, method: str = "POST") -> tuple[int, str]:
        response = self.program(method, self._root + path, body)
        return response.status_code, response.json()["code"]

    def results(self, number: int, result: str = "first") -> None:
        for board in self.get(f"/rounds/{number}")["boards"]:
            path = f"/rounds/{number}/boards/{board['board']}/result"
            self.do(path, {"result": result, "before": None}, "PUT")

    def round(self, number: int) -> None:
        """A whole round, in which the first sides win."""
        self.do("/rounds", {"number": number})
        self.do(f"/rounds/{number}/publish", {})
        self.results(number)
        self.do(f"/rounds/{number}/close")


@pytest.fixture
def desk(ana: User) -> Desk:
    program = program_of(ana, "read", "events:write")
    body = {
        "name": "Evening",
        "ruleset": "morlox(size=5)",
        "is_over_the_board": True,
        "rounds_total": 5,
        "most_half_byes": 1,
    }
    response = program("POST", "/events", body)
    assert response.status_code == 201, response.content
    assert response["Location"] == "/api/v1/events/evening"
    return Desk(program, "evening")


@pytest.mark.long
def test_a_program_runs_an_evening(desk: Desk) -> None:
    preview = desk.do("/entries?dry_run=true", {"text": _LIST})
    assert [line["name"] for line in preview["lines"]][:2] == ["Player A", "Player B"]
    assert desk.get("/entries")["items"] == []
    table = desk.do("/entries?dry_run=true", {"text": "No.;Name;Elo\n1;Player A;2000"})
    assert (table["unused_columns"], preview["unused_columns"]) == (["No."], [])
    entered = desk.do("/entries", {"text": _LIST}, **{"Idempotency-Key": "the list"})
    assert len(entered["entries"]) == 12
    assert desk.do("/entries", {"text": _LIST}, **{"Idempotency-Key": "the list"}) == entered

    tag = desk.program("GET", "/events/evening")["ETag"]
    change = {"rounds_total": 4}
    changed = desk.do("?dry_run=true", change, "PATCH", **{"If-Match": tag})
    assert [each["setting"] for each in changed["changes"]] == ["rounds_total"]
    assert changed["effects"]
    assert desk.get()["settings"]["rounds_total"] == 5
    desk.do("", change, "PATCH", **{"If-Match": tag})
    assert desk.get()["settings"]["rounds_total"] == 4

    desk.do("/steps", {"step": "start"})
    assert desk.refusal("/rounds", {"number": 2}) == (409, "round-other")
    _edit_a_draft(desk)
    desk.do("/rounds/1/publish", {})
    assert desk.refusal("/rounds/1/close") == (422, "results-missing")
    desk.results(1)
    _take_the_round_back(desk)
    path = "/rounds/1/boards/1/result"
    assert desk.refusal(path, {"result": "draw", "before": None}, "PUT") == (409, "result-other")
    first, second = (desk.get("/rounds/1")["boards"][0][side]["number"] for side in _SIDES)
    for _ in range(2):  # the same request twice is done once
        desk.do(path, {"result": "second", "first": second}, "PUT")
    assert desk.get("/rounds/1")["boards"][0]["first"]["number"] == second
    desk.do(path, {"result": "first", "first": first}, "PUT")
    assert desk.do(path, {"result": "draw", "before": "first"}, "PUT")["missing"] == 0
    desk.do("/rounds/1/close")
    assert desk.get("/standings")["items"][0]["points_halves"] == 2

    bye = desk.get("/entries")["items"][11]["entry"]
    bye_act = {"act": "bye", "round": 2, "kind": "half", "reason": "Comes late."}
    desk.do(f"/entries/{bye}/acts", bye_act)
    desk.round(2)
    kinds = {each["kind"] for each in desk.get("/rounds/2")["byes"]}
    assert kinds == {"half-bye", "pairing-bye"}
    withdrawn_entry = desk.get("/entries")["items"][10]["entry"]
    desk.do(f"/entries/{withdrawn_entry}/acts", {"act": "withdraw", "reason": "Ill."})
    desk.round(3)
    seats = {board[side]["entry"] for board in desk.get("/rounds/3")["boards"] for side in _SIDES}
    assert withdrawn_entry not in seats

    _correct_two_rounds_back(desk)
    desk.round(4)
    assert desk.get()["state"] == "finished"
    _look_at_the_end(desk)


def _take_the_round_back(desk: Desk) -> None:
    tried = desk.do("/rounds/1/take-back?dry_run=true", {"reason": "a wrong list"})
    assert [each["board"] for each in tried["typed_results"]] == [1, 2, 3, 4, 5, 6]
    assert desk.get("/rounds/1")["state"] == "published"
    desk.do("/rounds/1/take-back", {"reason": "a wrong list"})
    desk.do("/rounds/1/edits", {"kind": "flip", "board": 6})
    boards = [each["board"] for each in desk.get("/rounds/1")["typed_results"]]
    assert boards == [1, 2, 3, 4, 5, None]
    desk.do("/rounds/1/edits", {"kind": "flip", "board": 6})
    assert desk.do("/rounds/1/publish", {})["missing"] == 0


def _edit_a_draft(desk: Desk) -> None:
    dry = desk.do("/rounds?dry_run=true", {"number": 1})
    assert len(dry["round"]["boards"]) == 6
    assert desk.get()["draft"] is None
    drafted = desk.do("/rounds", {"number": 1})["round"]
    assert drafted["boards"] == dry["round"]["boards"]
    assert desk.refusal("/rounds", {"number": 1}) == (409, "round-open")
    one, two = (drafted["boards"][n]["first"]["number"] for n in (0, 1))
    swap = {"kind": "swap", "tpn": one, "other": two}
    tried = desk.do("/rounds/1/edits?dry_run=true", swap)
    assert tried["objections"]
    assert {"tpn", "reason"} <= set(tried["objections"][0])
    assert desk.get("/rounds/1")["edits"] == 0
    edited = desk.do("/rounds/1/edits", swap)
    assert edited == tried
    assert [board["is_by_hand"] for board in desk.get("/rounds/1")["boards"]][:2] == [True, True]
    assert desk.get("/rounds/1/boards/1/explanation")["objections"]
    explanation = desk.get("/rounds/1/boards/3/explanation")
    assert [each["tpn"] for each in explanation["players"]]
    assert explanation["bracket"]["criteria"]
    line = next(each for each in desk.get("/log")["items"] if each["action"] == "draft")
    assert line["may_be_undone"]
    desk.do(f"/log/{line['id']}/undo", {"reason": "A name was missing."})
    assert desk.get()["draft"] is None
    desk.do("/rounds", {"number": 1})


def _correct_two_rounds_back(desk: Desk) -> None:
    game = desk.get("/rounds/1")["boards"][1]["games"][0]
    assert game["result"] == "first"
    body = {"result": "second", "reason": "The slip says so."}
    before = desk.get("/standings")
    path, program = f"/games/{game['id']}/correction", desk.program
    dry = program("POST", f"{path}?dry_run=true", body).json()
    assert dry["consequences"]["standings"]
    assert dry["consequences"]["doubtful_rounds"][0]["round"] == 2
    assert desk.get("/standings") == before
    assert program("POST", path, body).json()["after"] == "second"
    after = {row["entry"]: row["points_halves"] for row in desk.get("/standings")["items"]}
    for change in dry["consequences"]["standings"]:
        assert after[change["entry"]] == change["after"]["points_halves"]
    assert desk.get("/rounds/1")["boards"][1]["games"][0]["is_corrected"]
    line = next(each for each in desk.get("/log")["items"] if each["action"] == "correct")
    desk.do(f"/log/{line['id']}/undo", {"reason": "It was right."})
    assert desk.get("/standings") == before


def _look_at_the_end(desk: Desk) -> None:
    rows = desk.get("/standings")["items"]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    opened = desk.get(f"/standings/{rows[0]['number']}")
    assert opened["values"][0]["name"] == "PTS"
    for value in opened["values"][1:]:
        assert value["value"] == next(
            (each["value"] for each in rows[0]["tie_breaks"] if each["name"] == value["name"]),
            value["value"],
        )
    cross = desk.get("/crosstable")["items"]
    assert sum(cell["points_halves"] for cell in cross[0]["cells"]) == rows[0]["points_halves"]
    text = desk.program("GET", "/events/evening/export/trf").content.decode()
    assert trf.faults(text) == []
    assert len(trf.read(text).players) == 12
    report = {"text": text, "ruleset": "morlox(size=5)", "goes_on": False}
    dry = desk.program("POST", "/events/import?dry_run=true", report).json()
    assert (dry["faults"], dry["players"], dry["rounds"]) == ([], 12, 4)
    head = f"222 90m\n{text}"
    other = desk.program("POST", "/events/import?dry_run=true", {**report, "text": head}).json()
    assert (set(other["not_kept"]) - set(dry["not_kept"]), dry["doubts"]) == ({"222"}, [])
    done = desk.program("POST", "/events/import", report)
    assert done.status_code == 201, done.content
    assert done.json()["event"]["state"] == "finished"
    assert desk.get("/export/json")["event"]["name"] == "Evening"
    event = Event.objects.get(slug="evening")
    for round_ in event.rounds.all():
        assert round_verification.verify(round_).is_confirmed
    assert Pairing.objects.filter(event=event, games__isnull=True).count() == 0
