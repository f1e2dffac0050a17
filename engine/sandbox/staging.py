"""Read-only copies of files that the user of the sandbox cannot read in their own place.

A copy is named by a digest of its content. One process at a time makes copies. A good copy is never
moved, because the rules of a running sandbox name its inode.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import py_compile
import shutil
import stat
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.sandbox import users
from engine.sandbox.refusals import IsolationReason, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRODUCT = Path(__file__).resolve().parents[2]
# Our packages that a program in the sandbox may import.
_PACKAGES = ("games", "engine")
_PLACES = ("/tmp", "/var/tmp")  # noqa: S108  # used only below a directory that is ours alone
# A spoilt copy may still be mapped by a bot. No match takes longer.
_LEFTOVERS_S = 3 * 3600


def packages(user: int | None, libraries: tuple[str, ...] = ()) -> Path:
    """Return a directory from which `user` can import `games`, `engine` and the `libraries`.

    Each library is a directory of a package.
    """
    sources = tuple(_PRODUCT / name for name in _PACKAGES)
    return _copy_of((*sources, *map(Path, libraries)), user)


@functools.cache
def for_user(tree: Path, user: int | None) -> Path:
    """Return `tree` itself if `user` can read all of it, else a copy that `user` can read.

    It is called once for each tree, which never changes.
    """
    return tree if users.can_read(tree, user) else _copy_of((tree,), user) / tree.name


def look_again() -> None:
    """Look at the copies again before their next use: a program that cleans up may have been there."""
    for_user.cache_clear()
    _copy_of.cache_clear()


@functools.cache
def _copy_of(sources: tuple[Path, ...], user: int | None) -> Path:
    """Return the directory with a copy of each of `sources` under its own name.

    Made once for each content.

    Raises:
        UnavailableError: there is no directory for it.
    """
    name = _digest(sources)
    place = _place(user)
    copy = place / name
    with one_at_a_time("copies", user):
        _remove_leftovers(place)
        if _is_good(copy, sources):
            return copy
        making = Path(tempfile.mkdtemp(dir=place))
        try:
            for source in sources:
                _copy(source, making / source.name)
            making.chmod(0o755)
            if copy.exists():  # a program that cleans up has removed some of its files
                copy.rename(Path(tempfile.mkdtemp(dir=place)) / "spoilt")
            making.rename(copy)
        except OSError as error:
            shutil.rmtree(making, ignore_errors=True)
            raise UnavailableError(
                IsolationReason.NO_PLACE, f"no copy of {sources}: {error}"
            ) from error
    return copy


@contextlib.contextmanager
def one_at_a_time(task: str, user: int | None) -> Iterator[None]:
    """Wait until no other process of this machine does `task` for programs that run as `user`.

    The kernel releases the lock of a process that ends.

    Raises:
        UnavailableError: there is no place for the lock.
    """
    lock = _place(user) / f"{task}.lock"
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise UnavailableError(IsolationReason.NO_PLACE, f"{lock}: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_leftovers(place: Path) -> None:
    for path in place.glob("tmp*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _LEFTOVERS_S:
                shutil.rmtree(path, ignore_errors=True)


def _is_good(copy: Path, sources: tuple[Path, ...]) -> bool:
    return copy.is_dir() and _digest(tuple(copy / source.name for source in sources)) == copy.name


def _place(user: int | None) -> Path:
    """Return our own directory that no other user writes to and `user` reads, made when it is missing."""
    refusals = []
    for parent in dict.fromkeys((tempfile.gettempdir(), *_PLACES)):
        place = Path(parent).resolve() / f"rayuela-box-{os.geteuid()}"
        try:
            place.mkdir(mode=0o755, exist_ok=True)
            status = place.lstat()
        except OSError as error:
            refusals.append(f"{place}: {error.strerror}")
            continue
        # A directory made by another user would be a trap: our copies are code that is run.
        is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        if not is_ours or status.st_mode & 0o022:
            refusals.append(f"{place}: not ours alone")
        elif not users.can_enter(place, user):
            refusals.append(f"{place}: closed to user {user}")
        else:
            return place
    raise UnavailableError(IsolationReason.NO_PLACE, "; ".join(refusals))


def _files(source: Path) -> Iterator[Path]:
    """Yield the regular files below `source` in a fixed order, links and compiled ones left out."""
    for path in sorted(source.rglob("*")):
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts:
            yield path


def _digest(sources: tuple[Path, ...]) -> str:
    whole = hashlib.sha256()
    for source in sources:
        for path in _files(source):
            with path.open("rb") as file:  # a library of numpy has 25 MB
                content = hashlib.file_digest(file, "sha256")
            whole.update(f"{path.relative_to(source.parent)}\0".encode() + content.digest())
    return whole.hexdigest()[:32]


def _copy(source: Path, destination: Path) -> None:
    for path in _files(source):
        copy = destination / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o444)
        if path.suffix == ".py":
            _compile(copy)
    destination.mkdir(exist_ok=True)
    for directory in (destination, *(path for path in destination.rglob("*") if path.is_dir())):
        directory.chmod(0o755)


def _compile(path: Path) -> None:
    """Compile `path` once, so that no start does. A source with an error fails when it runs."""
    bytecode = py_compile.compile(
        str(path), quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    if bytecode is not None:
        Path(bytecode).chmod(0o444)
