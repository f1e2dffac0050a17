"""Texts of people: one line, or several."""

from __future__ import annotations

import re

_EMPTY_LINES = re.compile(r"\n{3,}")
# Characters that no line has, and that PostgreSQL does not store in texts.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return `text` on one line without control characters, or an empty text without a visible character."""
    line = " ".join(_CONTROLS.sub(" ", text).split())
    return line if line.strip("\u200b\u200c\u200d\u2060\ufeff ") else ""


def several_lines(text: str) -> str:
    """Return `text` with its line breaks, each line as `one_line` returns it, and one empty line at most in a row."""
    lines = "\n".join(one_line(line) for line in text.splitlines())
    return _EMPTY_LINES.sub("\n\n", lines).strip("\n")
