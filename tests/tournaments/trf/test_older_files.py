"""Files of older programs: rulers, byes written as results, and teams in records 013."""

from __future__ import annotations

import pytest

from tournaments import trf
from tournaments.trf.older import Adjustment, adjusted

PLAYER = "001    2 m  m Orr,Mark                          2258 IRL     2500035 1955.11.09  2.5    1"


@pytest.mark.parametrize(
    ("sign", "code"), [("1", "F"), ("=", "H"), ("0", "Z"), ("+", "+"), ("-", "-")]
)
def test_a_result_without_an_opponent_is_a_bye_of_its_worth(sign: str, code: str) -> None:
    older = adjusted(f"{PLAYER}     1 w 1  0000 - {sign}\n")
    assert older.text == f"{PLAYER}     1 w 1  0000 - {code}\n"
    assert older.lines == ({Adjustment.BYE: [1]} if sign != code else {})


@pytest.mark.parametrize(
    "ruler",
    [
        "         1         2         3",
        "0123456789012345678901234567890123456789",
        "DDD SSSS sTTT NNNNNNNNNNNNNNNNN RRRR FFF",
    ],
)
def test_lines_that_name_columns_are_left_out(ruler: str) -> None:
    older = adjusted(f"012 Open\n{ruler}\n\n062 4\n")
    assert older.text == "012 Open\n\n\n062 4\n"
    assert older.lines == {Adjustment.RULER: [2]}


TEAMS = """\
012 Liga
092 Team Swiss System
001    1      Alba                              2000                             1.0    1     2 w 1
001    2      Bruno                             1900                             0.0    2     1 b 0
013 Torre                              1
013 Alfil                              2
"""


def test_teams_of_an_older_file_are_records_of_teams() -> None:
    older = adjusted(TEAMS)
    assert older.lines == {Adjustment.TEAM: [5, 6]}
    teams = trf.read(older.text).team_records.teams
    assert [(team.name, tuple(team.members)) for team in teams] == [
        ("Torre", (1,)),
        ("Alfil", (2,)),
    ]
    # A file of individuals keeps its records, and so does a file with records of its teams.
    assert adjusted(TEAMS.replace("092 Team", "092")).lines == {}
    assert adjusted(f"{TEAMS}310   1 Torre\n").lines == {}
