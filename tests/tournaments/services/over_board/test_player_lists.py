"""Lists of players: the values read from each form of a list, and the faults of its rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.errors import RefusedError
from tournaments.queries.events import duplicates, player_lists
from tournaments.queries.events.player_lists import ListedPlayer, Problem

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
                ListedPlayer(
                    *("Alba Ruiz", 2105, "ESP"),
                    fide_id="2212345",
                    title="GM",
                    sex="m",
                    birth="1990",
                ),
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


# Headings as these programs and federations write them.
FEXERJ = (
    "ID_No;Name;Fed;Sex;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int;Title;Type;Status;K"
)
SWISS_MANAGER = "ID_No;Name;Title;ID_FIDE;Elo_nat;Elo_int;Birthday;Fed;Sex;Type;Club"


@pytest.mark.parametrize(
    ("text", "player", "unused"),
    [
        pytest.param(
            f"{FEXERJ}\n4711;Ruiz, Alba;BRA;w;12;Clube Uno;1990;2050;2212345;2105;WFM;;;20\n",
            ListedPlayer(
                *("Ruiz, Alba", 2105, "BRA", "Clube Uno", "2212345"),
                title="WFM",
                sex="w",
                birth="1990",
                national_elo=2050,
                national_id="4711",
            ),
            ["Clubnumber", "Status", "K"],
            id="federation",
        ),
        pytest.param(
            f"{FEXERJ}\n4711;Ruiz, Alba;BRA;w;12;Clube Uno;1990;2050;0;0;;;;20\n",
            ListedPlayer(
                *("Ruiz, Alba", None, "BRA", "Clube Uno"),
                sex="w",
                birth="1990",
                national_elo=2050,
                national_id="4711",
            ),
            ["Clubnumber", "Status", "K"],
            id="federation, national rating only",
        ),
        pytest.param(
            f"{SWISS_MANAGER}\n4711;Ruiz,Alba;;2212345;2050;2105;1990/01/01;ESP;w;U18;Club Uno\n",
            ListedPlayer(
                *("Ruiz,Alba", 2105, "ESP", "Club Uno", "2212345", "U18"),
                sex="w",
                birth="1990-01-01",
                national_elo=2050,
                national_id="4711",
            ),
            [],
            id="Swiss-Manager",
        ),
        pytest.param(
            "Name;FIDE-ID;FIDE;NAT;Fed\nRUIZ Alba;2212345;2105;2050;ESP\n",
            ListedPlayer("RUIZ Alba", 2105, "ESP", fide_id="2212345", national_elo=2050),
            [],
            id="Vega",
        ),
        pytest.param(
            "Name;FIDE;NAT\nRUIZ Alba;2212345;ESP\n",
            ListedPlayer("RUIZ Alba", None, "ESP", fide_id="2212345"),
            [],
            id="NAT is a federation, FIDE a number",
        ),
        pytest.param(
            "Nr.;;Name;FideID;Land;EloI;EloN;Verein/Ort\n1;FM;Ruiz Alba;2212345;ESP;0;2050;SK Uno\n",
            ListedPlayer(
                *("Ruiz Alba", None, "ESP", "SK Uno", "2212345"), title="FM", national_elo=2050
            ),
            ["Nr."],
            id="chess-results, German",
        ),
        pytest.param(
            "ID Number;Name;Fed;Sex;Tit;SRtg;SGm;SK;B-day\n2212345;Ruiz, Alba;ESP;F;;2105;0;20;1990\n",
            ListedPlayer(*("Ruiz, Alba", 2105, "ESP"), fide_id="2212345", sex="w", birth="1990"),
            ["SGm", "SK"],
            id="FIDE",
        ),
        pytest.param(
            "Name,Vorname,DWZ\nRuiz,Alba,1800\n",
            ListedPlayer("Ruiz, Alba", national_elo=1800),
            [],
            id="Name is a surname",
        ),
        pytest.param(
            "Rank,Title,Username,Rating,Points,Tie Break,Performance\n1,FM,alba,2105,5,20.5,2200\n",
            ListedPlayer("alba", 2105, title="FM"),
            ["Rank", "Points", "Tie Break", "Performance"],
            id="lichess",
        ),
        pytest.param(
            '{"rank":1,"username":"alba","rating":2105,"title":"FM","performance":2200}\n',
            ListedPlayer("alba", 2105, title="FM"),
            ["performance", "rank"],
            id="lichess, NDJSON",
        ),
        pytest.param(
            "ID;Name;Elo\n2212345;Ruiz Alba;1800\n",
            ListedPlayer("Ruiz Alba", 1800, fide_id="2212345"),
            [],
            id="the only number",
        ),
    ],
)
def test_columns_of_the_usual_programs_are_read_and_the_others_named(
    text: str, player: ListedPlayer, unused: list[str]
) -> None:
    player_list = player_lists.read(text)
    assert list(player_list.players.values()) == [player]
    assert player_list.unused == unused


def test_a_line_that_is_no_object_has_its_line() -> None:
    player_list = player_lists.read('{"username":"alba"}\n{"username":\n[1]\n')
    assert [(row.line, row.problem) for row in player_list.problems] == [
        (2, Problem.BROKEN),
        (3, Problem.BROKEN),
    ]
    assert [player.name for player in player_list.players.values()] == ["alba"]


def test_lines_above_a_table_are_left_out() -> None:
    """Chess-results puts the event and a date above its tables."""
    text = (
        "From the Tournament-Database of Chess-Results https://chess-results.com\n"
        "Open Uno 2026\nLast update 24.11.2026 18:00:00\n\nStarting rank\n"
        "No.;;Name;FideID;FED;Rtg;Club/City\n1;GM;Ruiz, Alba;2212345;ESP;2105;Club Uno\n"
    )
    player_list = player_lists.read(text)
    assert player_list.above == 4
    assert list(player_list.players) == [7]
    assert player_list.players[7] == ListedPlayer(
        *("Ruiz, Alba", 2105, "ESP", "Club Uno", "2212345"), title="GM"
    )


@pytest.mark.parametrize(
    ("line", "player"),
    [
        ("Rossi Mario 1850 ITA", ListedPlayer("Rossi Mario", 1850, "ITA")),
        ("3. Rossi, Mario ITA 1850", ListedPlayer("Rossi, Mario", 1850, "ITA")),
        ("10) Rossi Mario; 1850", ListedPlayer("Rossi Mario", 1850)),
        ("1. Kim LEE", ListedPlayer("Kim LEE")),
        ("Rossi Mario 950", ListedPlayer("Rossi Mario", 950)),
        ("Kim LEE", ListedPlayer("Kim LEE")),
        ("Kim LEE 1850", ListedPlayer("Kim LEE", 1850)),
        ("Player 12", ListedPlayer("Player 12")),
        ("R2D2 1850", ListedPlayer("R2D2 1850")),
    ],
)
def test_a_line_as_people_write_it_has_name_rating_and_federation(
    line: str, player: ListedPlayer
) -> None:
    assert list(player_lists.read(line).players.values()) == [player]


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


@pytest.mark.parametrize(
    ("column", "cell", "problem"),
    [
        ("Title", "Grandmaster", Problem.TITLE),
        ("Sex", "x", Problem.SEX),
        ("Birthday", "31.02.1990", Problem.BIRTH),
        ("Birthday", "yesterday", Problem.BIRTH),
        ("Rtg_Nat", "5000", Problem.RATING),
        ("ID_No", "x" * 21, Problem.NATIONAL_ID),
    ],
)
def test_a_wrong_cell_of_personal_data_has_its_line(
    column: str, cell: str, problem: Problem
) -> None:
    player_list = player_lists.read(f"Name;{column}\nBruno;\nAlba;{cell}\n")
    assert [(wrong.line, wrong.problem) for wrong in player_list.problems] == [(3, problem)]


@pytest.mark.parametrize(
    ("cell", "birth"),
    [
        ("17.05.1990", "1990-05-17"),
        ("1990/05/17", "1990-05-17"),
        ("1990-05-17", "1990-05-17"),
        ("1990/00/00", "1990"),
        ("00.00.1990", "1990"),
        ("1990", "1990"),
        ("0", ""),
        ("00.00.0000", ""),
    ],
)
def test_a_birth_date_is_read_as_programs_write_it(cell: str, birth: str) -> None:
    (player,) = player_lists.read(f"Name;Birthday\nAlba;{cell}\n").players.values()
    assert player.birth == birth


@pytest.mark.parametrize(("cell", "title"), [("g", "GM"), ("wf", "WFM"), ("fm", "FM"), ("-", "")])
def test_a_title_is_read_in_its_older_forms(cell: str, title: str) -> None:
    (player,) = player_lists.read(f"Name;Title\nAlba;{cell}\n").players.values()
    assert player.title == title


def test_every_broken_line_of_a_report_is_named() -> None:
    lines = REPORT.splitlines()
    broken = "\n".join([lines[0], lines[1].replace("2105", "21x5"), lines[2], "XYZ nothing"])
    player_list = player_lists.read(broken)
    assert [row.line for row in player_list.problems] == [2, 4]
    assert list(player_list.players) == [3]


def test_same_names_are_marked() -> None:
    rows = player_lists.read("Alba\nBRUNO\nalba", entered=[duplicates.keys("Bruno")]).rows
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
