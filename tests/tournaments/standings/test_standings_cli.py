"""The command line of the tie-breaks: report file in, JSON out."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments.standings import tiebreak_corpus as corpus
from tournaments import trf
from tournaments.commandline import standings as cli
from tournaments.commandline.requests import Exit
from tournaments.pairing import PointSystem
from tournaments.round_kinds import Kind
from tournaments.standings import Edition, Game, System

ROOT = Path(__file__).resolve().parents[3]
_CODES = {
    Kind.WIN: "1",
    Kind.DRAW: "=",
    Kind.LOSS: "0",
    Kind.FORFEIT_WIN: "+",
    Kind.FORFEIT_LOSS: "-",
    Kind.PAIRING_BYE: "U",
    Kind.FULL_BYE: "F",
    Kind.HALF_BYE: "H",
    Kind.ZERO_BYE: "Z",
}
SWISS = next(c for c in corpus.cases() if c.name.startswith("swiss-heavy"))
ROBIN = next(c for c in corpus.cases() if c.name == "rr-1007")
TRIPLE = next(c for c in corpus.cases() if c.name.startswith("swiss-pts3"))


def _text(case: corpus.Case, *headers: str) -> str:
    points = case.points
    report = trf.Report(
        players=tuple(
            trf.Player(
                p.id,
                f"Player {p.id}",
                tuple(_result(g) for g in p.games),
                sum(g.score_halves for g in p.games),
                rating=p.rating,
            )
            for p in case.participants
        ),
        rounds_total=len(case.participants[0].games),
        points=PointSystem(
            win=points.win,
            draw=points.draw,
            loss=points.loss,
            pairing_bye=points.pairing_bye,
            half_bye=points.draw,
            full_bye=points.win,
            forfeit_win=points.win,
        ),
    )
    return "".join(f"{line}\n" for line in headers) + trf.write(report)


def _result(game: Game) -> trf.Result:
    return trf.Result(trf.Code(_CODES[game.kind]), game.opponent, game.is_first)


def _file(folder: Path, text: str) -> str:
    path = folder / "in.trf"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _players_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[int, dict]:
    assert cli.main(arguments) == 0
    return {p["id"]: p for p in json.loads(capsys.readouterr().out)["players"]}


@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("case", [SWISS, ROBIN, TRIPLE], ids=lambda case: case.name)
def test_values_and_places_of_a_file_are_those_of_the_corpus(
    case: corpus.Case, edition: Edition, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _file(tmp_path, _text(case))
    more = ("--edition", edition, "--system", case.system)
    columns = {n: c for n, c in case.values[edition].items() if not n.endswith("/P")}
    players = _players_of(capsys, source, "--tiebreaks", ",".join(columns), *more)
    for name, values in columns.items():
        for number, value in enumerate(values, start=1):
            printed = players[number]["tiebreaks"][name]
            if value != corpus.UNSURE:
                assert (printed and Decimal(printed)) == value, (name, number)
    for names, places in case.places[edition].items():
        players = _players_of(capsys, source, "--tiebreaks", names.removeprefix("PTS,"), *more)
        assert [players[n]["rank"] for n in sorted(players)] == list(places)


def test_the_command_prints_players_in_order_with_values_as_text(tmp_path: Path) -> None:
    source = _file(tmp_path, _text(SWISS))
    command = [sys.executable, "-m", "tournaments.standings", source, "--tiebreaks", "bh/c1,DE"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    players = json.loads(done.stdout)
    assert list(players) == ["players"]
    assert [p["rank"] for p in players["players"]] == sorted(p["rank"] for p in players["players"])
    for player in players["players"]:
        assert list(player) == ["id", "rank", "points", "tiebreaks"]
        assert list(player["tiebreaks"]) == ["BH/C1", "DE"]
        assert isinstance(player["points"], str)


@pytest.mark.parametrize(
    ("headers", "names"),
    [
        (("202 BH/C2, SB",), ["BH/C2", "SB"]),
        (("202 BH/C2,SB", "212 PTS,WON,BH"), ["PTS", "WON", "BH"]),
        ((), ["BH/C1", "BH", "SB", "DE"]),
        (("092 Individual: Round-Robin",), ["DE", "SB", "KS", "WIN"]),
        (("192 BERGER_ROUNDROBIN",), ["DE", "SB", "KS", "WIN"]),
    ],
    ids=["after-points", "full-order", "swiss", "words", "code"],
)
def test_without_a_list_the_files_own_or_the_usual_one_is_taken(
    headers: tuple[str, ...],
    names: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    players = _players_of(capsys, _file(tmp_path, _text(SWISS, *headers)))
    assert list(players[1]["tiebreaks"]) == names


@pytest.mark.parametrize(
    ("line", "edition"),
    [
        ("042 2026/02/28", Edition.AUGUST_2024),
        ("042 28.02.2026", Edition.AUGUST_2024),
        ("042 2026-03-01", Edition.MARCH_2026),
        ("042 01/03/2026", Edition.MARCH_2026),
        ("042 soon", Edition.MARCH_2026),
        ("042 2026/13/45", Edition.MARCH_2026),
    ],
)
def test_the_edition_is_the_one_in_force_when_the_event_began(
    line: str, edition: Edition, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_date = _players_of(capsys, _file(tmp_path, _text(SWISS, line)), "--tiebreaks", "BH")
    by_edition = _players_of(
        capsys, _file(tmp_path, _text(SWISS)), "--tiebreaks", "BH", "--edition", edition
    )
    assert by_date == by_edition


def test_every_value_is_explained_by_its_terms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _file(tmp_path, _text(SWISS))
    players = _players_of(capsys, source, "--tiebreaks", "BH/C1,SB,TPR,DE", "--explain")
    for player in players.values():
        assert list(player["terms"]) == ["PTS", "BH/C1", "SB", "TPR", "DE"]
        opened = player["terms"]["BH/C1"]
        counted = [Decimal(t["contribution"]) for t in opened["terms"] if "cut" not in t]
        assert sum(counted) == Decimal(player["tiebreaks"]["BH/C1"])
    reasons = {
        t["reason"]["article"]
        for p in players.values()
        for t in p["terms"]["BH/C1"]["terms"]
        if "reason" in t
    }
    assert reasons >= {"16.3", "16.4"}
    assert {p["separated_by"] for p in players.values()} <= {
        None,
        "PTS",
        "BH/C1",
        "SB",
        "TPR",
        "DE",
    }


def test_a_tie_break_out_of_place_is_computed_and_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _file(tmp_path, _text(SWISS))
    assert cli.main([source, "--tiebreaks", "KS", "--system", "swiss"]) == 0
    assert "note: C.07 of 2026 has no KS for system swiss" in capsys.readouterr().err


def test_announced_byes_of_rounds_to_come_are_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ("   2 w 1  0000 - H", "   1 b 0")
    text = "142 3\n" + "".join(
        f"001 {n:>4}      {'P':33} 2000 {'':26}  {2 - n}.0    1  {row}\n"
        for n, row in enumerate(rows, start=1)
    )
    players = _players_of(capsys, _file(tmp_path, text), "--tiebreaks", "REP")
    assert [(players[n]["points"], players[n]["tiebreaks"]["REP"]) for n in (1, 2)] == [
        ("1", "1"),
        ("0", "1"),
    ]


def test_points_that_disagree_with_the_results_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = _text(SWISS).replace("162  W 1.0    D 0.5", "162  W 3.0    D 1.0")
    assert text != _text(SWISS)
    assert cli.main([_file(tmp_path, text)]) == 3
    assert "by the results, and" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "required"),
        (("{file}", "--tiebreaks", "BH,XX"), "'XX' is none of"),
        (("{file}", "--tiebreaks", "BH/C1/C2"), "comes after"),
        (("{file}", "--tiebreaks", "BH,,SB"), "no name"),
        (("{file}", "--tiebreaks", "BH,BH"), "twice"),
        (("{file}", "--tiebreaks", "EMMSB"), "teams"),
        (("{file}", "--tiebreaks", ",".join(["BH"] * 101)), "more than 100"),
        (("{file}", "--edition", "2019"), "invalid choice"),
        (("{file}", "--system", "knockout"), "invalid choice"),
        (("{file}", "--tie", "BH"), "unrecognized"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_requests_that_make_no_sense_are_refused_with_code_3(
    arguments: tuple[str, ...],
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = _file(tmp_path, _text(SWISS))
    assert cli.main([a.replace("{file}", source) for a in arguments]) == Exit.BAD_REQUEST
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("standings: ")
    assert reason in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no players"),
        ("012 Nobody\n", "no players"),
        ("\x00\x01garbage", "no character of a report"),
        ("hello\n", "no record we know"),
        (_text(SWISS, "362 TW 3.0"), "record 362 is not followed"),
        (_text(SWISS, "202 Buchholz"), "record 202 or 212: 'BUCHHOLZ' is none of"),
        (_text(SWISS).replace("001    1 ", "001    2 ", 1), "starting rank 2 is taken"),
    ],
    ids=["empty", "headers-only", "binary", "text", "teams", "tie-breaks", "twice"],
)
def test_files_that_cannot_be_ranked_are_refused_with_code_3(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([_file(tmp_path, text)]) == Exit.BAD_REQUEST
    assert reason in capsys.readouterr().err


def test_a_file_that_is_not_there_is_code_5(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([str(tmp_path / "none.trf")]) == Exit.FILE
    assert cli.main([str(tmp_path)]) == Exit.FILE
    # Without a size, and without an end.
    assert cli.main(["/dev/zero"]) == Exit.BAD_REQUEST
    assert "none.trf" in capsys.readouterr().err


def test_a_file_of_many_megabytes_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "big.trf").open("wb") as file:
        file.truncate(10_000_001)
    assert cli.main([str(tmp_path / "big.trf")]) == Exit.BAD_REQUEST
    assert "bytes" in capsys.readouterr().err


_LINES = _text(ROBIN, "202 BH,SB", "042 2026/04/01").splitlines()


@pytest.mark.long
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_damaged_file_gives_a_table_or_a_named_error(
    data: st.DataObject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(_LINES)
    for _ in range(data.draw(st.integers(1, 4))):
        row = data.draw(st.integers(0, len(lines) - 1))
        at = data.draw(st.integers(0, len(lines[row])))
        new = data.draw(st.text("0123456789 wb-+=HFUZ/,CBS\x07é", max_size=6))
        lines[row] = lines[row][:at] + new + lines[row][at + len(new) :]
    code = cli.main([_file(tmp_path, "\n".join(lines)), "--system", System.ROUND_ROBIN])
    out, err = capsys.readouterr()
    assert code in (Exit.DONE, Exit.BAD_REQUEST)
    assert (code == Exit.DONE) == bool(out)
    assert code == Exit.DONE or err.startswith("standings: ")
