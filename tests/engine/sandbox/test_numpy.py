"""numpy for uploaded programs: the pinned one, in both sandboxes, and no other package."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

import games
from engine import programs, referee
from engine.clock import PerMove
from engine.match import GameReport, MatchSpec
from engine.players import registry
from engine.programs import Program, ProgramKind
from engine.sandbox.choice import ISOLATORS
from engine.sandbox.isolator import Isolator
from tests.engine.sandbox import children

pytestmark = pytest.mark.engine
ROOT = Path(__file__).resolve().parents[3]
GAME = "morlox(size=5)"
# Reports on standard error the packages that it can import, and plays by its computation.
BOT = """\
import importlib.util, os, sys
import numpy
import numpy.fft, numpy.linalg, numpy.random
from rayuela_sdk import run

matrix = numpy.random.default_rng(1).random((64, 64))
is_one = numpy.allclose(numpy.linalg.inv(matrix) @ matrix, numpy.eye(64))
others = [name for name in ("django", "scipy", "celery", "pydantic", "pip", "tournaments", "config")
          if importlib.util.find_spec(name)]
threads = os.environ["OPENBLAS_NUM_THREADS"]
print("sees", numpy.__version__, is_one, others, threads, file=sys.stderr, flush=True)

def choose(position, clock):
    moves = list(position.legal_moves())
    return moves[int(numpy.argmin([len(position.play(move).legal_moves()) for move in moves]))]

run(choose)
"""


@pytest.fixture(params=ISOLATORS)
def isolator(request: pytest.FixtureRequest) -> Isolator:
    if reason := children.missing(request.param):
        pytest.skip(f"no such sandbox on this machine: {reason}")
    return ISOLATORS[request.param]()


@pytest.fixture
def game(isolator: Isolator, tmp_path: Path) -> GameReport:
    """Return a game of the program, as uploads are started, against one of ours."""
    (tmp_path / "main.py").write_text(BOT)
    program = Program("0" * 64, ProgramKind.PYTHON, tmp_path, "main.py", len(BOT), 1)
    ruleset = games.load(GAME)
    setup = ruleset.setup_text(ruleset.initial(seed=1))
    players = (program.spec("numeric"), registry.spec("random", seed=1))
    spec = MatchSpec(GAME, setup, players, PerMove(20_000), games=1)
    return referee.play_match(spec, launcher=isolator.launcher()).games[0]


def test_an_uploaded_program_computes_with_numpy_and_imports_no_other_package(
    game: GameReport,
) -> None:
    assert game.fault is None, game.detail
    assert f"sees {metadata.version('numpy')} True [] 1" in game.transcripts[0].text()


def test_what_is_shown_is_numpy_with_its_shared_libraries_alone() -> None:
    names = {Path(directory).name for directory in programs.python_libraries()}
    assert {"numpy"} <= names <= {"numpy", "numpy.libs"}


def test_authors_read_the_version_that_is_pinned() -> None:
    pinned = re.findall(r"^numpy==(\S+)", (ROOT / "requirements.lock").read_text(), re.M)
    announced = re.findall(
        r"numpy (\d\S+)\s+(?:under|from)", (ROOT / "docs/bots/limits-of-a-bot.md").read_text()
    )
    assert announced == pinned
