"""The build of the site that this process runs."""

from __future__ import annotations

import hashlib

from django.conf import settings

_FOLDERS = ("templates", "tournaments", "games", "engine")
_ENDINGS = frozenset({".html", ".po", ".py", ".css", ".js"})


def _hash() -> str:
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in _ENDINGS:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# The same on every host with the same files. Read at the start (40 ms): of a process that reads it
# later the files may have been replaced under its feet, and it would answer in another's name.
BUILD = _hash()
