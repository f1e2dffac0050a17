"""The sandbox of this machine.

It is tested before an author's program runs in it and every few hours, and reported to the site.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import billiard
from django.conf import settings

from engine import programs, sandbox
from engine.errors import EngineError
from engine.launch import Launcher
from engine.sandbox import Inventory, Isolator, choice, inventory
from tournaments import database_time
from tournaments.models import SandboxReport
from tournaments.queues import Queue
from tournaments.services.bots import programs as uploads

log = logging.getLogger(__name__)

AGAIN = SandboxReport.AGAIN
# The operator of a machine without a sandbox may repair it at any moment.
AGAIN_WITHOUT = timedelta(minutes=5)
_LONGEST_VERSION = 40
_LONGEST_COMPILERS = 200
_NOTHING = sandbox.Inventory("", "")
# The limit of all of a bot's threads in a match: the length of the longest match.
_LIMITS = sandbox.Limits(cpu_s=2 * 3600)
# The first slot of a worker by its queue: far enough apart for the processes of one on any machine.
_FIRST_SLOTS: dict[str, int] = {Queue.BOTS: 0, Queue.REPLIES: 450, Queue.CHECKS: 600}


@dataclass
class SelfTest:
    """The result of the last self-test, which a worker's processes inherit from their parent."""

    isolator: Isolator | None = None
    until: datetime | None = None
    # Queues that the worker serves. A worker without queues reports under its own name.
    queues: Sequence[str] = ("",)


_self_test = SelfTest()


def isolator() -> Isolator | None:
    """The isolator of this machine, or None when authors' programs cannot run here."""
    if _self_test.until is None or _self_test.until <= database_time.now():
        examine()
    return _self_test.isolator


def launcher() -> Launcher:
    """The launcher of bots.

    Authors' bots start in the sandbox as the user of this process's slot, built-in bots without it.

    Raises:
        UnavailableError: the sandbox does not hold, or not any more.
    """
    usable = isolator()
    if usable is None:
        raise sandbox.UnavailableError(
            sandbox.IsolationReason.LEAKED, "no isolator holds on this machine"
        )
    return usable.launcher(_LIMITS, slot=_slot())


def serve(queues: Sequence[str]) -> None:
    """Report for these queues, and let bots run as other users than in workers of other queues.

    Workers of all queues may be on one machine.
    """
    _self_test.queues = tuple(queues)


def invalidate_self_test() -> None:
    """Test the sandbox again before its next use, after it could not be set up."""
    _self_test.until = None


def examine() -> bool:
    """Test the sandbox now, report to the site, and return whether it works."""
    now = database_time.now()
    findings = _findings()
    _self_test.isolator = next((f.isolator for f in findings.values() if f.refusal is None), None)
    isolator_name = "" if _self_test.isolator is None else _self_test.isolator.name
    report = "\n".join(
        f"{name}: {finding.refusal or 'every probe was stopped'}"
        for name, finding in findings.items()
    )
    if not isolator_name:
        log.error("isolation.none host=%s reasons=%s", _host(), report.replace("\n", "; "))
    versions = _inventory(_self_test.isolator)
    compilers = uploads.compilers()
    for queue in _self_test.queues:
        SandboxReport.objects.update_or_create(
            host=_host(),
            queue=queue,
            defaults={
                "isolator": isolator_name,
                "python": versions.python[:_LONGEST_VERSION],
                "numpy": versions.numpy[:_LONGEST_VERSION],
                "compiler": compilers[:_LONGEST_COMPILERS],
                "report": report[:10_000],
                "checked_at": now,
            },
        )
    _self_test.until = now + (AGAIN if isolator_name else AGAIN_WITHOUT)
    return bool(isolator_name)


def _inventory(usable: Isolator | None) -> Inventory:
    """Return the versions in the sandbox, or an empty inventory without a sandbox or an answer."""
    if usable is None:
        return _NOTHING
    try:
        return inventory.take(usable, programs.python_libraries())
    except (EngineError, OSError):
        log.exception("isolation.inventory host=%s", _host())
        return _NOTHING


def _findings() -> dict[str, sandbox.IsolatorFinding]:
    """The findings about each isolator that may be used, up to the first that works."""
    setting = settings.BOTS_ISOLATOR
    findings: dict[str, sandbox.IsolatorFinding] = {}
    for name in choice.ISOLATORS if setting == "auto" else [setting]:
        findings[name] = sandbox.examine(name)
        if findings[name].refusal is None:
            break
    return findings


def _host() -> str:
    return socket.gethostname()[:200]


def _slot() -> int:
    """Return the number of this process in its worker, counted from the first.

    Outside of workers it is the first.
    """
    return _FIRST_SLOTS.get(_self_test.queues[0], 0) + (
        getattr(billiard.current_process(), "index", None) or 0
    )
