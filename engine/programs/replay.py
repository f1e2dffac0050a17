"""`python -m engine verify RECORD PROGRAM...`: play a game under fuel again and compare."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine.errors import EngineError
from engine.programs import store
from engine.programs.fuel_game import ReplayVerdict, parse_fuel_game, replay

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXIT_CODES = {ReplayVerdict.CONFIRMED: 0, ReplayVerdict.DIFFERENT: 1, ReplayVerdict.UNDECIDED: 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a record and its programs to `parser`."""
    parser.add_argument("record", type=Path, metavar="RECORD")
    parser.add_argument(
        "programs", type=Path, nargs="+", metavar="PROGRAM", help="both .wasm files, in any order"
    )


def run(record: Path, programs: Sequence[Path]) -> int:
    """Play the game of `record` again, write the result, and return the exit code.

    0 is confirmed, 1 different, 2 undecided or a mistake in the call.
    """
    try:
        with tempfile.TemporaryDirectory() as directory:
            uploads = [
                store.unpack(path.read_bytes(), path.name, Path(directory)) for path in programs
            ]
            game = parse_fuel_game(record.read_text(encoding="ascii"))
            finding = replay(game, {program.digest: program for program in uploads})
    except (EngineError, games.RulesError, OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"verify: {error}\n")
        return _EXIT_CODES[ReplayVerdict.UNDECIDED]
    sys.stdout.write(f"{finding.verdict.value}: {finding.detail}\n")
    return _EXIT_CODES[finding.verdict]
