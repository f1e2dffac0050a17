"""Workers of other users: the campaign, from a copy of the source that they can read."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.sandbox import interpreters, staging, users
from engine.sandbox.choice import ISOLATORS
from engine.sandbox.refusals import UnavailableError

ROOT = Path(__file__).resolve().parents[3]
ORDINARY_UID = 64_000
_PATIENCE_S = 240


@dataclass(frozen=True)
class Worker:
    """The runner of the bots: this isolator, started by `uid`."""

    isolator: str
    uid: int

    def __str__(self) -> str:
        return f"{self.isolator} as {'root' if self.uid == 0 else 'user'}"


def workers() -> list[Worker]:
    """Everybody this process can be: root, and an ordinary user, or only itself."""
    if os.geteuid() != 0:
        return [Worker(isolator, os.geteuid()) for isolator in ISOLATORS]
    # A user for each: the kernel counts all threads of a user.
    return [
        Worker(isolator, uid)
        for k, isolator in enumerate(ISOLATORS)
        for uid in (0, ORDINARY_UID + k)
    ]


def start(worker: Worker, what: str) -> subprocess.Popen[str]:
    """Return the campaign as `worker`."""
    user = None if worker.uid == os.geteuid() else worker.uid
    source = staging.packages(user, (str(ROOT / "tests"),))
    python = interpreters.find(user).executable
    return subprocess.Popen(
        [str(python), "-s", "-B", "-m", "tests.engine.sandbox.campaign", what, worker.isolator],
        cwd=source,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SECRET_KEY": "for the worker only"},
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@functools.cache
def campaign(worker: Worker) -> dict[str, Any]:
    """Return the results of all attacks on the sandbox of `worker`, run once."""
    with start(worker, "attack") as process:
        output, complaints = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 0, complaints
    result: dict[str, Any] = json.loads(output)
    return result


@functools.cache
def missing(isolator: str) -> str:
    """Return why this machine has no such sandbox, or an empty text when it has."""
    try:
        ISOLATORS[isolator]()
    except UnavailableError as error:
        return str(error)
    return ""


def remove(directory: str) -> None:
    """Remove the files that a killed worker could not remove."""
    shutil.rmtree(directory, ignore_errors=True)


def host_user(worker: Worker) -> int:
    """Return the user that the kernel sees a bot of `worker` run as."""
    return users.user_for(0) or 0 if worker.uid == 0 else worker.uid
