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


# Hosts with equal files have equal values. It is read at the start (40 ms): later the files of the
# process may have been replaced, and it would answer in another's name.
BUILD = _hash()
