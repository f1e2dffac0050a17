"""The library that removes the types of TypeScript: modules of the npm package `sucrase` as one script.

`npm pack sucrase@3.35.1` gives the archive.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import tarfile
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from pathlib import Path

ARCHIVE_SHA256 = "fa555afbe97fb4f4866084a8838cb66ff520aa1adcd211269b2708afda4bc9bf"
_DIST = "package/dist/"
_REQUIRE = re.compile(r"require\('(\.[^']*)'\)")
_LOAD = re.compile(r"load\('([^']*)'\)")
# Parts that serve source maps, the check of options and debugging. Nothing of them is called.
_UNUSED = ("computeSourceMap", "Options", "util/formatTokens")
_START = """\
(function () {
const modules = {}, loaded = {};
function load(name) {
  if (!(name in loaded)) {
    loaded[name] = {};
    modules[name](loaded[name]);
  }
  return loaded[name];
}
"""
_END = "globalThis.sucrase = load('index');\n})();\n"


class ArchiveError(EngineError):
    """An archive of another version of the interpreter's source, or of the library."""

    code = "javascript-archive"


def script(archive: Path) -> str:
    """Return the library as one script, which defines `sucrase`. Raises ArchiveError, OSError."""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != ARCHIVE_SHA256:
        raise ArchiveError(f"{archive} is another archive than that of ARCHIVE_SHA256")
    with tarfile.open(archive) as files:
        names = {each.name for each in files.getmembers()}
        texts = {}
        waiting = ["index"]
        while waiting:
            name = waiting.pop()
            if name in texts:
                continue
            texts[name] = _text(files, name, names)
            waiting += _LOAD.findall(texts[name])
        license_text = _read(files, "package/LICENSE")
    bodies = (
        f"modules['{name}'] = function (exports) {{\n{text}\n}};\n"
        for name, text in sorted(texts.items())
    )
    return f"/*\n{license_text}*/\n{_START}{''.join(bodies)}{_END}"


def _text(files: tarfile.TarFile, name: str, names: set[str]) -> str:
    """Return a module, whose requirements are named from the top."""
    if name in _UNUSED:
        return "exports.validateOptions = () => {};" if name == "Options" else ""

    def absolute(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
        is_folder = f"{_DIST}{path}.js" not in names
        return f"load('{path}/index')" if is_folder else f"load('{path}')"

    return _REQUIRE.sub(absolute, _read(files, f"{_DIST}{name}.js"))


def _read(files: tarfile.TarFile, name: str) -> str:
    member = files.extractfile(name)
    assert member is not None, "a file of the archive"
    return member.read().decode()
