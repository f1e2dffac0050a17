"""The files of an event for spreadsheets, programs and calendars."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import shared_rows
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.services.results.scripted import play_rounds
from tournaments.models import Event, Game, Player, Round, User
from tournaments.queries.results import calendars, tables
from tournaments.services.arbiter import corrections
from tournaments.services.events import entries
from tournaments.services.results import event_document, sheets
from tournaments.services.rounds import lifecycle, rounds

EnterAll = Callable[..., None]

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def _played(ana: User, five: list[Player]) -> Event:
    """Two rounds of five, a bye in each, and the draft of a third."""
    event = event_of(ana, rounds_total=3, is_automatic=False, name="Club; Open, 2026")
    enter(event, *five)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 2)
    rounds.draft_round(event_id=event.pk)
    event.refresh_from_db()
    return event


rows_of_file = shared_rows.of_bots(("-SUM.A1", "Bo", "Cy", "Di", "Ed"), _played)
ana = shared_rows.part("ana")
five = shared_rows.part("entrants")
played = shared_rows.part("event")


def _rows(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_standings_are_those_of_the_page_and_no_formula(played: Event) -> None:
    rows = _rows(sheets.standings(played))
    table = tables.event_table(played)
    assert [row["number"] for row in rows] == [str(row.entry.tpn) for row in table.rows]
    assert [float(row["points"]) for row in rows] == [r.points_halves / 2 for r in table.rows]
    assert [row["BH/C1"] for row in rows] == [r.values[0] for r in table.rows]
    assert "'-SUM.A1" in {row["player"] for row in rows}


@given(st.text(max_size=8))
def test_no_text_of_a_cell_is_a_formula(text: str) -> None:
    *_, row = csv.reader(io.StringIO(sheets.text(["head"], [[text]]), newline=""))
    cell = row[0] if row else ""
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_the_crosstable_names_opponents_by_pairing_number(played: Event) -> None:
    rows = {row["number"]: row for row in _rows(sheets.crosstable(played))}
    pairing = played.pairings.get(round__number=1, board=1)
    game = pairing.games.get()
    first, second = str(pairing.first.tpn), str(pairing.second.tpn)
    results = ("1", "0") if game.result == "first" else ("0", "1")
    assert rows[first]["round 1"] == f"{second}w{results[0]}"
    assert rows[second]["round 1"] == f"{first}b{results[1]}"
    assert "pairing-bye" in {row["round 1"] for row in rows.values()}
    assert "round 3" not in rows[first]


def test_pairings_have_every_published_board_and_bye(played: Event) -> None:
    rows = _rows(sheets.pairings(played))
    assert [row["round"] for row in rows] == ["1", "1", "1", "2", "2", "2"]
    assert [row["first outcome"] for row in rows].count("pairing-bye") == 2
    points = sum(float(row["first points"]) + float(row["second points"] or 0) for row in rows)
    assert points == 6


def test_the_document_has_the_event_and_no_draft(played: Event, ana: User) -> None:
    game = Game.objects.filter(pairing__event=played, pairing__round__number=1).earliest("pk")
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="both said so")
    document = json.loads(event_document.text_of(played))
    assert document["schema"] == event_document.SCHEMA
    assert [round_["number"] for round_ in document["rounds"]] == [1, 2]
    assert {p["number"] for p in document["players"]} == {1, 2, 3, 4, 5}
    (correction,) = document["corrections"]
    assert (correction["round"], correction["after"]) == (1, "draw")
    outcomes = {b["first_outcome"] for r in document["rounds"] for b in r["pairings"]}
    assert "draw" in outcomes
    ranks = {row["number"]: row["rank"] for row in document["standings"]}
    assert ranks == {row.entry.tpn: row.rank for row in tables.event_table(played).rows}


@pytest.mark.long
def test_a_withdrawn_opponent_of_a_round_robin_is_named(five: list[Player], ana: User) -> None:
    event = event_of(ana, format="round-robin", is_automatic=False)
    enter(event, *five[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    play_rounds(event, 2)
    entries.withdraw(event_id=event.pk, player=five[1], actor=ana)
    play_rounds(event, 1)
    tpn = event.entries.get(player=five[1]).tpn
    assert [row["round 3"] for row in _rows(sheets.crosstable(event))].count(f"{tpn}+") == 1
    byes = event_document.document_of(event)["rounds"][2]["byes"]  # type: ignore[index]
    assert [(bye["kind"], bye["absent"]) for bye in byes] == [("forfeit-win", tpn)]


def _unfolded(text: str) -> list[str]:
    assert text.endswith("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")


def test_the_calendar_has_a_round_once_however_often_it_is_fetched(played: Event) -> None:
    Round.objects.filter(event=played, number=2).update(
        started_at=datetime(2026, 11, 27, 19, 30, tzinfo=UTC)
    )
    lines = _unfolded(calendars.rounds_of(played, NOW))
    identifiers = [line for line in lines if line.startswith("UID:")]
    assert len(set(identifiers)) == len(identifiers) == 2
    later = _unfolded(calendars.rounds_of(played, datetime(2027, 1, 1, tzinfo=UTC)))
    assert [line for line in later if line.startswith("UID:")] == identifiers
    assert "DTSTART:20261127T193000Z" in lines
    assert "DTSTAMP:20261122T120000Z" in lines
    assert "SUMMARY:Club\\; Open\\, 2026: 1/3" in lines


@pytest.mark.parametrize("name", ["Ñandú " * 12, "名人戦" * 20, "a\\b\nc"])
def test_lines_of_a_calendar_are_folded_between_characters(played: Event, name: str) -> None:
    Event.objects.filter(pk=played.pk).update(name=name[:80])
    played.refresh_from_db()
    lines = _unfolded(calendars.rounds_of(played, NOW))
    escaped = name[:80].replace("\\", "\\\\").replace("\n", "\\n")
    assert f"X-WR-CALNAME:{escaped}" in lines


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("standings.csv", "text/csv; charset=utf-8"),
        ("crosstable.csv", "text/csv; charset=utf-8"),
        ("pairings.csv", "text/csv; charset=utf-8"),
        ("event.json", "application/json"),
        ("rounds.ics", "text/calendar; charset=utf-8"),
    ],
)
def test_every_file_is_on_the_page_of_the_event(
    played: Event, client: Client, file: str, kind: str
) -> None:
    address = f"/events/{played.slug}/{file}"
    assert address in client.get(played.get_absolute_url()).content.decode()
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, kind)
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{played.slug}')
    assert client.get(f"/events/nobody/{file}").status_code == 404


def test_a_pool_has_the_files_that_need_no_rounds(
    five: list[Player], ana: User, client: Client
) -> None:
    event = event_of(ana, format="arena", duration_s=3600, admits="bots")
    enter(event, *five)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    files = {"standings.csv": 200, "pairings.csv": 200, "event.json": 200, "crosstable.csv": 404}
    for file, status in {**files, "rounds.ics": 404, "report-trf16.trf": 404}.items():
        assert client.get(f"/events/{event.slug}/{file}").status_code == status, file
