"""The result of a build, and its absence."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError


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
