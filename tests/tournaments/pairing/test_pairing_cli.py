"""The command line of the pairing systems: a drop-in for bbpPairings."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.pairing import corpus
from tests.tournaments.trf.lines import line
from tournaments.commandline import pairing as cli
from tournaments.commandline.requests import Exit

ROOT = Path(__file__).resolve().parents[3]
CASE = next(c for c in corpus.cases() if c.boards and "odd" in c.tags and "pab" in c.tags)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.trf"
    path.write_text(CASE.trf)
    return path


def _expected(case: corpus.Case) -> str:
    assert case.boards is not None
    return f"{len(case.boards)}\n" + "".join(f"{a} {b}\n" for a, b in case.boards)


def test_pairs_are_printed_in_board_order_with_their_number_first(source: Path) -> None:
    command = [sys.executable, "-m", "tournaments.pairing", "--dutch", str(source), "-p"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, _expected(CASE))


def test_an_output_without_a_folder_stands_next_to_the_input(source: Path) -> None:
    assert cli.main(["--dutch", str(source), "-p", "out.txt", "-l", "list.txt"]) == 0
    assert (source.parent / "out.txt").read_text() == _expected(CASE)
    rows = (source.parent / "list.txt").read_text().splitlines()
    assert len([row for row in rows[1:] if row]) == CASE.trf.count("\n001 ")


LISTED = """\
142 5
152 W
162  W 1.0    D 0.5    L 0.0
001    1      A                                 2000                             1.5    1     4 w 1     2 b =
001    2      B                                 1900                             1.5    2     5 b 1     1 w =
001    3      C                                 1800                             1.0    3     6 w +  0000 - Z
001    4      D                                 1700                             0.5    4     1 b 0     5 w =
001    5      E                                 1600                             0.5    5     2 w 0     4 b =
001    6      F                                 1500                             1.0    6     3 b -  0000 - U
240 Z   3    5
250       0.5   3   3    1    2
"""


def test_the_checklist_shows_what_the_pairing_saw(tmp_path: Path) -> None:
    (tmp_path / "x.trf").write_text(LISTED)
    assert cli.main(["--dutch", str(tmp_path / "x.trf"), "-p", "out.txt", "-l"]) == 0
    expected = """\
   ID   Pts   Acc Due -2 -1   Next    R1    R2

    1   1.5   2.0   w           3w    4w    2b
    2   1.5   2.0   b           6b    5b    1w

    3   1.0   1.0      D        1b    6+     Z
    6   1.0   1.0         D     2w    3-     U

    4   0.5   0.5   b            U    1b    5w

    5   0.5   0.5   w            -    2w    4b
"""
    assert (tmp_path / "x.list").read_text() == expected


def test_the_checker_lists_every_round_in_one_file(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--dutch", str(source), "-c", "-l"]) == 0
    headings = [
        line for line in (source.parent / "in.list").read_text().splitlines() if "#" in line
    ]
    assert headings == capsys.readouterr().out.splitlines()


def test_the_checker_finds_nothing_in_rounds_that_were_paired_by_the_rules(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--dutch", str(source), "-c"]) == 0
    rounds = range(1, CASE.round_number)
    assert capsys.readouterr().out == "".join(f"Round #{r}\n" for r in rounds)


def test_a_finished_event_need_not_say_how_many_rounds_it_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files of bbpPairings' own generator are such files."""
    source = tmp_path / "in.trf"
    rounds = CASE.round_number - 1
    without = "".join(
        f"{line}\n" for line in CASE.trf.splitlines() if not line.startswith(("142", "XXR"))
    )
    assert without != CASE.trf
    output = []
    for text in (f"142 {rounds}\n{without}", without):
        source.write_text(text)
        assert cli.main(["--dutch", str(source), "-c"]) == 0
        output.append(capsys.readouterr().out)
    assert output[0] == output[1]


def test_the_checker_shows_what_it_would_have_paired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "142 3\n152 W\n" + "".join(
        f"001 {i:>4}      {'P':33} 2000 {'':26}  {p:3}    1  {o:>4} {c} {r}\n"
        for i, o, c, r, p in (
            (1, 2, "w", "1", "1.0"),
            (2, 1, "b", "0", "0.0"),
            (3, 4, "w", "1", "1.0"),
            (4, 3, "b", "0", "0.0"),
        )
    )
    (tmp_path / "x.trf").write_text(text)
    assert cli.main(["--dutch", str(tmp_path / "x.trf"), "-c"]) == 0
    out = capsys.readouterr().out
    assert "Checker pairings     Tournament pairings" in out
    assert "1 - 3" in out
    assert "3 - 4" in out


def test_the_evidence_is_json(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--dutch", str(source), "-p", "out.txt", "--explain"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["round"] == CASE.round_number
    assert {c["criterion"] for c in output["brackets"][0]["criteria"]} >= {"C6", "C12", "C21"}
    paired = {tpn for b in output["brackets"] for pair in b["pairs"] for tpn in pair}
    assert paired | {output["bye"]} == {t for b in output["brackets"] for t in b["residents"]}


LATE = {1: "2 w 0,0000 - Z", 2: "1 b 0,0000 - Z", 3: "0000 - Z,0000 - Z"}


def test_what_a_file_leaves_open_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.trf").write_text(
        "142 5\n152 W\n192 FIDE_DUTCH_2026_BAKU\n"
        + "".join(f"{line(n, rounds, '0.0')}\n" for n, rounds in LATE.items())
    )
    assert cli.main(["--dutch", str(tmp_path / "x.trf"), "-p"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2\n")
    assert err.count("pairing: warning: ") == 2
    assert "250" in err
    assert "byes only" in err


_FIRST = next(line for line in CASE.trf.splitlines() if line.startswith("001"))
WRONG_POINTS = CASE.trf.replace(_FIRST, f"{_FIRST[:80]} 7.0{_FIRST[84:]}")
DUTCH = CASE.trf + "192 FIDE_DUTCH_2026\n"
IMPOSSIBLE = next(c for c in corpus.cases() if c.boards is None)


@pytest.mark.parametrize(
    ("arguments", "text", "code"),
    [
        pytest.param(["--dutch", "{}", "-p"], IMPOSSIBLE.trf, 1, id="no pairing"),
        pytest.param(["--dutch", "{}", "-p"], "142 x", 3, id="bad file"),
        pytest.param(["--dutch", "{}", "-p"], "142 5", 3, id="too little said"),
        pytest.param(["--dutch", "{}", "-c"], "", 3, id="an empty file to check"),
        pytest.param(["--dutch", "{}", "-c"], WRONG_POINTS, 3, id="other points to check"),
        pytest.param(["--dutch", "{}"], CASE.trf, 3, id="nothing asked"),
        pytest.param(["--dubov", "{}", "-p"], DUTCH, 3, id="a file of another system"),
        pytest.param(["--dutch", "--dubov", "{}", "-p"], CASE.trf, 3, id="two systems"),
        pytest.param(["--jain", "{}", "-p"], CASE.trf, 3, id="an unknown system"),
        pytest.param(["{}", "-p"], CASE.trf, 3, id="no system"),
        pytest.param(["--dutch", "{}.no", "-p"], CASE.trf, 5, id="no such file"),
        pytest.param(["-r"], "", 0, id="release"),
    ],
)
def test_exit_codes_are_those_of_bbp_pairings(
    arguments: list[str], text: str, code: int, tmp_path: Path
) -> None:
    path = tmp_path / "in.trf"
    path.write_text(text)
    assert cli.main([a.format(path) for a in arguments]) == code


@pytest.mark.parametrize("what", ["-p", "-c"])
@pytest.mark.parametrize(
    ("data", "place"),
    [
        pytest.param(b"\0" * 9_000_000, "file: more than", id="NULs"),
        pytest.param(b"001 " * 3_000_000, "has more than", id="too long"),
        pytest.param(b"142 9\n001    1\0\n", "line 2, column 9", id="a NUL"),
        pytest.param(b"142 9" + b"9" * 50_000, "line 1, column 5", id="an absurd number"),
        pytest.param(b"\xff\xfe" * 1000, "line 1, column 1", id="no text"),
        pytest.param(CASE.trf[:1500].encode(), "line ", id="cut off"),
    ],
)
def test_hostile_files_are_refused_with_their_place(
    what: str, data: bytes, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.trf"
    path.write_bytes(data)
    assert cli.main(["--dutch", str(path), what]) == 3
    assert place in capsys.readouterr().err


@pytest.mark.parametrize("word", ["-h", "--no-such-word"])
def test_help_and_usage_are_as_wide_as_the_screen(
    word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = []
    for columns in ("60", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        with contextlib.suppress(SystemExit):
            assert cli.main([word]) == Exit.BAD_REQUEST
        lines.append("".join(capsys.readouterr()).count("\n"))
    assert lines[0] > lines[1]
