"""Builds of Zig: the native compiler of the wheel `ziglang`, in namespaces of its own (bubblewrap).

It sees its own folder, the source and a small scratch. There is no network and no `/proc`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.sandbox import users
from engine.sandbox.refusals import UnavailableError
from engine.toolchain.outcome import Build, BuildError, build_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# `pip download --no-deps ziglang==0.17.1` for Linux on x86-64.
WHEEL_SHA256 = "ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54"
NAME = "zig 0.17.1"
_SECONDS, _PATIENCE_S = 60, 300
_MEMORY_BYTES, _FILE_BYTES, _SCRATCH_BYTES = 4 << 30, 64 << 20, 512 << 20
# Bots under root use the slots below (`tournaments.services.bots.sandbox_status`).
_SLOT = 899
_NOBODY, _SOURCE = "65534", "main.zig"
_BUILD = (
    *("/zig/zig", "build-exe", "-target", "wasm32-wasi", "-O", "ReleaseFast", "-fstrip", "-j1"),
    *("--name", "main", _SOURCE),
)


@dataclass(frozen=True, slots=True)
class Zig:
    """An installed compiler of Zig: its folder and its name."""

    folder: Path
    name: str

    def build(self, files: Mapping[str, bytes]) -> Build:
        """See `engine.toolchain.Tool`. Raises BuildError."""
        (source,) = files.values()
        try:
            return _build(self.folder, source)
        except (UnavailableError, OSError, subprocess.SubprocessError) as error:
            raise BuildError(f"zig: {error}") from error


def install(wheel: Path, folder: Path) -> int:
    """Unpack the compiler beside `folder`, which is there when it is complete. Return 0, or 2 for another wheel."""
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        sys.stderr.write(f"{wheel} is another wheel than that of WHEEL_SHA256\n")
        return 2
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name, zipfile.ZipFile(wheel) as files:
        files.extractall(name)
        new = Path(name) / "ziglang"
        (new / "zig").chmod(0o755)
        (new / "about.json").write_text(json.dumps({"name": NAME, "archive": WHEEL_SHA256}))
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    sys.stdout.write(f"{NAME} is installed in {folder}\n")
    return 0


def _build(folder: Path, source: bytes) -> Build:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise BuildError("no bwrap on the PATH")
    user = users.user_for(_SLOT)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / _SOURCE).write_bytes(source)
        if user is not None:
            os.chown(work, user, user)
        child = subprocess.run(  # noqa: S603 - our own words
            [*_sandbox(bwrap, folder, work), "--", *_BUILD],
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            cwd="/",
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
            preexec_fn=_limiter(),
        )
        log = child.stderr.decode(errors="replace")
        if log.startswith("bwrap: "):
            raise BuildError(log)
        module = _content(work / "main.wasm")
    return build_of(child.returncode, module=module, log=log, seconds=_SECONDS)


def _content(path: Path) -> bytes | None:
    """Return the bytes of a file, without following a link that the compiler may have been made to leave."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        return file.read(_FILE_BYTES)


def _sandbox(bwrap: str, folder: Path, work: Path) -> list[str]:
    return [
        *(bwrap, "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"),
        *("--clearenv", "--cap-drop", "ALL", "--uid", _NOBODY, "--gid", _NOBODY),
        *("--hostname", "box", "--ro-bind", str(folder.resolve()), "/zig"),
        # The compiler looks for its library beside itself.
        *("--symlink", "/zig/zig", "/proc/self/exe", "--dev-bind", "/dev/null", "/dev/null"),
        *("--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp", "--bind", str(work), "/work"),  # noqa: S108 - inside
        *("--setenv", "ZIG_GLOBAL_CACHE_DIR", "/tmp/global"),  # noqa: S108 - inside
        *("--setenv", "ZIG_LOCAL_CACHE_DIR", "/tmp/local"),  # noqa: S108 - inside
        *("--remount-ro", "/", "--chdir", "/work"),
    ]


def _limiter() -> Callable[[], None]:
    # Not on every system. Another user cannot read its file, so that it is loaded here.
    import resource

    limits = (
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    )

    def limit() -> None:
        for name, value in limits:
            resource.setrlimit(name, (value, value))

    return limit
