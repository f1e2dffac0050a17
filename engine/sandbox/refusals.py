"""Named reasons for which a machine cannot sandbox a program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.errors import EngineError, IsolationError

if TYPE_CHECKING:
    from collections.abc import Mapping


class IsolationReason(StrEnum):
    """The missing or wrong requirement.

    The value is for operators. docs/operate/sandbox.md has a remedy for each.
    """

    NOT_LINUX = "not Linux on x86-64 or AArch64"
    RUNNING_AS_ROOT = "running as root"
    NO_INTERPRETER = "interpreter not reachable"
    NO_PLACE = "no directory for copies that bots can read"
    NO_BUBBLEWRAP = "bubblewrap missing"
    NO_USER_NAMESPACES = "user namespaces disabled"
    BUBBLEWRAP_FAILED = "bubblewrap failed"
    NO_LANDLOCK = "no Landlock"
    LEAKED = "self-test leaked"


@dataclass(frozen=True, slots=True)
class IsolationRefusal:
    """A refusal of an isolator: the reason, and the machine's message."""

    reason: IsolationReason
    detail: str

    def __str__(self) -> str:
        return f"{self.reason.value} ({self.detail})"


class UnavailableError(IsolationError):
    """An isolator cannot work on this machine. A game that meets it is void."""

    code = "isolator-unavailable"

    def __init__(self, reason: IsolationReason, detail: str) -> None:
        self.refusal = IsolationRefusal(reason, detail)
        super().__init__(str(self.refusal))


class NoIsolationError(EngineError):
    """No isolator works on this machine, so no foreign program may run.

    `refusals` says why, by isolator.
    """

    code = "no-isolation"

    def __init__(self, refusals: Mapping[str, IsolationRefusal]) -> None:
        self.refusals = dict(refusals)
        why = "; ".join(f"{name}: {refusal}" for name, refusal in refusals.items())
        super().__init__(f"this machine cannot isolate foreign programs: {why}")
