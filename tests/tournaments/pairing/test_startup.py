"""Imports of a command: pairing a round takes 0.01 s, so that starting must not take half a second."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.pairing import corpus

ROOT = Path(__file__).resolve().parents[3]
_SCRIPT = """
import sys
before = set(sys.modules)
from tournaments.commandline import pairing
assert pairing.main(["--dutch", sys.argv[1], "-p"]) == 0
loaded = set(sys.modules) - before
print(*sorted({name.partition(".")[0] for name in loaded}), file=sys.stderr)
print(*sorted(name for name in loaded if name.startswith("tournaments.")), file=sys.stderr)
"""


def _loaded(tmp_path: Path) -> tuple[set[str], set[str]]:
    """The packages, and the modules of our own, that pairing an ordinary round of a hundred players loads.

    A measurement of coverage loads modules of its own before the command: these are not counted.
    """
    case = next(c for c in corpus.cases() if c.boards and len(c.boards) == 50)
    source = tmp_path / "in.trf"
    source.write_text(case.trf)
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(source)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    packages, modules = done.stderr.splitlines()
    return set(packages.split()), set(modules.split())


def test_pairing_a_round_loads_no_large_package_and_no_other_system(tmp_path: Path) -> None:
    packages, modules = _loaded(tmp_path)
    assert not packages & {"networkx", "numpy", "scipy", "django", "celery"}
    # `dataclasses` loads `inspect` and compiles functions for each class: a third of the start.
    assert not packages & {"dataclasses", "inspect", "pathlib", "shutil"}
    for name in ("standings", "pairing.arena", "pairing.league", "pairing.dutch.why.explain"):
        assert f"tournaments.{name}" not in modules


@pytest.mark.long
def test_hard_rounds_are_paired_with_the_standard_library_alone(tmp_path: Path) -> None:
    """Half of the field has met in the end, so that some brackets are paired the exact way."""
    (tmp_path / "cfg").write_text("PlayersNumber=20\nRoundsNumber=15\n")
    command = ["tournaments.pairing", "--dutch", "-g", "cfg", "-s", "3", "-o", "out.trf"]
    subprocess.run(
        [sys.executable, "-S", "-m", *command],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert (tmp_path / "out.trf").read_text().count("\n001 ") == 20
