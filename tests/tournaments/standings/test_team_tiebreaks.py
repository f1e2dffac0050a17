"""Tie-breaks of teams (C.07 11 to 13): values and places that two other programs agree on, and rules one by one."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.extent import drawn
from tournaments import trf
from tournaments.standings import (
    Edition,
    Field,
    Game,
    Kind,
    Participant,
    Scoring,
    System,
    UnknownTieBreakError,
    breakdown,
    column,
    ranking,
    tie_break,
)
from tournaments.trf import Result

_FILE = Path(__file__).resolve().parents[2] / "data/pairing-systems-corpus/team-tiebreaks.jsonl.gz"
_CODES = ["MPVGP", "EMMSB", "EMGSB", "EGMSB", "EGGSB", "SSSC", "BC", "BH:MP", "BH:GP", "PS:MP"]


def _cases() -> list[dict[str, Any]]:
    with gzip.open(_FILE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["tb"] or row["rank"]]


def _field_of(case: dict[str, Any]) -> Field:
    report = trf.read(case["trf"])
    return trf.team_field(report, system=System.SWISS, edition=Edition.MARCH_2026)


def test_values_and_places_are_those_of_two_other_programs() -> None:
    for case in drawn(_cases(), 0.5):
        field = _field_of(case)
        for name, expected in case["tb"].items():
            for value, known in zip(column(field, name).values(), expected, strict=True):
                assert known == "x" or float(value or 0) == pytest.approx(known, abs=0.005), name
        for names, places in case["rank"].items():
            table = ranking(field, names.split(","))
            assert [p.rank for p in sorted(table.places, key=lambda p: p.id)] == places, names


@pytest.mark.parametrize("name", _CODES)
def test_the_terms_make_the_value(name: str) -> None:
    for case in drawn(_cases(), 0.1):
        field = _field_of(case)
        for team in field.ids:
            opened = breakdown(field, name, team)
            assert opened.total == opened.value


def test_a_tie_break_of_teams_is_none_of_individuals() -> None:
    for name in ("EDE", "BH:GP"):
        with pytest.raises(UnknownTieBreakError):
            tie_break(name)
        assert tie_break(name, of_teams=True).name == name


def _match(opponent: int, *boards: int) -> Game:
    mine, theirs = sum(boards), 2 * len(boards) - sum(boards)
    kind = Kind.WIN if mine > theirs else Kind.LOSS if mine < theirs else Kind.DRAW
    worth = {Kind.WIN: 4, Kind.DRAW: 2, Kind.LOSS: 0}
    return Game(kind, worth[kind], opponent, second_halves=mine, boards=boards)


def _teams(*games: list[Game]) -> Field:
    return Field(
        [Participant(n, tuple(own)) for n, own in enumerate(games, start=1)],
        scoring=Scoring(4, 2, 0),
        second_scoring=Scoring(4, 2, 0),
        primary="MP",
    )


# Two drawn matches between 1 and 2: they are equal in both scores, and 2 has won on board 1.
_DRAWN = ([_match(2, 0, 2), _match(2, 1, 1)], [_match(1, 2, 0), _match(1, 1, 1)])


@pytest.mark.parametrize(
    ("name", "places"),
    [
        pytest.param("EDE", [1, 1], id="nothing separates them"),
        pytest.param("EDET", [2, 1], id="board 1 first"),
        pytest.param("EDEB", [2, 1], id="without the last board"),
        pytest.param("EDEBT", [2, 1], id="the lower board count (K1)"),
        pytest.param("TBR", [2, 1], id="boards of the event"),
        pytest.param("BC", [2, 1], id="board count of the event"),
    ],
)
def test_two_who_drew_are_separated_by_their_boards(name: str, places: list[int]) -> None:
    table = ranking(_teams(*_DRAWN), ["PTS", name])
    assert [p.rank for p in sorted(table.places, key=lambda p: p.id)] == places


def test_boards_of_other_matches_do_not_count_in_the_encounter_of_two() -> None:
    """K5: 1 and 2 have not met."""
    field = _teams([_match(3, 2, 2)], [_match(4, 2, 2)], [_match(1, 0, 0)], [_match(2, 0, 0)])
    table = ranking(field, ["PTS", "EDET"])
    assert [p.rank for p in table.places] == [1, 1, 3, 3]


@pytest.mark.parametrize(("name", "divisor"), [("SSSC", 2), ("SSSC/K4", 4)])
def test_the_buchholz_of_sssc_is_divided_by_k(name: str, divisor: int) -> None:
    """13.4: two rounds of 2 match points each, and 2 game points at most in a match: K is 4 / 2."""
    field = _teams([_match(2, 1, 2), _match(2, 1, 2)], [_match(1, 1, 0), _match(1, 1, 0)])
    # 1 has 3 game points and opponents of 0 match points, 2 has 1 and opponents of 4.
    assert column(field, name).values() == [3, 1 + (4 + 4) // divisor]


def _with_bye_of_team_3(
    code: trf.Code, on_boards: trf.Code | None, *, announced: bool
) -> trf.Report:
    """Two teams of two draw a match, and the third one has a bye on request."""
    draw = [Result(trf.Code.DRAW, other, is_white=other in (2, 3)) for other in (3, 4, 1, 2)]
    bye = [Result(on_boards) if on_boards else None] * 2
    return trf.read("")._replace(
        players=tuple(trf.Player(i, results=(each,)) for i, each in enumerate([*draw, *bye], 1)),
        absences=(trf.Absence(code, 1, (3,)),) if announced else (),
        team_records=trf.TeamRecords(
            teams=tuple(trf.Team(n, members=(2 * n - 1, 2 * n)) for n in (1, 2, 3)), colours="WB"
        ),
    )


@pytest.mark.parametrize(
    ("on_boards", "announced"),
    [("same", True), ("same", False), ("absent", True), ("blank", True)],
    ids=["on every board and in 240", "on every board", "in 240", "in 240 with blank boards"],
)
@pytest.mark.parametrize(
    ("code", "scores", "board_count"),
    [
        (trf.Code.HALF_BYE, (2, 2), 3),
        (trf.Code.FULL_BYE, (4, 4), 6),
        (trf.Code.ZERO_BYE, (0, 0), 0),
    ],
    ids=["half", "full", "zero"],
)
def test_a_bye_on_request_counts_in_both_scores_and_on_each_board(
    code: trf.Code, scores: tuple[int, int], board_count: int, on_boards: str, announced: bool
) -> None:
    """A half-point bye is a drawn match of drawn boards, and a full-point bye is won everywhere."""
    columns = {"same": code, "absent": trf.Code.ZERO_BYE, "blank": None}
    report = _with_bye_of_team_3(code, columns[on_boards], announced=announced)
    assert trf.match_scores(report) == {1: (2, 2), 2: (2, 2), 3: scores}
    field = trf.team_field(report, system=System.SWISS, edition=Edition.MARCH_2026)
    # 12.1: board 1 once, board 2 twice, in half points.
    assert column(field, "BC").values()[2] == Fraction(board_count, 2)


def test_a_bye_of_a_reserve_adds_no_board_to_matches() -> None:
    report = _with_bye_of_team_3(trf.Code.HALF_BYE, trf.Code.HALF_BYE, announced=False)
    *teams, last = report.team_records.teams
    report = report._replace(
        players=(*report.players, trf.Player(7, results=(Result(trf.Code.HALF_BYE),))),
        team_records=report.team_records._replace(teams=(*teams, last._replace(members=(5, 6, 7)))),
    )
    field = trf.team_field(report, system=System.SWISS, edition=Edition.MARCH_2026)
    assert field.by_score("GP").scoring.win == 2 * 2
    assert trf.match_scores(report)[3] == (2, 2)


@pytest.mark.parametrize("colours", ["", "W", "WBWB"])
def test_a_bye_has_the_boards_of_a_match_whatever_their_colours(colours: str) -> None:
    report = _with_bye_of_team_3(trf.Code.FULL_BYE, None, announced=True)
    report = report._replace(team_records=report.team_records._replace(colours=colours))
    assert trf.match_scores(report)[3] == (4, 4)


def test_the_command_ranks_teams(tmp_path: Any, capsys: Any) -> None:
    from tournaments.commandline.standings import main

    case = next(c for c in _cases() if "PTS,EDE" in c["rank"])
    path = tmp_path / "teams.trf"
    path.write_text(case["trf"])
    assert main([str(path), "--tiebreaks", "PTS,EDE", "--explain"]) == 0
    rows = json.loads(capsys.readouterr().out)["teams"]
    assert [row["rank"] for row in sorted(rows, key=lambda r: r["id"])] == case["rank"]["PTS,EDE"]
