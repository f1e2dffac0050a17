"""The unprivileged user as whom a sandboxed program runs."""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import subprocess
from typing import TYPE_CHECKING

from engine.sandbox.refusals import IsolationReason, UnavailableError

if TYPE_CHECKING:
    from pathlib import Path

# Debian reserves 30000 to 59999 (Policy 9.2.2) without assigning them, and systemd's own ranges
# begin above.
_FIRST_UID = 59_000
_MOST_SLOTS = 900


def user_for(slot: int) -> int | None:
    """Return the uid and gid for the bots of a worker slot, or None for the user of the worker.

    Under root each slot has its own user.

    Raises:
        UnavailableError: this is root, and root may not change its user here.
    """
    assert 0 <= slot < _MOST_SLOTS  # slots are a worker's processes on one machine
    if os.getuid() != 0 and os.geteuid() != 0:
        return None
    uid = _FIRST_UID + slot
    _try_to_become(uid)
    return uid


@functools.cache
def _try_to_become(uid: int) -> None:
    """Root without CAP_SETUID, or in a namespace that maps no other user, cannot."""
    try:
        subprocess.run(
            ["/bin/true"], user=uid, group=uid, extra_groups=[], check=True, cwd="/", env={}
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        detail = f"root, and cannot become user {uid}: {error}"
        raise UnavailableError(IsolationReason.RUNNING_AS_ROOT, detail) from error


def running_tasks(user: int | None) -> int:
    """Return how many processes and threads `user` (None: ourselves) has now, as far as `/proc` tells."""
    uid = os.getuid() if user is None else user
    count = 0
    for process in os.scandir("/proc"):
        if process.name.isdecimal():
            with contextlib.suppress(OSError):  # gone meanwhile
                if process.stat().st_uid == uid:
                    count += len(os.listdir(f"{process.path}/task"))
    return count


def can_enter(directory: Path, user: int | None) -> bool:
    """Return whether `user` (None: ourselves) reaches the files in `directory`."""
    if user is None:
        return os.access(directory, os.X_OK)
    return all(_is_open(path, os.X_OK) for path in (directory, *directory.parents))


def can_read(path: Path, user: int | None) -> bool:
    """Return whether `user` (None: ourselves) can read `path`, with everything below a directory."""
    path = path.resolve()
    if user is None:
        return all(os.access(entry, _read_rights(entry)) for entry in _entries(path))
    return can_enter(path.parent, user) and all(
        _is_open(entry, _read_rights(entry)) for entry in _entries(path)
    )


def _entries(path: Path) -> list[Path]:
    return [path, *(entry for entry in path.rglob("*") if not entry.is_symlink())]


def _read_rights(path: Path) -> int:
    with contextlib.suppress(PermissionError):
        return os.R_OK | os.X_OK if path.is_dir() else os.R_OK
    return os.R_OK


def _is_open(path: Path, rights: int) -> bool:
    """Return whether a user without files and groups of their own has the rights `needed` to `path`."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & rights == rights
    except OSError:
        return False
