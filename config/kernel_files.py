"""WebAssembly modules of the pages as static files, each from its own place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage, Storage

from engine import javascript
from engine.kernel.build import MODULE

# The kernel of the engine, and the interpreter of bots in JavaScript.
FILES: Mapping[str, Path] = {
    "rayuela/engine": Path(MODULE),
    "rayuela/bots": javascript.INTERPRETER,
}


class ModuleFinder(finders.BaseFinder):
    """Finder of the modules by these addresses, without other files of their folders."""

    def __init__(self, app_names: Sequence[str] | None = None, *_: object, **__: object) -> None:
        """Create a finder of these files, independent of the requested apps."""

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no messages about settings."""
        return []

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:  # type: ignore[override]
        """Return the place of a module on disk, or an empty list for any other file."""
        folder, _slash, name = path.rpartition("/")
        place = FILES.get(folder)
        if place is None or place.name != name:
            return []
        return [str(place)] if find_all else str(place)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the modules, each with its place."""
        for prefix, place in FILES.items():
            storage = FileSystemStorage(location=place.parent)
            # `collectstatic` puts it before the name.
            storage.prefix = prefix  # type: ignore[attr-defined]  # as Django's own finder does
            yield place.name, storage
