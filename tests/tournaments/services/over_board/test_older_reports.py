"""Report files of older programs: TRF06 with rulers and byes as results, teams in records 013."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tournaments.models import Event, User
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.results import reports, standings
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice

# As Swiss-Manager and the tools of the Irish Chess Union wrote files before 2016.
TRF06 = """\
012 Las Vegas National Open
022 Las Vegas
032 USA
042 2008-06-07
052 2008.06.10
092 Swiss
102 Hans Scmidt
122 60 in 2hr, rest in 1hr

         1         2         3         4         5         6         7         8         9        10
0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789
DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1
001    1 w    Ui Laighleis,Gearoidin            1985 IRL     2501171 1964-06-10  2.0    2     2 b 0     3 w +     4 b 1
001    2 m  m Orr,Mark                          2258 IRL     2500035 1955.11.09  2.5    1     1 w 1  0000 - =     3 b 1
001    3 m  g Bologan,Viktor                    2663 MDA    13900048 1971-01-01  0.0    4               1 b -     2 w 0
001    4   wg Cramling,Pia                      2500 SWE     1700030 1963-04-23  1.5    3  0000 - +  0000 - =     1 w 0
"""


def test_a_file_of_2006_is_read_and_its_adjustments_are_named(ana: User) -> None:
    foreign = foreign_reports.read(TRF06)
    assert foreign.problems == []
    assert foreign.adjustments == {"ruler": [10, 11, 12], "bye": [14, 16]}
    form = {"ruleset": "morelli(size=5)", "future": "keep", "text": TRF06, "action": "preview"}
    page = text_of(member(ana).post(reverse("event-import"), form).content)
    assert "Lines that number or name the columns are left out: lines 10, 11, 12." in page
    assert "Results without an opponent are read as byes of equal worth: lines 14, 16." in page


def test_a_file_of_2006_becomes_an_event_with_its_points_and_dates(ana: User) -> None:
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=False)
    event = report_import.import_report(organiser=ana, text=TRF06, choice=choice)
    points = {row.entry.tpn: row.points_halves for row in standings.event_table(event).rows}
    assert points == {1: 4, 2: 5, 3: 0, 4: 3}
    assert f"{event.first_day:%Y-%m-%d} {event.last_day:%Y-%m-%d}" == "2008-06-07 2008-06-10"
    titles = event.entries.order_by("tpn").values_list("title", "birth")
    assert list(titles) == [
        ("", "1964-06-10"),
        ("IM", "1955-11-09"),
        ("GM", "1971-01-01"),
        ("WGM", "1963-04-23"),
    ]


TEAMS_OF_2016 = """\
012 Liga
042 2015/03/01
052 2015/03/01
082 2
092 Team Swiss System
001    1      Alba                              2000                             1.0    1     3 w 1
001    2      Bruno                             1900                             0.5    2     4 b =
001    3      Celia                             1950                             0.0    4     1 b 0
001    4      Dario                             1850                             0.5    3     2 w =
013 Torre                              1    2
013 Alfil                              3    4
"""


def test_teams_in_records_013_are_an_event_of_teams(ana: User) -> None:
    foreign = foreign_reports.read(TEAMS_OF_2016)
    assert foreign.problems == []
    assert foreign.adjustments == {"team": [10, 11]}
    assert {tpn: team.name for tpn, team in foreign.teams.items()} == {1: "Torre", 2: "Alfil"}
    choice = ImportChoice(name="Liga", ruleset="morelli(size=5)", goes_on=False)
    event = report_import.import_report(organiser=ana, text=TEAMS_OF_2016, choice=choice)
    assert event.is_of_teams
    points = {row.entry.tpn: row.points_halves for row in standings.event_table(event).rows}
    assert points == {1: 4, 2: 0}


@pytest.mark.parametrize(
    ("text", "record", "points"),
    [
        (TRF06, "299          -1.0  001    2", {1: 4, 2: 3, 3: 0, 4: 3}),
        (TEAMS_OF_2016, "299    -1.0   0.0  001    1", {1: 2, 2: 0}),
    ],
    ids=["a player", "a team"],
)
def test_deducted_points_of_a_file_are_penalties(
    ana: User, text: str, record: str, points: dict[int, int]
) -> None:
    text = f"{text.replace('2.5    1', '1.5    1')}{record}\n"
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=False)
    event = report_import.import_report(organiser=ana, text=text, choice=choice)
    table = standings.event_table(event).rows
    assert {row.entry.tpn: row.points_halves for row in table} == points
    assert record in reports.trf_of(event)


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (TRF06, "299          -1.0  005    2"),
        (TRF06, "299          -1.0  999    2"),
        (TRF06, "299          -1.0  001    3"),
        (TEAMS_OF_2016, "299    -1.0   0.0  009    1"),
    ],
    ids=["no such round", "beyond all rounds", "not in the round", "of a team"],
)
def test_deductions_in_a_round_without_the_player_are_refused(text: str, record: str) -> None:
    problems = foreign_reports.read(f"{text}{record}\n").problems
    assert problems[0].code == "report-abnormal"


def test_teams_of_an_event_of_individuals_are_left_out() -> None:
    text = f"{TRF06}013 Ireland                            1    2\n"
    foreign = foreign_reports.read(text)
    assert (foreign.problems, foreign.teams) == ([], {})
    assert foreign.format == Event.Format.DUTCH
