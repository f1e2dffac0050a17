"""Lists of players in spreadsheets: read as tables, and refused where they are no plain tables."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.over_board import event_of
from tests.tournaments.pages import member, text_of
from tournaments.errors import RefusedError
from tournaments.models import User
from tournaments.queries.events import player_lists
from tournaments.queries.events.player_lists import ListedPlayer, spreadsheets

BIRTHDAY = datetime(1990, 5, 17)  # noqa: DTZ001 - spreadsheets know no zone
ROWS = (
    ("Open of the club",),
    (),
    ("No.", "Name", "Rtg", "FED", "Birthday", "Club", "Phone"),
    (1, "Ruiz, Alba", 2105.0, "ESP", BIRTHDAY, 'Torre; "A"', "1"),
    (2, "Sá, Bruno", None, "POR", date(2001, 1, 2), None, "2"),
)
PLAYERS = [
    ListedPlayer("Ruiz, Alba", 2105, "ESP", 'Torre; "A"', birth="1990-05-17"),
    ListedPlayer("Sá, Bruno", None, "POR", birth="2001-01-02"),
]


def _book(*sheets: tuple[tuple[object, ...], ...]) -> bytes:
    book = openpyxl.Workbook()
    for number, rows in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        assert sheet is not None
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


BOOK = _book(ROWS)


def _changed(name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return the book with another content of one member, which may be new."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(BOOK)) as old, zipfile.ZipFile(file, "w") as new:
        names = {*old.namelist(), name}
        for each in sorted(names):
            content = old.read(each) if each in old.namelist() else b""
            new.writestr(each, change(content) if each == name else content)
    return file.getvalue()


def test_a_sheet_is_read_as_a_table_is() -> None:
    player_list = player_lists.read(player_lists.decoded(BOOK))
    assert list(player_list.players.values()) == PLAYERS
    assert list(player_list.unused or ()) == ["No.", "Phone"]
    assert player_list.above == 1


def test_the_first_sheet_with_cells_counts() -> None:
    text = player_lists.decoded(_book((), (("Name", "Elo"), ("Alba", 1800)), (("Kim",),)))
    assert list(player_lists.read(text).players.values()) == [ListedPlayer("Alba", 1800)]


def test_a_sheet_may_state_a_wrong_size() -> None:
    huge = _changed(
        "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b'ref="A1:G5"', b'ref="A1:XFD1048576"')
    )
    assert huge != BOOK
    assert list(player_lists.read(player_lists.decoded(huge)).players.values()) == PLAYERS


SHEET = "xl/worksheets/sheet1.xml"
BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><worksheet>&b;</worksheet>'


@pytest.mark.parametrize(
    ("upload", "code"),
    [
        pytest.param(b"PK\x03\x04 and no more", "list-sheet", id="a broken ZIP file"),
        pytest.param(_changed("xl/workbook.xml", lambda _: b"<"), "list-sheet", id="broken XML"),
        pytest.param(_changed(SHEET, lambda _: BOMB), "list-sheet", id="entities"),
        pytest.param(
            _changed(SHEET, lambda _: BOMB.decode().encode("utf-16")), "list-sheet", id="UTF-16"
        ),
        pytest.param(_changed("xl/vbaProject.bin", lambda _: b"x"), "list-macros", id="macros"),
        pytest.param(_changed("a/b.txt", lambda _: b"x" * 30_000_000), "list-large", id="a bomb"),
        pytest.param(_book((("Name",), *[("Alba",)] * 2_200)), "list-large", id="rows"),
    ],
)
def test_a_file_that_is_no_plain_table_is_refused(upload: bytes, code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        player_lists.decoded(upload)


@given(at=st.integers(0, len(BOOK) - 1), value=st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused(at: int, value: int) -> None:
    damaged = BOOK[:at] + bytes([value]) + BOOK[at + 1 :]
    with suppress(RefusedError):
        assert isinstance(spreadsheets.text_of(damaged), str)


def test_the_preview_of_a_sheet_leads_to_its_entries(ana: User) -> None:
    event, client = event_of(ana), member(ana)
    upload = SimpleUploadedFile("list.xlsx", BOOK)
    address = reverse("event-entries-preview", args=[event.slug])
    page = client.post(address, {"upload": upload}).content.decode()
    assert "Columns not used: No., Phone." in text_of(page.encode())
    text = player_lists.decoded(BOOK)
    form = {"text": text, "lines": [4, 5]}
    client.post(reverse("event-entries-confirm", args=[event.slug]), form)
    assert list(event.entries.values_list("player__name", flat=True)) == ["Ruiz, Alba", "Sá, Bruno"]


def test_a_report_names_the_records_that_are_not_read() -> None:
    report = (
        "012 Open\n042 2026/05/01\n"
        f"001    1 wWGM {'Ruiz, Alba':<33} 2105 ESP {'2212345':>11} 1990/00/00  0.0    1\n"
    )
    player_list = player_lists.read(report)
    assert list(player_list.unused or ()) == ["001:81–", "012", "042"]
    assert not player_list.problems
