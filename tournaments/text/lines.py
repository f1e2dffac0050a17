"""Texts of people that are one line."""

from __future__ import annotations

import re

# Characters that no line has, and that PostgreSQL does not store in texts.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return `text` on one line without control characters, or an empty text without a visible character."""
    line = " ".join(_CONTROLS.sub(" ", text).split())
    return line if line.strip("\u200b\u200c\u200d\u2060\ufeff ") else ""
