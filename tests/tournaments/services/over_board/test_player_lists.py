"""Lists of players: what is read from each form of a list, and what is wrong with its rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.services.errors import RefusedError
from tournaments.services.events import player_lists
from tournaments.services.events.player_lists import ListedPlayer, Problem

REPORT = """\
012 Club Open
001    1 m  g Alba Ruiz                         2105 ESP     2212345 1990         1.0    1     2 w 1
001    2      Sá, Bruno                         1980 POR                          0.0    2     1 b 0
"""


@pytest.mark.parametrize(
    ("text", "players"),
    [
        pytest.param(
            "Alba Ruiz\n\n  Sá,  Bruno \n",
            [ListedPlayer("Alba Ruiz"), ListedPlayer("Sá, Bruno")],
            id="names",
        ),
        pytest.param(
            "Alba Ruiz; 2105; esp; Club Uno; 2212345; W\nBruno;;;;;U18\n",
            [
                ListedPlayer("Alba Ruiz", 2105, "ESP", "Club Uno", "2212345", "W"),
                ListedPlayer("Bruno", category="U18"),
            ],
            id="semicolons",
        ),
        pytest.param(
            "Alba Ruiz\t2105\nBruno\t0",
            [ListedPlayer("Alba Ruiz", 2105), ListedPlayer("Bruno")],
            id="tabs",
        ),
        pytest.param(
            '\ufeffFIDE-ID,"Last Name",First Name,Féd,Elo\r\n2212345,Ruiz,Alba,ESP,2105\r\n,"Sá, x",,---,\r\n',
            [
                ListedPlayer("Ruiz, Alba", 2105, "ESP", fide_id="2212345"),
                ListedPlayer("Sá, x"),
            ],
            id="csv",
        ),
        pytest.param("氏名;レート\n石田;1800", [ListedPlayer("石田", 1800)], id="japanese"),
        pytest.param(
            REPORT,
            [
                ListedPlayer("Alba Ruiz", 2105, "ESP", fide_id="2212345"),
                ListedPlayer("Sá, Bruno", 1980, "POR"),
            ],
            id="trf",
        ),
    ],
)
def test_every_form_of_a_list_is_read(text: str, players: list[ListedPlayer]) -> None:
    player_list = player_lists.read(text)
    assert not player_list.problems
    assert list(player_list.players.values()) == players


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (";1800", Problem.NO_NAME),
        ("x" * 41, Problem.NAME_LONG),
        ("A\u202eb", Problem.NAME_CHARACTERS),
        ("...", Problem.NAME_CHARACTERS),
        ("Alba;strong", Problem.RATING),
        ("Alba;4001", Problem.RATING),
        ("Alba;1800;Spain", Problem.FEDERATION),
        ("Alba;1800;ESP;" + "x" * 61, Problem.CLUB_LONG),
        ("Alba;1800;ESP;Club;12a", Problem.FIDE_ID),
        ("Alba;1800;ESP;Club;12;" + "x" * 21, Problem.CATEGORY_LONG),
        ("Alba;1800;ESP;Club;12;W;more", Problem.COLUMNS),
        ('"Alba' + "x" * 140_000, Problem.BROKEN),
    ],
)
def test_what_is_wrong_has_its_line_and_others_are_read(row: str, problem: Problem) -> None:
    player_list = player_lists.read(f"Bruno;1800\n{row}\n")
    assert [(wrong.line, wrong.problem) for wrong in player_list.problems] == [(2, problem)]
    assert list(player_list.players) == [1]


def test_every_broken_line_of_a_report_is_named() -> None:
    lines = REPORT.splitlines()
    broken = "\n".join([lines[0], lines[1].replace("2105", "21x5"), lines[2], "XYZ nothing"])
    player_list = player_lists.read(broken)
    assert [row.line for row in player_list.problems] == [2, 4]
    assert list(player_list.players) == [3]


def test_same_names_are_marked() -> None:
    rows = player_lists.read("Alba\nBRUNO\nalba", entered={"Bruno"}).rows
    assert [row.same_as for row in rows] == [None, 0, 1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_usual_encoding_is_read(encoding: str) -> None:
    assert player_lists.decoded("Sá – Bruno".encode(encoding)) == "Sá – Bruno"


@pytest.mark.parametrize(
    ("text", "code"),
    [("  \n", "list-empty"), ("Alba\n" * 2001, "list-large"), ("x" * 400_001, "list-large")],
)
def test_no_list_and_too_long_a_list_are_refused(text: str, code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        player_lists.read(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        player_list = player_lists.read(text)
    except RefusedError:
        return
    for player in player_list.players.values():
        assert player_lists.checked(player) == player
