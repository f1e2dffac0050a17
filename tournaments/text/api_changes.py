"""The changes of the API: the parts of the changelog that are for authors of programs."""

from __future__ import annotations

import functools
import re

from django.conf import settings
from django.utils.safestring import SafeString

from tournaments.text import help_pages

_RELEASE = re.compile(r"^## (.+)$", re.MULTILINE)
_AUDIENCE = re.compile(r"^### (.+)$", re.MULTILINE)
_PROGRAMS = "Programs (API)"


@functools.cache
def html() -> SafeString:
    """Return each release with its changes, the latest first."""
    text = (settings.BASE_DIR / "CHANGELOG.md").read_text()
    _before, *releases = _RELEASE.split(text)
    parts = []
    for name, content in zip(releases[::2], releases[1::2], strict=True):
        _before, *audiences = _AUDIENCE.split(content)
        changes = dict(zip(audiences[::2], audiences[1::2], strict=True)).get(_PROGRAMS)
        if changes:
            parts.append(f"## {name}\n{changes}")
    # Links are relative to the project there, and to `docs/` here.
    return help_pages.drawn("".join(parts).replace("](docs/", "]("))
