"""The result of a build, and its absence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from pathlib import Path

# The file of an installed compiler that has its name.
ABOUT = "about.json"


class BuildError(EngineError):
    """A build that gave no verdict: the compiler was killed, or is damaged. The machine is at fault."""

    code = "build-failed"


@dataclass(frozen=True, slots=True)
class Build:
    """The module, or None if the source has faults, and what the compiler said."""

    module: bytes | None
    log: str


def build_of(status: int, *, module: bytes | None, log: str, seconds: int) -> Build:
    """Return the build by the status of the compiler, which may take `seconds` of the processor."""
    if status not in {0, 1}:
        return Build(None, f"{log}\nThe compiler was stopped: it takes {seconds} s at most.\n")
    return Build((module or None) if status == 0 else None, log)


def name_in(folder: Path) -> str | None:
    """Return the name of the compiler that is installed in `folder`, or None without one."""
    try:
        return str(json.loads((folder / ABOUT).read_text())["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
