"""One style sheet and one script for all pages, which each serving process builds from their parts.

A page of a game took 34 requests for them, now two, and a visit takes them once: their addresses
carry a version, and browsers keep them permanently. No build step is needed. The parts remain files
that a test loads one by one. docs/decisions/0020 explains why there is no bundler.

A part of the script runs when a page names it: `<meta name="rayuela-script" content="games/game">`.
"""

from __future__ import annotations

import functools
import hashlib
import os
import posixpath
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.core.checks import CheckMessage
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage, Storage

PARTS = settings.BASE_DIR / "tournaments" / "static" / "rayuela"
# The later sheet counts more.
SHEETS = (
    "base/base.css",
    "base/components.css",
    "games/boards.css",
    "games/moves.css",
    "games/record.css",
    "games/evaluations.css",
    "engine/engine.css",
    "base/lists.css",
    "lobby/lobby.css",
    "games/chat.css",
    "events/events.css",
    "events/desk.css",
    "events/formats.css",
    "events/over_board.css",
    "events/prizes.css",
    "rules/rules.css",
    "ratings/ratings.css",
    "bots/bots.css",
    "games/page.css",
    "games/phone.css",
    "games/clock.css",
    "base/print.css",
    "events/paper.css",
    "events/screen.css",
)
# Scripts of separate threads, and those of single pages that no other page needs. They are served unchanged.
SEPARATE = (
    "bots/editor.js",
    "bots/python.js",
    "bots/worker.js",
    "engine/worker.js",
    "notifications/devices.js",
    "notifications/service_worker.js",
)
_URL = re.compile(r'url\("([^":#]+)"\)')
_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "(\.[^"]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
# From the start of a line alone: from every place of it this took 0.1 s at each start of the site.
_OTHER = re.compile(r"^(?:(?:import|export)\b.*|.*\bimport\s*[(.].*|@import.*)", re.MULTILINE)
_START = """
const __made = {};
function __use(name) {
  return (__made[name] ??= __parts[name]());
}
for (const { content } of document.querySelectorAll('meta[name="rayuela-script"]')) {
  try {
    __use(content);
  } catch (error) {
    reportError(error); // one part that fails does not stop the others
  }
}
"""


def style_sheet() -> str:
    """Return all style sheets in their order. Their `url()` references are relative to the whole."""
    return "".join(f"/* {name} */\n{_moved(name)}\n" for name in SHEETS)


def _moved(name: str) -> str:
    text = (PARTS / name).read_text()
    _refuse_other(name, text)

    def address(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
        # `collectstatic` writes the hashed name itself, and looks for a relative one.
        is_embedded = settings.WHITENOISE_USE_FINDERS
        return f'url("{staticfiles_storage.url(f"rayuela/{target}") if is_embedded else target}")'

    return _URL.sub(address, text)


def script(parts: Mapping[str, str]) -> str:
    """Return one module with all of `parts`, texts of modules by name.

    It runs those that the page names.

    Each part is a function that returns its exports, and runs once. It may import by `import { a, b
    } from "./other.js";` and export functions, classes and constants at their declaration. Raises
    `ImproperlyConfigured` for any other way, and `graphlib.CycleError` for a circle.
    """
    needs = {
        name: {_path(name, path) for _, path in _IMPORT.findall(parts[name])} for name in parts
    }
    TopologicalSorter(needs).prepare()
    return "".join(
        ("const __parts = {", *(_part(name, parts[name]) for name in parts), "\n};", _START)
    )


def _part(name: str, text: str) -> str:
    exported = _EXPORT.findall(text)
    body = _IMPORT.sub(lambda m: f'const {{ {m[1]} }} = __use("{_path(name, m[2])}");\n', text)
    body = _EXPORT.sub("", body)
    _refuse_other(name, body)
    return f'\n"{name}": () => {{\n{body}return {{ {", ".join(exported)} }};\n}},'


def _path(name: str, target: str) -> str:
    """Return the name of the module that `name` imports as `target`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


def _refuse_other(name: str, text: str) -> None:
    if match := _OTHER.search(text):
        raise ImproperlyConfigured(f"{name}: {match[0].strip()!r} has no place in a bundle.")


def _all_modules() -> dict[str, str]:
    paths = sorted(set(PARTS.rglob("*.js")) - {PARTS / name for name in SEPARATE})
    return {path.relative_to(PARTS).with_suffix("").as_posix(): path.read_text() for path in paths}


_BUNDLES: Mapping[str, Callable[[], str]] = {
    "rayuela/site.css": style_sheet,
    "rayuela/site.js": lambda: script(_all_modules()),
}


class BundleFinder(finders.BaseFinder):
    """Finds the two files, and writes them below the home folder when they are new."""

    def __init__(self, app_names: Sequence[str] | None = None, *_: object, **__: object) -> None:
        """Create a finder of these files, independent of the requested apps."""
        self.storage = FileSystemStorage(location=settings.HOME / "bundles")

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no messages about settings."""
        return []

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:  # type: ignore[override]
        """Return the place of a bundle on disk, or an empty list for any other file."""
        if path not in _BUNDLES:
            return []
        self._write([path])
        place = self.storage.path(path)
        return [place] if find_all else place

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the names of the bundles, and their places."""
        self._write(_BUNDLES)
        for name in _BUNDLES:
            yield name, self.storage

    def _write(self, names: Iterable[str]) -> None:
        for name in names:
            text, place = _bundle(name), Path(self.storage.path(name))
            if not place.exists() or place.read_text() != text:
                _replace(place, text)


def _replace(place: Path, text: str) -> None:
    """Write a file that other processes may be reading or writing."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, path = tempfile.mkstemp(dir=place.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(path).replace(place)


class VersionedStorage(StaticFilesStorage):
    """Static files from their own places, under their own names with the hash of their content."""

    def url(self, name: str | None) -> str:
        """Return the address of a file, which changes when the file does."""
        version = _version(name or "")
        return f"{super().url(name)}?v={version}" if version else super().url(name)


def _cached_unless_debug(function: Callable[[str], str]) -> Callable[[str], str]:
    """Return `function`, called once for each name, or every time during development (DEBUG)."""
    cached = functools.cache(function)
    return lambda name: function(name) if settings.DEBUG else cached(name)


@_cached_unless_debug
def _bundle(name: str) -> str:
    return _BUNDLES[name]()


@_cached_unless_debug
def _version(name: str) -> str:
    path = finders.find(name)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12] if path else ""
