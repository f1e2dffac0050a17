"""The kernel of the engine as a static file, from its own place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage, Storage

FOLDER = settings.BASE_DIR / "engine" / "kernel"
MODULE = "kernel.wasm"
_PREFIX = "rayuela/engine"


class KernelFinder(finders.BaseFinder):
    """Finder of the module as `rayuela/engine/kernel.wasm`, without other files of its folder."""

    def __init__(self, app_names: Sequence[str] | None = None, *_: object, **__: object) -> None:
        """Create a finder of this file, independent of the requested apps."""
        self.storage = FileSystemStorage(location=FOLDER)
        # `collectstatic` puts it before the name.
        self.storage.prefix = _PREFIX  # type: ignore[attr-defined]  # as Django's own finder does

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no messages about settings."""
        return []

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:  # type: ignore[override]
        """Return the place of the module on disk, or an empty list for any other file."""
        if path != f"{_PREFIX}/{MODULE}":
            return []
        place = self.storage.path(MODULE)
        return [place] if find_all else place

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the module, and its place."""
        yield MODULE, self.storage
