"""Starts the process of a bot from an argument list and a bare environment.

The process dies with the thread that started it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Protocol

from engine import fork_server, parent_death
from engine.errors import LaunchError
from engine.match import BotSpec, Preloaded


@dataclass(frozen=True, slots=True)
class Launch:
    """An argument list, the whole environment and the working directory of a process.

    A shell never reads the argument list.

    `descriptors` are inherited by the child and closed here once it runs, so a launch serves once.
    The child first becomes `user` (uid and gid, no other groups) if that is given. `readiness` is
    our end of a pipe for a sandbox, which writes `READY` there before the bot's first instruction
    and closes its own end. A start without that word is the machine's fault, whichever exit status
    the bot has. `memory_bytes` is the limit of the resident memory of all its processes together.
    `preloaded` takes the place of `argv` and `directory` if this machine forks bots.
    """

    argv: Sequence[str]
    directory: str = "/"
    environment: Mapping[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    )
    descriptors: Sequence[int] = ()
    user: int | None = None
    readiness: int | None = None
    memory_bytes: int = 1 << 30
    preloaded: Preloaded | None = None


# The word of a complete sandbox. engine/sandbox/inside.py has it too and imports not one of our
# modules.
READY = b"ready"

Launcher = Callable[[BotSpec], Launch]


def unconfined(bot: BotSpec) -> Launch:
    """Return the bot's command as it is, with a bare environment and no sandbox.

    For trusted bots, such as the built-in ones.
    """
    launch = Launch(bot.argv, preloaded=bot.preloaded)
    home = os.environ.get("RAYUELA_HOME")
    if bot.preloaded is None or home is None:
        return launch
    # Our own bots find their compiled modules there.
    return replace(launch, environment={**launch.environment, "RAYUELA_HOME": home})


class ChildProcess(Protocol):
    """A process that was started here, and its pipes."""

    pid: int

    @property
    def stdin(self) -> IO[bytes] | None:
        """Return its standard input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """Return its standard output."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """Return its standard error."""

    def wait(self) -> int:
        """Wait for its end, and return its exit code."""


def spawn(launch: Launch) -> ChildProcess:
    """Start the process of `launch`, leader of a new session, killed with the calling thread.

    Raises:
        LaunchError: there is no such program, or it may not be run.
    """
    if launch.preloaded:
        module, arguments = launch.preloaded.module, launch.preloaded.arguments
        if process := fork_server.start(module, arguments, launch.environment):
            return process
    try:
        return subprocess.Popen(  # noqa: S603 - the purpose of this module
            list(launch.argv),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.directory,
            env=dict(launch.environment),
            start_new_session=True,
            pass_fds=tuple(launch.descriptors),
            user=launch.user,
            group=launch.user,
            extra_groups=None if launch.user is None else [],
            preexec_fn=parent_death.end_with(os.getpid()),
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if launch.readiness is not None:
            os.close(launch.readiness)
        raise LaunchError(f"cannot start {' '.join(launch.argv)[:200]!r}: {error}") from error
    finally:
        for descriptor in launch.descriptors:
            os.close(descriptor)
