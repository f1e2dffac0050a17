"""`python -m tournaments.pairing check FILE`: pairings by the system of the file, places by its own tie-breaks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tournaments import trf
from tournaments.commandline import pairing as cli
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import Recipe
from tournaments.commandline.standings import file_ranking
from tournaments.trf import Header, Report

_TIE_BREAKS = {"dutch": "BH/C1,BH", "burstein": "SB", "team": "EDE EMGSB", "double-swiss": "BH"}
_NAMES = pytest.mark.parametrize("name", ["dutch", "burstein", "double-swiss", "team"])


@cache
def _report(name: str) -> Report:
    """A tournament of that system with places by its tie-breaks."""
    report = generate(Recipe(players=12, rounds=5), 1, name=name).report
    report = report._replace(headers=(*report.headers, Header("202", _TIE_BREAKS[name])))
    # Any order of those whom nothing separates will do.
    places = {row.id: n for n, row in enumerate(file_ranking(report).places, start=1)}
    if name == "team":
        teams = tuple(t._replace(rank=places[t.number]) for t in report.team_records.teams)
        return report._replace(team_records=report.team_records._replace(teams=teams))
    return report._replace(players=tuple(p._replace(place=places[p.id]) for p in report.players))


def _checked(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[str]]:
    source = tmp_path / "in.trf"
    source.write_text(trf.write(report))
    code = cli.main(["check", str(source)])
    return code, capsys.readouterr().out.splitlines()


@_NAMES
def test_a_file_of_the_rules_is_consistent(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = _checked(_report(name), tmp_path, capsys)
    names = _TIE_BREAKS[name].replace(" ", ",")
    rounds = [f"Round #{n}" for n in range(1, 6)]
    assert (code, lines) == (0, [*rounds, f"Places by {names}", "Consistent"])


@_NAMES
def test_two_who_changed_their_places_are_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = _report(name)
    first, *_, last = (place.id for place in file_ranking(report).places)
    turned = {first: 12, last: 1}
    if name == "team":
        teams = tuple(
            t._replace(rank=turned.get(t.number, t.rank)) for t in report.team_records.teams
        )
        report = report._replace(team_records=report.team_records._replace(teams=teams))
    else:
        players = tuple(p._replace(place=turned.get(p.id, p.place)) for p in report.players)
        report = report._replace(players=players)
    code, lines = _checked(report, tmp_path, capsys)
    one, two = sorted(turned)
    assert (code, lines[-1]) == (6, f"Inconsistent: places of {one}, {two}")
    rows = [line.split() for line in lines if line.startswith("  ")][1:]
    assert [(row[0], row[-1]) for row in rows] == [(str(first), "12"), (str(last), "1")]


def test_a_board_with_other_colours_is_a_round_that_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = _report("dutch")
    one = next(p for p in report.players if p.results[2] and p.results[2].is_white is not None)
    result = one.results[2]
    assert result is not None
    both = {one.id, result.opponent}
    players = []
    for player in report.players:
        results = list(player.results)
        own = results[2]
        if player.id in both and own is not None:
            results[2] = own._replace(is_white=not own.is_white)
        players.append(player._replace(results=tuple(results)))
    code, lines = _checked(report._replace(players=tuple(players)), tmp_path, capsys)
    assert code == 6
    assert lines[-1].startswith("Inconsistent: rounds 3")
    assert "  Checker pairings     Tournament pairings" in lines


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        pytest.param(
            generate(Recipe(players=8, rounds=2), 1).report,
            "records 202 and 212 name no tie-breaks",
            id="no tie-breaks",
        ),
        pytest.param(
            _report("dutch")._replace(
                players=tuple(p._replace(place=None) for p in _report("dutch").players),
            ),
            "the file has none",
            id="no places",
        ),
    ],
)
def test_it_is_told_why_places_are_not_checked(
    report: Report, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = _checked(report, tmp_path, capsys)
    assert (code, lines[-2:]) == (0, [f"Places are not checked: {reason}", "Consistent"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"system": None}, "record 192 says ''", id="no system"),
        pytest.param({"system": "BERGER_ROUNDROBIN"}, "record 192 says", id="a round robin"),
        pytest.param({"players": ()}, "no players", id="no players"),
        pytest.param({"headers": (Header("202", "BHX"),)}, "record 202 or 212", id="a tie-break"),
    ],
)
def test_a_file_that_cannot_be_checked_is_refused_before_anything_is_printed(
    change: dict[str, object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.trf"
    source.write_text(trf.write(_report("dutch")._replace(**change)))  # type: ignore[arg-type]  # a table of tests
    assert cli.main(["check", str(source)]) == 3
    out, err = capsys.readouterr()
    assert not out
    assert message in err
