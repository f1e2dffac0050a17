"""An imported report is exported line by line as it was, but for the normalisations of `docs/reference/event-files.md`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.services.over_board.test_report_import import (
    CASES,
    HEAD,
    PERSONS,
    REPORT,
)
from tournaments import trf
from tournaments.models import User
from tournaments.queries.events import personal_data
from tournaments.queries.results import reports
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice

# As arbiters' programs write it: dates in words, forfeits without colours, blank rounds, older titles.
OLDER = """\
012 Open de Verano
022 Alicante
032 esp
042 28. 07. 2005
052 Aug 3, 2005
062 5 (4)
072 4
082 0
092 Individual: Swiss-System
102 IA Rossi, Mario
112 FA Bell, Kira
122 90 min + 30 sec
XXR 4
XXC white1
### written by a program
001    1 m  g Alba                              2105 ESP     2212345 1990.05.17  2.0    1     2 w 1     3 b 1
001    2 f wf Bela                              2001 ESP             2001        1.0    3     1 b 0     4 w 1
001    3      Celia                             1990 POR                         1.0    2     4 w 1     1 w 0
001    4      Dario                             1800                             0.0    4     3 b 0     2 b 0
001    5      Elena                                                              0.5    5  0000 - H
"""
FORFEITS = """\
012 Club
142 3
152 B
001    1      Alba                                                               1.0    1     2 - +  0000 - Z
001    2      Bela                                                               0.0    3     1 - -     3 w 0
001    3      Celia                                                              2.0    2  0000 - U     2 b 1
240 H   3    1
260   3   3    1    2
"""
WHOLE = (
    HEAD
    + "".join(
        line
        for line in REPORT.splitlines(keepends=True)[2:]
        if not line.startswith(("001    1", "001    2"))
    )
    + PERSONS
)
# Codes of records that follow from others here, or have no setting.
_COUNTED = {"062", "072", "082", "092", "172", "202", "212", "222", "###"}
FILES = {
    **{case.name: case.trf for case in CASES},
    "older": OLDER,
    "forfeits": FORFEITS,
    "whole": WHOLE,
}


def _lines(text: str) -> list[str]:
    """The lines of a report after the normalisations, in the order of their texts."""
    report = trf.read(text)
    played = trf.rounds_played(report)
    codes = {"042": trf.start_date(report), "052": trf.end_date(report)}
    headers = []
    for each in report.headers:
        day = codes.get(each.code)
        words = f"{day:%Y/%m/%d}" if day else " ".join(each.text.split())
        words = words.upper() if each.code == "032" else words
        is_here = each.code == "042" and not played  # such an event begins with the import
        if each.code not in _COUNTED and not is_here and not each.code.isalpha() and words:
            headers.append(trf.Header(each.code, words))
    players = tuple(_player(each, report, played) for each in report.players)
    system = (report.system or trf.DUTCH[0]).replace("_2025", "_2026").removesuffix("_BAKU")
    plain = replace(
        report, headers=tuple(headers), players=players, system=system, absences=(), virtual=()
    )
    nationals = [trf.national_of(each) for each in report.headers]
    return sorted(
        [
            *trf.write(plain).splitlines(),
            *(f"national {each.id} {each.rating} {each.fide_id}" for each in nationals if each),
            *(f"absent {code} {number} {i}" for (i, number), code in _absent(report).items()),
            *(
                f"virtual {number} {i} {each.halves}"
                for each in report.virtual
                for number in range(each.first_round, each.last_round + 1)
                for i in range(each.first_id, each.last_id + 1)
            ),
        ]
    )


def _absent(report: trf.Report) -> dict[tuple[int, int], trf.Code]:
    """Return the byes of rounds to come, in records 240 or in the columns of players."""
    played = trf.rounds_played(report)
    absent = {
        (i, each.round_number): each.code
        for each in report.absences
        for i in each.ids
        if each.round_number > played
    }
    for player in report.players:
        later = enumerate(player.results[played:], start=played + 1)
        absent |= {(player.id, number): each.code for number, each in later if each}
    return absent


def _player(player: trf.Player, report: trf.Report, played: int) -> trf.Player:
    given = {(i, each.round_number): each.code for each in report.absences for i in each.ids}
    rounds = []
    for number in range(1, played + 1):
        own = player.results[number - 1] if number <= len(player.results) else None
        if own is None or own.opponent is None:
            code = own.code if own else given.get((player.id, number), trf.Code.ZERO_BYE)
            rounds.append(trf.Result(code))
        else:
            is_first = own.is_white if own.is_white is not None else player.id < own.opponent
            rounds.append(replace(own, is_white=is_first))
    birth = personal_data.birth(player.born) or ""
    return replace(
        player,
        results=tuple(rounds),
        points_halves=None,
        place=None,
        rating=player.rating or None,
        federation=player.federation.upper(),
        title=personal_data.title(player.title) or "",
        sex=personal_data.sex(player.sex) or "",
        born=personal_data.report_birth(birth, is_full=True),
    )


@pytest.mark.parametrize("name", FILES)
@pytest.mark.part(0.3)
def test_an_import_is_exported_line_by_line(name: str, ana: User) -> None:
    text = FILES[name]
    title = next((h.text for h in trf.read(text).headers if h.code == "012"), "Open")
    choice = ImportChoice(name=title, ruleset="morelli(size=5)", goes_on=True)
    event = report_import.import_report(organiser=ana, text=text, choice=choice)
    if not text.startswith("012"):
        text = f"012 {title}\n{text}"
    assert _lines(reports.full_trf_of(event)) == _lines(text)
