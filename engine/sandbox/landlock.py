"""The sandbox of Landlock: a kernel filter for files, and another for system calls.

For machines that forbid user namespaces. The program keeps the machine's process table and network,
but can neither name a process nor make a socket. It sees which files exist, and reads only the
files that it is shown.

Sources: Documentation/userspace-api/landlock.rst, landlock(7).
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from engine.process import Launch, unconfined
from engine.sandbox import interpreters, seccomp, staging, users
from engine.sandbox.isolator import (
    DEFAULTS,
    ENVIRONMENT,
    LOADER_CACHE,
    SandboxPaths,
    orders,
    tree_of,
)
from engine.sandbox.refusals import IsolationReason, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.match import BotSpec
    from engine.process import Launcher
    from engine.sandbox.interpreters import Interpreter
    from engine.sandbox.limits import Limits

_CREATE_RULESET = 444
_VERSION = 1


def kernel_abi() -> int:
    """Return the version of Landlock that this kernel offers, or 0 without Landlock."""
    seccomp.this_architecture()
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)))


@cache
def _files(interpreter: Interpreter) -> Sequence[str]:
    """Return the files and directories of an interpreter that the sandbox shows.

    The list is kept in the process: looking for 200 files takes longer than some plies. After an
    upgrade of Python the worker has to be restarted.
    """
    own = [interpreter.executable, *interpreter.shared_libraries, LOADER_CACHE]
    return [str(path) for path in (*own, *interpreter.library_entries()) if path.exists()]


@dataclass(frozen=True, slots=True)
class Landlock:
    """The isolator `landlock`. `abi` is the version of the kernel."""

    abi: int
    name = "landlock"

    @classmethod
    def here(cls) -> Landlock:
        """Return the isolator of this machine.

        Raises:
            UnavailableError: its kernel has no Landlock, or there is no user or no interpreter for
                the sandbox.
        """
        abi = kernel_abi()
        if abi == 0:
            raise UnavailableError(IsolationReason.NO_LANDLOCK, "kernel ABI 0")
        interpreters.find(users.user_for(0))
        return cls(abi)

    def launcher(self, limits: Limits = DEFAULTS, slot: int = 0) -> Launcher:
        user = users.user_for(slot)
        interpreter = interpreters.find(user)
        packages_for = cache(partial(staging.packages, user))
        python = [str(interpreter.executable), "-I", "-S", "-B"]
        system_calls = seccomp.build_filter(seccomp.this_architecture())
        system = [*_files(interpreter), "/dev/urandom"]
        directories = [str(path) for path in interpreter.directories]

        def launch(bot: BotSpec) -> Launch:
            if bot.tree is None:
                return unconfined(bot)
            SandboxPaths().words(bot.argv)  # refused before anything is copied for it
            tree = str(staging.for_user(tree_of(bot), user))
            packages = str(packages_for(bot.libraries))
            place = SandboxPaths(tree, packages)
            confinement = {
                "readable": [*system, packages, tree],
                "listable": directories,
                "writable": ["/dev/null"],
            }
            # Without its own namespace RLIMIT_NPROC counts all processes of its user.
            processes = limits.processes + users.running_tasks(user)
            ours, theirs = os.pipe()
            instructions = orders(
                replace(limits, processes=processes),
                place,
                readiness=theirs,
                system_calls=system_calls,
                confinement=confinement,
            )
            return Launch(
                [
                    *python,
                    f"{packages}/engine/sandbox/inside.py",
                    instructions,
                    *place.words(bot.argv),
                ],
                tree,
                ENVIRONMENT,
                descriptors=(theirs,),
                user=user,
                readiness=ours,
            )

        return launch
