"""Public report files of other programs are exported line by line as they were imported, after the normalisations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.services.over_board.normalised import lines
from tournaments import trf
from tournaments.models import User
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.results import reports
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice

FOLDER = Path(__file__).parents[3] / "data" / "public-reports"
FILES = sorted(FOLDER.rglob("*.trf"))


@pytest.mark.parametrize("path", FILES, ids=[f"{each.parent.name}-{each.stem}" for each in FILES])
@pytest.mark.part(0.3)
def test_a_public_file_is_exported_line_by_line(path: Path, ana: User) -> None:
    text = path.read_text()
    report = trf.read(text)
    title = next((each.text for each in report.headers if each.code == "012"), "Open")
    goes_on = not foreign_reports.read(text).obstacle
    choice = ImportChoice(name=title, ruleset="morelli(size=5)", goes_on=goes_on)
    event = report_import.import_report(organiser=ana, text=text, choice=choice)
    if "012" not in {each.code for each in report.headers}:
        text = f"012 {title}\n{text}"
    exported = reports.full_trf_of(event)
    assert lines(exported, is_finished=not goes_on) == lines(text, is_finished=not goes_on)


@pytest.mark.long
def test_an_event_kept_as_finished_keeps_its_beginning_colour(ana: User) -> None:
    text = (FOLDER / "chesspairing" / "bbp-8p5r-output.trf").read_text()
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=False)
    for _ in range(4):
        event = report_import.import_report(organiser=ana, text=text, choice=choice)
        assert "\n152 W\n" in reports.trf_of(event)
