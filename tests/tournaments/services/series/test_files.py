"""The files of a series: a true archive verifies, and every kind of tampering is named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.tournaments import shared_rows
from tests.tournaments.series_events import finished, registered, series_of
from tournaments.models import Event, Series, User
from tournaments.queries.archives import archive_file, event_archive, series_archive
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.services.accounts import players
from tournaments.services.series import files, tables
from tournaments.standings.series import Rules

Tamper = Callable[[dict[str, Any]], object]


class _Rows:
    """A series of two finished events and one to come, of which the best result counts."""

    def __init__(self) -> None:
        self.ana = ana = players.sign_up(name="Ana", password="rayuela-1963")
        self.may = finished(ana, "May", "Al", "Bo", "Cy")
        events = (self.may, finished(ana, "June", "Bo", "Cy", "=1+1"), registered(ana, "July"))
        self.series = series_of(ana, *events, rules=Rules(place_points=(10, 6, 4), best=1))


@pytest.fixture(scope="module")
def rows_of_file(transaction_of_file: None) -> _Rows:
    return _Rows()


ana = shared_rows.part("ana")
may = shared_rows.part("may")
series = shared_rows.part("series")


def _text(series: Series) -> str:
    return series_archive.text_of(files.archive_of(tables.of(series)))


def _differences(text: str, *events: Event) -> dict[str, list[str]]:
    archives = [archive_file.unpacked(event_archive.of_event(event)) for event in events]
    checks = series_archive.verify(series_archive.read(text.encode()), archives)
    return {c.name: [d.place for d in c.differences] for c in checks if c.differences}


def test_an_archive_verifies(series: Series, may: Event) -> None:
    assert _differences(_text(series), may) == {}


def test_the_table_is_a_csv_file(series: Series) -> None:
    heads, first, _, third, _ = files.csv_of(tables.of(series)).splitlines()
    assert heads == (
        "\ufeffrank,player,club,category,total,wins,best,may place,may points,may counts,"
        "june place,june points,june counts,july place,july points,july counts"
    )
    # No spreadsheet computes the name.
    assert first == "1,'=1+1,,,10,1,10,,,,1,10,1,,,"
    assert third == "3,Bo,,,6,0,6,2,6,1,2,6,0,,,"


def _points(content: dict[str, Any]) -> None:
    content["rules"]["place_points"] = [10, 7, 4]


def _total(content: dict[str, Any]) -> None:
    content["totals"][0]["total"] = "99"


def _term(content: dict[str, Any]) -> None:
    content["totals"][0]["terms"][0]["fate"] = "provisional"


def _without_row(content: dict[str, Any]) -> None:
    del content["totals"][-1]


def _twice(content: dict[str, Any]) -> None:
    content["totals"].append(content["totals"][0])


def _order(content: dict[str, Any]) -> None:
    content["totals"][0]["rank"] = 2


@pytest.mark.parametrize("tamper", [_points, _total, _term, _without_row, _twice, _order])
def test_tampering_with_totals_is_found(series: Series, tamper: Tamper) -> None:
    content = json.loads(_text(series))
    tamper(content)
    assert "totals" in _differences(json.dumps(content))


def test_standings_are_compared_with_the_archive_of_the_event(series: Series, may: Event) -> None:
    content = json.loads(_text(series))
    row = content["events"][0]["standings"][0]
    row["points_halves"] += 1
    # Points by place do not depend on the points scored.
    assert _differences(json.dumps(content), may) == {
        "standings of may": [f"may, player {row['number']}"]
    }
    del content["events"][0]["standings"][0]
    assert "standings of may" in _differences(json.dumps(content), may)


def test_a_person_with_two_results_in_one_event_is_found(series: Series) -> None:
    content = json.loads(_text(series))
    one, other, *_ = content["events"][0]["standings"]
    other["person"] = one["person"]
    assert _differences(json.dumps(content))["people"] == [f"may, {one['person']}"]


def _no_points(content: dict[str, Any]) -> None:
    content["rules"]["place_points"] = []


def _unknown(content: dict[str, Any]) -> None:
    content["rules"]["method"] = "chance"


def _no_rank(content: dict[str, Any]) -> None:
    content["events"][0]["standings"][0]["rank"] = 0


def _schema(content: dict[str, Any]) -> None:
    content["schema"] = "rayuela-series/9"


@pytest.mark.parametrize("tamper", [_no_points, _unknown, _no_rank, _schema])
def test_an_archive_that_gives_no_table_is_refused(series: Series, tamper: Tamper) -> None:
    content = json.loads(_text(series))
    tamper(content)
    with pytest.raises(ArchiveError):
        _differences(json.dumps(content))


def test_an_event_of_another_series_is_refused(series: Series, ana: User) -> None:
    with pytest.raises(ArchiveError, match="not in the series"):
        _differences(_text(series), finished(ana, "August", "Al", "Bo"))


def test_the_command_compares_a_series_with_its_events(
    series: Series, may: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, event_file = tmp_path / "cup.json", tmp_path / "may.zip"
    file.write_text(_text(series))
    event_file.write_bytes(event_archive.of_event(may))
    call_command("verify", str(file), str(event_file))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "people: 6, as computed",
        "totals: 4, as computed",
        "standings of may: 3, as computed",
    ]
    file.write_text(_text(series).replace('"total": "10"', '"total": "11"'))
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(file))
    assert ended.value.code == 1
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(event_file), str(event_file))
    assert ended.value.code == 2
