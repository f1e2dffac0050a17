"""An imported report is exported line by line as it was, but for the normalisations of `docs/reference/event-files.md`."""

from __future__ import annotations

import pytest

from tests.tournaments.services.over_board.normalised import lines
from tests.tournaments.services.over_board.test_report_import import (
    CASES,
    HEAD,
    PERSONS,
    REPORT,
)
from tournaments import trf
from tournaments.models import User
from tournaments.queries.results import reports
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice

pytestmark = pytest.mark.long

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
FILES = {
    **{case.name: case.trf for case in CASES},
    "older": OLDER,
    "forfeits": FORFEITS,
    "whole": WHOLE,
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.part(0.3)
def test_an_import_is_exported_line_by_line(name: str, ana: User) -> None:
    text = FILES[name]
    title = next((h.text for h in trf.read(text).headers if h.code == "012"), "Open")
    choice = ImportChoice(name=title, ruleset="morelli(size=5)", goes_on=True)
    event = report_import.import_report(organiser=ana, text=text, choice=choice)
    if not text.startswith("012"):
        text = f"012 {title}\n{text}"
    assert lines(reports.full_trf_of(event)) == lines(text)
