"""Files of the engine that pages fetch, as static files, each from its own place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage, Storage

from engine import javascript
from engine.kernel.build import MODULE

# By their folder: the kernel of the engine, the interpreter of bots in JavaScript, and the programs that
# remove the types of TypeScript.
FILES: Mapping[str, Sequence[Path]] = {
    "rayuela/engine": [Path(MODULE)],
    "rayuela/bots": [javascript.INTERPRETER, javascript.LIBRARY, javascript.TRANSPILER],
}


class ModuleFinder(finders.BaseFinder):
    """Finder of the files by these addresses, without other files of their folders."""

    def __init__(self, app_names: Sequence[str] | None = None, *_: object, **__: object) -> None:
        """Create a finder of these files, independent of the requested apps."""

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no messages about settings."""
        return []

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:  # type: ignore[override]
        """Return the place of a file on disk, or an empty list for any other path."""
        folder, _slash, name = path.rpartition("/")
        place = next((place for place in FILES.get(folder, ()) if place.name == name), None)
        if place is None:
            return []
        return [str(place)] if find_all else str(place)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the files, each with its place."""
        for prefix, place in (
            (prefix, place) for prefix, places in FILES.items() for place in places
        ):
            storage = FileSystemStorage(location=place.parent)
            # `collectstatic` puts it before the name.
            storage.prefix = prefix  # type: ignore[attr-defined]  # as Django's own finder does
            yield place.name, storage
