"""The sandbox of bubblewrap: namespaces and an almost empty file system.

If the real root starts it, with every capability dropped, such a sandbox has been seen to write
`/proc/sys`: the kernel's owner is still root. Therefore root is left first (`users.user_for`), and
the sandbox has no `/proc` at all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from engine.process import Launch, unconfined
from engine.sandbox import interpreters, seccomp, staging, users
from engine.sandbox.isolator import (
    DEFAULTS,
    ENVIRONMENT,
    LOADER_CACHE,
    PACKAGES,
    TREE,
    SandboxPaths,
    orders,
    tree_of,
)
from engine.sandbox.refusals import IsolationReason, UnavailableError

if TYPE_CHECKING:
    from engine.match import BotSpec
    from engine.process import Launcher
    from engine.sandbox.interpreters import Interpreter
    from engine.sandbox.limits import Limits

# The user of the program in its own namespace.
_NOBODY = "65534"
_DEVICES = ("/dev/null", "/dev/urandom")
_PATIENCE_S = 20


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The isolator `bwrap`, for machines that let users make namespaces.

    `program` is the absolute path of bwrap.
    """

    program: str
    name = "bwrap"

    @classmethod
    def here(cls) -> Bubblewrap:
        """Return the isolator of this machine.

        Raises:
            UnavailableError: it has no bubblewrap, or no namespaces for users.
        """
        program = shutil.which("bwrap")
        if program is None:
            raise UnavailableError(IsolationReason.NO_BUBBLEWRAP, "no bwrap on the PATH")
        isolator = cls(os.path.realpath(program))
        isolator.try_out()
        return isolator

    def try_out(self) -> None:
        """Start an empty sandbox.

        Raises:
            UnavailableError: the reason, in the words of bubblewrap.
        """
        user = users.user_for(0)
        interpreter = interpreters.find(user)
        argv = [*self._namespaces(DEFAULTS), *_machine(interpreter), "--remount-ro", "/"]
        process = subprocess.run(  # noqa: S603
            [*argv, "--", str(interpreter.executable), "-I", "-S", "-c", ""],
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            cwd="/",
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        if process.returncode != 0:
            message = process.stderr.strip()[:300] or f"status {process.returncode}"
            is_namespace = "namespace" in message or "uid map" in message
            reason = (
                IsolationReason.NO_USER_NAMESPACES
                if is_namespace
                else IsolationReason.BUBBLEWRAP_FAILED
            )
            raise UnavailableError(reason, message)

    def launcher(self, limits: Limits = DEFAULTS, slot: int = 0) -> Launcher:
        user = users.user_for(slot)
        interpreter = interpreters.find(user)
        packages_for = cache(partial(staging.packages, user))
        system_calls = seccomp.build_filter(seccomp.this_architecture())
        place = SandboxPaths()
        beginning = [*self._namespaces(limits), *_machine(interpreter)]
        python = [str(interpreter.executable), "-I", "-S", "-B"]

        def launch(bot: BotSpec) -> Launch:
            if bot.tree is None:
                return unconfined(bot)
            words = place.words(bot.argv)
            tree = str(staging.for_user(tree_of(bot), user))
            packages = str(packages_for(bot.libraries))
            mounts = ["--ro-bind", packages, PACKAGES, "--ro-bind", tree, TREE]
            mounts += ["--chdir", TREE, "--remount-ro", "/"]
            ours, theirs = os.pipe()
            program = [
                *python,
                f"{PACKAGES}/engine/sandbox/inside.py",
                orders(limits, place, readiness=theirs, system_calls=system_calls),
            ]
            argv = [*beginning, *mounts, "--", *program, *words]
            return Launch(argv, "/", ENVIRONMENT, (theirs,), user, readiness=ours)

        return launch

    def _namespaces(self, limits: Limits) -> list[str]:
        variables = (word for item in ENVIRONMENT.items() for word in ("--setenv", *item))
        return [
            *(self.program, "--unshare-all", "--unshare-user", "--die-with-parent"),
            *("--new-session", "--clearenv", *variables, "--cap-drop", "ALL"),
            *("--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "box"),
        ]


def _machine(interpreter: Interpreter) -> list[str]:
    """Return the arguments that show the sandbox the interpreter, its libraries and two devices."""
    words = []
    files = [interpreter.executable, *interpreter.shared_libraries]
    for path in (*files, *interpreter.directories):
        words += ["--ro-bind", str(path), str(path)]
    words += ["--ro-bind-try", str(LOADER_CACHE), str(LOADER_CACHE)]
    for hidden in interpreter.foreign_directories:
        words += ["--perms", "0000", "--tmpfs", str(hidden), "--remount-ro", str(hidden)]
    for device in _DEVICES:
        words += ["--dev-bind", device, device]
    return words
