"""A wall clock of one part of an installation, which a test sets while the part runs."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.processes import ROOT

_SOURCE = ROOT / "tests/faults/clock.c"


class HostClock:
    """The clock of the host on which a part runs with these `variables`."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            pytest.skip("needs a compiler of C for the clock (Debian package gcc)")
        library = folder / "clock.so"
        command = [compiler, "-shared", "-fPIC", "-O1", str(_SOURCE), "-o", str(library), "-ldl"]
        subprocess.run(command, check=True)
        self._file = folder / "clock-shift"
        self.shift(0)
        self.variables: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "CLOCK_SHIFT": str(self._file),
        }

    def shift(self, seconds: int) -> None:
        """Set the clock to that difference from the machine's."""
        if not self._file.exists():
            self._file.write_bytes(bytes(8))
        # In place: running parts have this file in their memory.
        with self._file.open("r+b") as file:
            file.write(struct.pack("@q", seconds))
