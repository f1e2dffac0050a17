"""The self-test: probes attempt forbidden things in the sandbox. One leak bars its use."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import BotFailedError, LaunchError
from engine.match import BotSpec
from engine.process import BotProcess
from engine.sandbox import staging, users

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.process import Launcher
    from engine.sandbox.isolator import Isolator

_TREE = Path(__file__).parent / "probes"
_PATIENCE_NS = 20_000_000_000

# The probe of an honest program, which must succeed.
HONEST_PROBE = "thinks"
# The attempt of each probe of `probes/main.py`, for the operator.
PROBES: Mapping[str, str] = {
    HONEST_PROBE: "must succeed: read itself, import the rules, use a thread",
    "is-nobody": "be root",
    "reads-files": "read files of the machine and of the worker",
    "reads-processes": "read the process table and the kernel's switches",
    "writes-files": "write to its own program or anywhere else that stays",
    "inherits": "find secrets in its environment or among its descriptors",
    "connects": "make a socket",
    "forks": "make a process",
    "takes-memory": "take more memory than allowed",
    "signals": "signal the worker or a neighbour",
    "outlives": "outlive the worker",
    "calls": "make any of the refused system calls",
}


@dataclass(frozen=True, slots=True)
class Lure:
    """Facts about the worker for the probes, so that they look in the right places.

    Attributes:
        pid: the worker.
        secret: a value in the worker's environment.
        secret_file: a file of the worker's that the whole machine can read.
        open_directory: a directory of the worker's that the whole machine can write to.
    """

    pid: int
    secret: str
    secret_file: str
    open_directory: str


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """The result of one probe.

    `detail` is the error that stopped it, or the forbidden thing that it could do.
    """

    probe: str
    is_stopped: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The results of all probes in the sandbox of one isolator."""

    isolator: str
    outcomes: Sequence[ProbeOutcome]

    @property
    def is_passed(self) -> bool:
        """Return whether every probe ran and was stopped."""
        return all(outcome.is_stopped for outcome in self.outcomes)

    @property
    def leaks(self) -> str:
        """Return the probes that were not stopped, in one sentence, or an empty text if the test is passed."""
        failures = (outcome for outcome in self.outcomes if not outcome.is_stopped)
        return "; ".join(f"{outcome.probe}: {outcome.detail}" for outcome in failures)


def run(isolator: Isolator) -> SelfTest:
    """Run all probes simultaneously in the sandbox of `isolator`, a process each.

    Takes about half a second. Workers of one machine take turns. Outside of namespaces the limit of
    processes counts all processes of a user, so that their probes would take each other's threads.

    Raises:
        UnavailableError: this machine lacks a requirement of the isolator.
    """
    with staging.one_at_a_time("self-test", users.user_for(0)):
        return _run(isolator)


def _run(isolator: Isolator) -> SelfTest:
    launcher = isolator.launcher()
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="rayuela-lure-") as directory:
        lure = _make_lure(Path(directory), secret)
        os.environ["RAYUELA_SELFTEST"] = secret
        running: dict[str, BotProcess | str] = {}
        try:
            for name in PROBES:
                running[name] = _start(launcher, name, lure)
            outcomes = [_outcome(name, process) for name, process in running.items()]
        finally:
            del os.environ["RAYUELA_SELFTEST"]
            for process in running.values():
                if isinstance(process, BotProcess):
                    process.close()
    return SelfTest(isolator.name, tuple(outcomes))


def _make_lure(directory: Path, secret: str) -> Lure:
    directory.chmod(0o755)
    secret_file = directory / "settings.py"
    secret_file.write_text(f"SECRET_KEY = {secret!r}\n")
    secret_file.chmod(0o644)
    open_directory = directory / "open"
    open_directory.mkdir()
    open_directory.chmod(0o777)  # what the probe must not use
    return Lure(os.getpid(), secret, str(secret_file), str(open_directory))


def _start(launcher: Launcher, name: str, lure: Lure) -> BotProcess | str:
    """Return the running probe, or why it does not run."""
    argv = ("python", "/bot/main.py", name, json.dumps(asdict(lure)))
    try:
        return BotProcess(launcher(BotSpec(name, argv, str(_TREE))))
    except LaunchError as error:
        return str(error)


def _outcome(name: str, process: BotProcess | str) -> ProbeOutcome:
    """Return the result that the probe reports. A probe without a report was not stopped by us."""
    if isinstance(process, str):
        return ProbeOutcome(name, is_stopped=False, detail=process)
    try:
        reply = process.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS).text
    except BotFailedError as error:
        process.close()
        last = process.stderr_text.strip().rpartition("\n")[2]
        detail = f"did not run: {error.detail}" + (f", {last}" if last else "")
        return ProbeOutcome(name, is_stopped=False, detail=detail)
    verdict, _, detail = reply.partition(": ")
    return ProbeOutcome(name, is_stopped=verdict == "stopped", detail=detail)
