"""The choice of an isolator: `bwrap` before `landlock`, if its self-test passes."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, TYPE_CHECKING

from engine.sandbox import selftest, staging
from engine.sandbox.bubblewrap import Bubblewrap
from engine.sandbox.landlock import Landlock
from engine.sandbox.refusals import (
    IsolationReason,
    IsolationRefusal,
    NoIsolationError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.sandbox.isolator import Isolator
    from engine.sandbox.selftest import SelfTest

ISOLATORS: Mapping[str, Callable[[], Isolator]] = MappingProxyType(
    {"bwrap": Bubblewrap.here, "landlock": Landlock.here}
)


@dataclass(frozen=True, slots=True)
class IsolatorFinding:
    """The state of one isolator on this machine.

    Attributes:
        isolator: None if it cannot even be tried.
        selftest: None then too.
        refusal: why it must not be used, or None if it may.
    """

    isolator: Isolator | None
    selftest: SelfTest | None
    refusal: IsolationRefusal | None


def choose() -> Isolator:
    """Return the first isolator whose self-test passes now.

    Ask at the start of a worker, and every few hours.

    Raises:
        NoIsolationError: there is no isolator. No foreign program may run.
    """
    refusals = {}
    for name in ISOLATORS:
        finding = examine(name)
        if finding.isolator is not None and finding.refusal is None:
            return finding.isolator
        assert finding.refusal is not None  # an isolator that cannot be tried has one
        refusals[name] = finding.refusal
    raise NoIsolationError(refusals)


def examine(name: str) -> IsolatorFinding:
    """Return the state of the isolator `name` after its self-test."""
    staging.look_again()
    try:
        isolator = ISOLATORS[name]()
        outcome = selftest.run(isolator)
    except UnavailableError as error:
        return IsolatorFinding(None, None, error.refusal)
    refusal = None if outcome.is_passed else IsolationRefusal(IsolationReason.LEAKED, outcome.leaks)
    return IsolatorFinding(isolator, outcome, refusal)


def write_report(out: IO[str]) -> int:
    """Write a table of all isolators and their probes, and return the exit code, 1 if no isolator is usable."""
    findings = {name: examine(name) for name in ISOLATORS}
    for name, finding in findings.items():
        out.write(f"{name}: {finding.refusal or 'every attack was stopped'}\n")
        for outcome in finding.selftest.outcomes if finding.selftest else ():
            is_honest = outcome.probe == selftest.HONEST_PROBE
            verdict = "FAILED" if is_honest else "LEAKED"
            if outcome.is_stopped:
                verdict = "runs" if is_honest else "stopped"
            description = selftest.PROBES[outcome.probe]
            out.write(f"  {verdict:7}  {outcome.probe:16} {description:62} {outcome.detail}\n")
    usable = [name for name, finding in findings.items() if finding.refusal is None]
    conclusion = (
        f"foreign programs run under {usable[0]}" if usable else "foreign programs do not run"
    )
    out.write(f"{conclusion}\n")
    return 0 if usable else 1
