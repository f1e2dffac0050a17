"""The stock bbpPairings, if it is installed, and its known refusals of report files.

`BBPPAIRINGS` names the program, else it is looked for on the PATH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

_SYSTEMS = ("FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_BAKU", "FIDE_DUTCH_2025_BAKU")
_SYMBOLS = "WDLZP"


def program() -> str | None:
    """Return the path of bbpPairings, or None without it."""
    named = os.environ.get("BBPPAIRINGS")
    return named or shutil.which("bbpPairings") or shutil.which("bbpPairings.exe")


def paired(program: str, file: Path) -> list[tuple[int, int]]:
    """Return the pairs of the next round by the program, first side first. 0 is the bye."""
    answer = subprocess.run(
        [program, "--dutch", str(file), "-p"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    _, *lines = answer.stdout.split("\n")
    pairs = [line.split() for line in lines if line.strip()]
    return [(int(first), int(second)) for first, second in pairs]


def refused_lines(text: str) -> list[str]:
    """Lines at which the reader of bbpPairings 6.0.0 stops, as far as our writer could write them."""
    return [line for line in text.splitlines() if _is_refused(line)]


def _is_refused(line: str) -> bool:
    code, rest = line[:3], line[4:]
    if code == "192":
        return rest not in _SYSTEMS
    if code == "162":
        return any(symbol not in _SYMBOLS for symbol in line[5::9] if symbol != " ")
    if code == "152":
        return line not in ("152 W", "152 B")
    if code == "001":
        return len(line) < 84
    if code == "250":
        return len(line) < 31
    return code in ("299", "013", "310")
