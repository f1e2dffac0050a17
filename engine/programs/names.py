"""Names of files that are safe on every system, with never two for one file."""

from __future__ import annotations

import unicodedata

from engine.programs.errors import UploadRefusal, UploadRefusedError
from games.messages import message

MAX_NAME_BYTES = 200
MAX_PATH_BYTES = 400
MAX_DEPTH = 16
# Separators and wildcards of other systems, and streams and drives of Windows.
_FORBIDDEN = frozenset('\\:*?"<>|')


class Names:
    """The names of one tree, compared without regard to case and composition of accents."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._directories: set[str] = set()
        self._names: set[str] = set()
        self._spellings: dict[str, str] = {}

    def add(self, name: str, *, is_directory: bool = False) -> None:
        """Take `name`, with `/` between its parts and, for a directory, at its end.

        Raises:
            UploadRefusedError: it is unsafe, too long, there already, or in the way of another.
        """
        path = name.removesuffix("/") if is_directory else name
        _require_safe(path)
        parts = path.split("/")
        parents = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        for spelling in (*parents, path):
            self._require_one_spelling(spelling)
        key = _key(path)
        directories = {_key(parent) for parent in parents} | ({key} if is_directory else set())
        is_taken = key in self._names or key in self._files
        if is_taken or directories & self._files or (not is_directory and key in self._directories):
            raise UploadRefusedError(
                UploadRefusal.DUPLICATE_NAME, message("%(name)s occurs twice"), name=repr(path)
            )
        self._names.add(key)
        self._directories |= directories
        if not is_directory:
            self._files.add(key)

    def _require_one_spelling(self, path: str) -> None:
        first_spelling = self._spellings.setdefault(_key(path), path)
        if first_spelling != path:
            raise UploadRefusedError(
                UploadRefusal.DUPLICATE_NAME,
                message("%(name)s and %(other)s are one file on many systems"),
                name=repr(path),
                other=repr(first_spelling),
            )


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _require_safe(path: str) -> None:
    parts = path.split("/")
    excerpt = repr(path[:100])
    if any(part in {"", ".", ".."} for part in parts):
        raise UploadRefusedError(
            UploadRefusal.UNSAFE_NAME, message("%(name)s leads out of the archive"), name=excerpt
        )
    if not path.isprintable() or not _FORBIDDEN.isdisjoint(path):
        raise UploadRefusedError(
            UploadRefusal.UNSAFE_NAME,
            message("%(name)s has a character that is not safe in a file's name"),
            name=excerpt,
        )
    if any(part != part.strip() or part.endswith(".") for part in parts):
        raise UploadRefusedError(
            UploadRefusal.UNSAFE_NAME,
            message("%(name)s begins or ends with a space, or ends with a dot"),
            name=excerpt,
        )
    longest = max(len(part.encode()) for part in parts)
    if longest > MAX_NAME_BYTES or len(path.encode()) > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        raise UploadRefusedError(
            UploadRefusal.NAME_TOO_LONG,
            message(
                "%(name)s: a name has at most %(name_bytes)s bytes, a path %(path_bytes)s and "
                "%(depth)s parts"
            ),
            name=excerpt,
            name_bytes=str(MAX_NAME_BYTES),
            path_bytes=str(MAX_PATH_BYTES),
            depth=str(MAX_DEPTH),
        )
