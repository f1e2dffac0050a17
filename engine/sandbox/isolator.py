"""The common part of all isolators: the program they start, and its view of the files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.errors import LaunchError
from engine.sandbox.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.match import BotSpec
    from engine.process import Launcher

# Names of the interpreter, the program's own tree and our packages in an argument list.
PYTHON = "python"
TREE = "/bot"
PACKAGES = "/rayuela"

# numpy's library for matrices would take memory for a thread a processor, and time for them is
# charged. A thread would reserve 64 MiB of the address space for its own heap, and half of the
# threads that are allowed could not start.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}
DEFAULTS = Limits()

# The list in which the dynamic loader looks for the places of libraries, if it exists.
LOADER_CACHE = Path("/etc/ld.so.cache")


class Isolator(Protocol):
    """A way to run a foreign program so that it can only think and answer."""

    @property
    def name(self) -> str:
        """`bwrap` or `landlock`."""
        ...

    def launcher(self, limits: Limits = DEFAULTS, slot: int = 0) -> Launcher:
        """Return the launcher of bots: those with a tree in the sandbox, our own without a sandbox.

        `slot` tells the processes of one machine that play simultaneously from each other. Under
        root each has its own user.

        The launcher raises LaunchError for a program that does not exist or does not start with
        `python FILE`.

        Raises:
            UnavailableError: this machine cannot, by name.
        """
        ...


@dataclass(frozen=True, slots=True)
class SandboxPaths:
    """The paths in the sandbox that an argument list calls `/bot` and `/rayuela`."""

    tree: str = TREE
    packages: str = PACKAGES

    def words(self, argv: Sequence[str]) -> list[str]:
        """Return the words `FILE [ARGUMENT ...]` of `argv` with the paths of this sandbox.

        `argv` is `python FILE [ARGUMENT ...]`.

        Raises:
            LaunchError: `argv` is something else.
        """
        if len(argv) < 2 or argv[0] != PYTHON or argv[1].startswith("-"):
            raise LaunchError(
                f"a boxed program starts with `python FILE`: {' '.join(argv)[:200]!r}"
            )
        return [self._word(word) for word in argv[1:]]

    def _word(self, word: str) -> str:
        for name, directory in ((TREE, self.tree), (PACKAGES, self.packages)):
            if word == name or word.startswith(f"{name}/"):
                return directory + word.removeprefix(name)
        return word


def tree_of(bot: BotSpec) -> Path:
    """Return the directory of a foreign program.

    Raises:
        LaunchError: it is not there.
    """
    assert bot.tree is not None  # our own programs are not sandboxed
    tree = Path(bot.tree)
    if not tree.is_absolute() or not tree.is_dir():
        raise LaunchError(f"the program of {bot.name} is not there: {bot.tree!r}")
    return tree


def orders(
    limits: Limits,
    place: SandboxPaths,
    *,
    readiness: int,
    system_calls: bytes,
    confinement: dict[str, list[str]] | None = None,
) -> str:
    """Return the instructions for `inside.py`, as a Python literal.

    `readiness` is the descriptor on which it says that the sandbox is complete, `system_calls` the
    filter that `seccomp` has built.
    """
    values = {
        "limits": limits.as_rlimits(),
        "packages": place.packages,
        "landlock": confinement,
        "system_calls": system_calls.hex(),
        "readiness": readiness,
    }
    return repr(values)
