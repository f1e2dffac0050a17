"""Gacrux, the program of FIDE's Technical Commission, as a second opinion on report files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def rounds_paired_otherwise(file: Path) -> list[int]:
    """Return the rounds of a report file that Gacrux pairs otherwise. Fails if it cannot read the file."""
    rounds = _answer("pairingchecker", file)["pairingResult"]["roundpairing"]
    assert rounds, "Gacrux saw no round"
    return [each["round"] for each in rounds if not each["check"]]


def has_equal_places(file: Path) -> bool:
    """Return whether Gacrux ranks as the report file does, by its record 212. Fails if it cannot read the file."""
    return bool(_answer("tiebreakchecker", file)["tiebreakResult"]["check"])


def _answer(program: str, file: Path) -> dict[str, Any]:
    arguments = ["-i", str(file), "-f", "TRF", "-b", "utf-8", "-c"]
    run = subprocess.run(
        [sys.executable, "-m", f"gacrux.{program}", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    # 1 is a difference, and the others are refusals.
    assert answer["status"]["code"] in {0, 1}, answer["status"]
    return answer
