"""Compilers that are native programs, in namespaces of their own (bubblewrap).

A compiler sees its own folder, the shared libraries that it needs, the source and a small scratch. There is no network
and no `/proc`. `engine.toolchain.languages` declares each of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.installation import Package, new_folder
from engine.sandbox import users
from engine.sandbox.refusals import UnavailableError
from engine.toolchain.outcome import ABOUT, Build, BuildError, build_of, name_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_PATIENCE_S = 300
_MEMORY_BYTES, _FILE_BYTES, _SCRATCH_BYTES = 4 << 30, 64 << 20, 512 << 20
# The log of a build has more than a reader reads. The rest is dropped.
_LOG_BYTES = 100_000
# Bots under root use the slots below (`tournaments.services.bots.sandbox_status`).
_SLOT = 899
_NOBODY = "65534"
# The places of the compiler and of the source in its eyes.
PLACE, _WORK = "/compiler", "/work"
_MODULE = "main.wasm"
# bwrap adds this to the number of the signal that ended its child.
_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class Native(Package):
    """The declaration of a native compiler of one language, which workers report by its `name`.

    Attributes:
        language: its name for people.
        suffix: the end of the names of uploads.
        commands: the words that build `source` to `main.wasm`, run one after the other.
        source: the name of the source for the compiler.
        version: the words that only name the version, to try the compiler out.
        seconds: time of the processor for each command.
        libraries: programs of the folder that need shared libraries of the machine.
        variables: the environment of the commands.
    """

    language: str
    suffix: str
    commands: tuple[tuple[str, ...], ...]
    source: str
    version: tuple[str, ...]
    seconds: int = 60
    libraries: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> str:
        """Return the name without the version."""
        return self.name.partition(" ")[0]

    def install(self, archives: Sequence[Path], folder: Path) -> None:
        """See `Package`. Raises BuildError, without an installation, if the compiler does not start here."""
        with new_folder(folder) as new:
            self.unpack(archives, new)
            digests = [archive.sha256 for archive in self.archives]
            (new / ABOUT).write_text(json.dumps({"name": self.name, "archives": digests}))
        fault = NativeTool(self, folder.absolute(), self.name).fault()
        if fault:
            shutil.rmtree(folder)
            raise BuildError(fault)


@dataclass(frozen=True, slots=True)
class _End:
    """The status of a command, and what it said."""

    status: int
    log: str


@dataclass(frozen=True, slots=True)
class NativeTool:
    """An installed native compiler: its folder and its name."""

    compiler: Native
    folder: Path
    name: str

    def build(self, files: Mapping[str, bytes]) -> Build:
        """See `engine.toolchain.Tool`. Raises BuildError."""
        (source,) = files.values()
        try:
            return self._build(source)
        except (UnavailableError, OSError, subprocess.SubprocessError) as error:
            raise BuildError(f"{self.name}: {error}") from error

    def fault(self) -> str:
        """Return why the compiler does not start in its sandbox on this machine. Empty if it does."""
        try:
            with tempfile.TemporaryDirectory() as name:
                end = self._run(self.compiler.version, Path(name))
        except (BuildError, UnavailableError, OSError, subprocess.SubprocessError) as error:
            return str(error) or type(error).__name__
        return f"status {end.status}: {end.log}" if end.status else ""

    def _build(self, source: bytes) -> Build:
        log, status = "", 0
        with tempfile.TemporaryDirectory() as name:
            work = Path(name)
            (work / self.compiler.source).write_bytes(source)
            for words in self.compiler.commands:
                end = self._run(words, work)
                log, status = log + end.log, end.status
                if status:
                    break
            module = _content(work / _MODULE)
        # Compilers have codes of their own for faults.
        verdict = status if status >= _SIGNALLED else min(status, 1)
        return build_of(verdict, module=module, log=log, seconds=self.compiler.seconds)

    def _run(self, words: Sequence[str], work: Path) -> _End:
        """Run a command with `work` as its current folder. Raises BuildError and more."""
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise BuildError("no bwrap on the PATH")
        user = users.user_for(_SLOT)
        if user is not None:
            os.chown(work, user, user)
        with tempfile.TemporaryFile() as output:
            child = subprocess.run(  # noqa: S603 - our own words
                [*self._sandbox(bwrap, words[0], work), "--", *words],
                user=user,
                group=user,
                extra_groups=None if user is None else [],
                cwd="/",
                env={},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=_PATIENCE_S,
                check=False,
                preexec_fn=_limiter(self.compiler.seconds),
            )
            output.seek(0)
            log = output.read(_LOG_BYTES).decode(errors="replace")
        if log.startswith("bwrap: "):
            raise BuildError(log)
        return _End(child.returncode, log)

    def _shared_libraries(self, folder: Path) -> set[str]:
        """Return the libraries of the machine that the compiler's programs are linked with."""
        variables = {
            name: value.replace(PLACE, str(folder)) for name, value in self.compiler.variables
        }
        paths: set[str] = set()
        for program in self.compiler.libraries:
            listing = subprocess.run(  # noqa: S603 - our own words
                ("/usr/bin/ldd", str(folder / program)),
                capture_output=True,
                text=True,
                check=True,
                env=variables,
            )
            # A line is `NAME => PATH (ADDRESS)`, or of the loader `PATH (ADDRESS)`.
            paths.update(word for word in listing.stdout.split() if word.startswith("/"))
        return {path for path in paths if not path.startswith(str(folder))}

    def _sandbox(self, bwrap: str, program: str, work: Path) -> list[str]:
        folder = self.folder.resolve()
        libraries = self._shared_libraries(folder)
        variables = (("HOME", "/tmp"), ("TMPDIR", "/tmp"), *self.compiler.variables)  # noqa: S108 - inside
        return [
            *(bwrap, "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"),
            *("--clearenv", "--cap-drop", "ALL", "--uid", _NOBODY, "--gid", _NOBODY),
            *("--hostname", "box", "--ro-bind", str(folder), PLACE),
            *(word for path in sorted(libraries) for word in ("--ro-bind", path, path)),
            # Some compilers look for their libraries beside themselves.
            *("--symlink", program, "/proc/self/exe", "--dev-bind", "/dev/null", "/dev/null"),
            *("--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp", "--bind", str(work), _WORK),  # noqa: S108 - inside
            *(word for pair in variables for word in ("--setenv", *pair)),
            *("--remount-ro", "/", "--chdir", _WORK),
        ]


def installed(compiler: Native, home: Path) -> NativeTool | None:
    """Return the compiler below `home`, or None without one."""
    name = name_in(home / compiler.folder)
    return None if name is None else NativeTool(compiler, home / compiler.folder, name)


def usable(compiler: Native, home: Path) -> NativeTool | None:
    """Return the compiler below `home`, or None if there is none that starts in its sandbox."""
    tool = installed(compiler, home)
    return tool if tool is not None and not tool.fault() else None


def _content(path: Path) -> bytes | None:
    """Return the bytes of a file, without following a link that the compiler may have been made to leave."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        return file.read(_FILE_BYTES)


def _limiter(seconds: int) -> Callable[[], None]:
    # Not on every system. Another user cannot read its file, so that it is loaded here.
    import resource

    limits = (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    )

    def limit() -> None:
        for name, value in limits:
            resource.setrlimit(name, (value, value))

    return limit
