"""The installation of optional parts: archives of package registries, unpacked into a folder."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Archive:
    """A file of a package registry.

    Attributes:
        download: the command that gets it into the current folder.
        sha256: of its content, in hexadecimal.
    """

    download: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Package:
    """Archives that are installed together.

    Attributes:
        name: for people, with its version.
        folder: its place below the home folder.
        archives: the files that it is installed from.
        unpack: fills a new folder from the archives, in their order.
    """

    name: str
    folder: str
    archives: tuple[Archive, ...]
    unpack: Callable[[Sequence[Path], Path], None]

    def install(self, archives: Sequence[Path], folder: Path) -> None:
        """Install the archives in `folder`. Raises OSError, and what `unpack` raises."""
        with new_folder(folder) as new:
            self.unpack(archives, new)


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a folder that takes the place of `folder` at the end, so that it is complete or absent."""
    # Commands that unpack have other current folders.
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        new = Path(name) / "new"
        new.mkdir()
        yield new
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
