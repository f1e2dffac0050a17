"""`python -m tournaments.ratings`: files in, JSON out, and one line for every mistake."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.ratings.rating_vectors import vectors
from tournaments.commandline.ratings import main
from tournaments.ratings import pgn_results, result_files, tally
from tournaments.ratings.errors import ResultFileError

ROOT = Path(__file__).resolve().parents[3]
PAIRS = vectors("bradley-terry")["pairs"]
ROWS = [f"p{a},p{b},{w},{d},{lost}" for a, b, w, d, lost in PAIRS]


def pgn(first, second, result):
    return f'[Event "x"]\n[White "{first}"]\n[Black "{second}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'


@pytest.fixture
def pairs_file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


@pytest.fixture
def run(capsys):
    def run(*arguments):
        code = main(["bradley-terry", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_pairs_give_ratings_with_error_bars(run, pairs_file):
    code, out, err = run(pairs_file("pairs.csv", "\n".join(ROWS)), "--los")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["model"], report["games"], report["groups"]) == ("rao-kupper", 600, 1)
    ratings = report["ratings"]
    assert [row["player"] for row in ratings[:2]] == ["p2", "p1"]
    assert ratings == sorted(ratings, key=lambda row: -row["rating"])
    assert all(35 < row["error95"] < 60 for row in ratings)
    assert sum(row["points"] for row in ratings) == 600
    assert len(report["los"]) == 8
    assert report["los"][0][0] == 0.5
    assert report["los"][0][7] > 0.99


def test_module_is_a_command(pairs_file):
    command = [sys.executable, "-m", "tournaments.ratings", "bradley-terry"]
    process = subprocess.run(
        [*command, pairs_file("pairs.csv", "a,b,3,2,1")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0
    assert [row["player"] for row in json.loads(process.stdout)["ratings"]] == ["a", "b"]


def _without_packages(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command without site-packages, as outside of `.venv`."""
    return subprocess.run(
        [sys.executable, "-S", "-m", *command],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_command_names_the_package_that_this_python_lacks(tmp_path):
    (tmp_path / "pairs.csv").write_text("a,b,3,2,1")
    process = _without_packages(tmp_path, "tournaments.ratings", "bradley-terry", "pairs.csv")
    assert process.returncode == 2
    (line,) = process.stderr.splitlines()
    assert "has no package numpy" in line
    assert ".venv/bin/python" in line


def test_games_give_the_same_as_their_counts(run, pairs_file):
    texts = []
    for first, second, *counts in PAIRS:
        for result, count in zip(("1-0", "1/2-1/2", "0-1"), counts, strict=True):
            texts += [pgn(f"p{first}", f"p{second}", result)] * count
    games = run(pairs_file("games.pgn", "".join(texts)))
    assert games == run(pairs_file("pairs.csv", "\n".join(ROWS)))


@pytest.mark.parametrize(
    "text",
    [
        "first,second,wins,draws,losses\na,b,3,2,1",
        "White,Black,W,D,L\n\n a , b ,3,2,1\n",
        "draws,first,second,losses,wins,note\n2,a,b,1,3,rainy",
        "\ufeffa,b,3,2,1\r\n",
        "a,b,1,2,0\na,b,2,0,1",
    ],
)
def test_table_of_pairs_is_read_with_and_without_a_header(pairs_file, tmp_path, text):
    pairs_file("t.csv", text)
    [row] = result_files.read(tmp_path / "t.csv").table.counts()
    assert (row.first, row.second, row.wins, row.draws, row.losses) == ("a", "b", 3, 2, 1)


def test_tags_of_games_are_read_in_any_order_and_encoding(pairs_file, tmp_path):
    text = (
        '[Result "0-1"]\n[White "Jos\u00e9 \\"J\\" [x]"]\n[Black "b"]\n\n'
        '1. e4 {[%clk 1:00]\n[not a tag] } 0-1\n\n[White "b"]\n[Black "c"]\n[Result "*"]\n'
        '[White "b"]\n[Black "c"]\n[Result "1/2-1/2"]\n'
    )
    pairs_file("g.pgn", text.encode("latin-1"))
    results = result_files.read(tmp_path / "g.pgn")
    assert results.unfinished == 1
    assert [(c.first, c.second, c.losses, c.draws) for c in results.table.counts()] == [
        ('Jos\u00e9 "J" [x]', "b", 1, 0),
        ("b", "c", 0, 1),
    ]


_LINES = (
    '[White "a"]\n',
    '[White "b"]\r\n',
    '[First "c"]\n',
    '[Black "b"]\n',
    '[Second " a "]\n',
    '[Black "c \\" d"]\n',
    '[Result "1-0"]\n',
    '[Result  "0-1" ] \n',
    '[Result "*"]\n',
    '[Event "?"]\n',
    '[WhiteElo "1500"]\n',
    "1. e4 e5\n",
    "{ a comment\n",
    "[%clk 1:00] }\n",
    "\n",
    "\r\n",
)
_GAMES = tuple(
    f'[Event "?"]\n[White "{one}"]\n[Black "{two}"]\n[Result "{result}"]\n[Round "1"]\n\n1. e4\n\n'
    for one, two, result in [("a", "b", "1-0"), ("b", "a", "1/2-1/2"), ("a", "c", "*")]
)


@pytest.mark.long
@settings(max_examples=300)
@given(
    parts=st.lists(st.sampled_from([*_GAMES, *_GAMES, *_GAMES, *_LINES]), max_size=12),
    piece=st.sampled_from([1, 7, 40, 200, 1 << 20]),
)
def test_games_are_counted_the_same_at_once_and_line_by_line(parts, piece):
    def outcome():
        sums = tally.Tally()
        try:
            pgn_results.read(io.BytesIO("".join(parts).encode()), sums)
            return list(sums.table().counts()), sums.unfinished()
        except ResultFileError as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pgn_results, "_PIECE", piece)
        at_once = outcome()
        patch.setattr(pgn_results.Games, "_are_usual", lambda *_: False)
        patch.setattr(pgn_results, "_MOST_OTHERS", 0)
        patch.setattr(tally, "_MOST_ROWS", 0)
        assert outcome() == at_once


_CELLS = st.sampled_from(["a", "b", "a", "b", " a", "", "\u00e9", '"c\n"', "d\u2028"])
_NUMBERS = st.sampled_from(
    ["0", "1", "2", "3", "999999999999", " 4 ", "", "-1", "\u0663", "1" * 13]
)
_ROWS = st.one_of(
    st.tuples(_CELLS, _CELLS, _NUMBERS, _NUMBERS, _NUMBERS),
    st.sampled_from(
        [("a", "b", "1", "2", "3"), ("b", "a", "1", "0", "0"), ("a", "b", "1"), (" ",), ()]
    ),
)


@pytest.mark.long
@settings(max_examples=300)
@given(rows=st.lists(_ROWS, max_size=8), encoding=st.sampled_from(["utf-8", "latin-1"]))
def test_rows_of_pairs_are_added_the_same_by_columns_and_one_by_one(rows, encoding):
    text = "\n".join(map(",".join, rows)).encode(encoding, "replace")

    def outcome():
        sums = tally.Tally()
        try:
            result_files._read_table(result_files._lines(io.BytesIO(text)), sums)
            return list(sums.table().counts())
        except ResultFileError as error:
            return str(error)

    together = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result_files, "_columns", lambda *_: None)
        patch.setattr(result_files, "_ROWS", 1)
        assert outcome() == together


def test_line_of_a_wrong_row_counts_the_lines_of_cells_before(run, pairs_file):
    _, _, err = run(pairs_file("x.csv", 'a,"b\n\nc",1,2,3\n\na,b,1,2,x\n'))
    assert "line 5: 'x'" in err


@pytest.mark.parametrize(
    "line", ['[A "b"]\n', '[White "a"]\n', '[White "a"]\n[Black "b"]\n', "[[[\n"]
)
def test_tags_without_end_are_looked_at_a_bounded_number_of_times(line):
    """A megabyte of tags that make no game: each was the first of all that follow, and that is quadratic."""
    started_s = time.process_time()
    text = line.encode() * (1_000_000 // len(line)) + b'\n[White "a"]\n'
    with pytest.raises(ResultFileError):
        pgn_results.read(io.BytesIO(text), tally.Tally())
    assert time.process_time() - started_s < 20


def test_options_choose_model_prior_sides_and_level(run, pairs_file):
    file = pairs_file("pairs.csv", "\n".join(ROWS))
    _, out, _ = run(file, "--model", "davidson", "--prior", "0", "--no-side", "--anchor", "p0=1500")
    report = json.loads(out)
    assert (report["model"], report["prior_draws"], report["side_advantage"]) == ("davidson", 0, 0)
    assert {row["player"]: row["rating"] for row in report["ratings"]}["p0"] == 1500
    _, out, _ = run(file, "--centre", "1500")
    ratings = [row["rating"] for row in json.loads(out)["ratings"]]
    assert sum(ratings) / 8 == pytest.approx(1500, abs=0.01)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "no game"),
        ("x.csv", "a,b,1,2", "line 1"),
        ("x.csv", "a,b,1,2,3\na,b,1,2", "line 2"),
        ("x.csv", "a,b,1,2,3\nc,d,1,-2,3", "line 2: '-2'"),
        ("x.csv", "a,b,1,2.5,3", "line 1: '2.5'"),
        ("x.csv", "a,a,1,2,3", "against itself"),
        ("x.csv", ",b,1,2,3", "name"),
        ("x.csv", 'a,"b,1,2,3', "line 1"),
        ("x.csv", "alpha,beta,gamma,delta,epsilon\na,b,1,2,3", "wanted first,second"),
        ("x.csv", b"\x00\x01", "not a text file"),
        ("x.pgn", "", "no game"),
        ("x.pgn", "1. e4 e5", "no game"),
        ("x.pgn", '[White "a"]\n[Black "b"]\n\n', "without result"),
        (
            "x.pgn",
            '[White "a"]\n[Black "b"]\n\n[Result "1-0"]\n[White "c"]\n[Black "d"]\n',
            "lines 1 to 4: a game without result",
        ),
        ("x.pgn", pgn("a", "b", "2-0"), "result '2-0'"),
        ("x.pgn", pgn("a", "a", "1-0"), "against itself"),
        ("x.pgn", pgn("a", "b", "*"), "no game"),
    ],
)
def test_file_that_makes_no_sense_is_told_in_one_line(run, pairs_file, name, text, message):
    code, out, err = run(pairs_file(name, text))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_missing_file_is_told(run, tmp_path):
    code, _, err = run(str(tmp_path / "nothing.csv"))
    assert code == 2
    assert "nothing.csv" in err


def test_pool_without_a_maximum_is_told(run, pairs_file):
    code, _, err = run(pairs_file("x.csv", "a,b,1,0,0"), "--prior", "0")
    assert code == 1
    assert "needs a prior" in err
    code, _, err = run(pairs_file("y.csv", "a,b,1,0,0"), "--anchor", "z=5")
    assert code == 1
    assert "'z' is not in the pool" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--model", "elo"],
        ["--prior", "-1"],
        ["--prior", "nan"],
        ["--anchor", "p0"],
        ["--centre", "x"],
    ],
)
def test_wrong_arguments_exit_with_two(pairs_file, arguments):
    with pytest.raises(SystemExit) as caught:
        main(["bradley-terry", pairs_file("p.csv", "a,b,1,2,3"), *arguments])
    assert caught.value.code == 2
