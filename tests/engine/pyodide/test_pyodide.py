"""Python for browsers: the packages that bots import there, and a question to a bot."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from engine import pyodide, sdk

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = "ugi\nsetoption name Game value morlox(size=5,swap=on)\nposition startpos moves c3\ngo movetime 60\n"
# As the worker of the editor does it, which asks a thread that lives on.
_ASK = "import sys; sys.path.insert(0, sys.argv[1]); import rayuela_turn; rayuela_turn.play(sys.argv[2])"


def _answer(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Return the output of a program that is asked, with the packages of the browser alone."""
    packages = gzip.decompress(pyodide.compressed(folder, pyodide.PACKAGES))
    with zipfile.ZipFile(io.BytesIO(packages)) as archive:
        archive.extractall(folder)
    command = [sys.executable, "-I", "-S", "-c", _ASK, str(folder), source]
    return subprocess.run(command, input=QUESTION, capture_output=True, text=True, check=True)


@pytest.mark.engine
@pytest.mark.parametrize("sample", ["greedy.py", "random_mover.py", "search.py"])
def test_samples_answer_with_the_packages_of_the_browser(tmp_path: Path, sample: str) -> None:
    answer = _answer(tmp_path, (sdk.DIRECTORY / "samples" / sample).read_text())
    assert "\nbestmove " in answer.stdout
    assert "Traceback" not in answer.stderr


@pytest.mark.engine
@pytest.mark.parametrize(
    ("source", "output", "errors"),
    [
        ("print(input())", "ugi\n", ""),
        ("import sys\nprint(1)\nsys.exit('why')", "1\n", "why\n"),
        ("import sys\nsys.stderr.write(__name__)", "", "__main__"),
        ("\n1 / 0", "", 'File "bot.py", line 2, in <module>\n    1 / 0'),
        ("\nlet a;", "", 'File "bot.py", line 2\n    let a;'),
    ],
    ids=["input", "exit", "main", "error", "syntax"],
)
def test_a_program_has_its_streams_and_its_faults_have_their_lines(
    tmp_path: Path, source: str, output: str, errors: str
) -> None:
    answer = _answer(tmp_path, source)
    assert answer.stdout == output
    assert errors in answer.stderr
    assert "rayuela_turn" not in answer.stderr
