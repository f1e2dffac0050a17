"""Lines and words: the characters that they may contain, independent of their meaning."""

from __future__ import annotations

import re

from engine.errors import ProtocolError

# A line from a bot, without its newline, has at most this many bytes.
MAX_LINE_BYTES = 4096
# A line to a bot: 1,360 Morelli moves on 31x31 need up to 40 KB.
MAX_COMMAND_BYTES = 65_536
# The line of a metered host instead of `bestmove` when the fuel of `go fuel N` is used up: the flag
# has fallen.
OUT_OF_FUEL = "outoffuel"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MAX_QUOTED = 60


def quote(text: str) -> str:
    """`text` for an error message, quoted and escaped, cut after 60 characters."""
    return repr(text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…")


def decode_line(raw: bytes) -> str:
    """Return the text of one line from a bot, without its newline.

    Raises:
        ProtocolError: longer than `MAX_LINE_BYTES`, not UTF-8, or with control characters other
            than tab.
    """
    if len(raw) > MAX_LINE_BYTES:
        raise ProtocolError(f"a line of {len(raw)} bytes, allowed are {MAX_LINE_BYTES}")
    try:
        text = raw.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"a line that is not UTF-8: {raw[:_MAX_QUOTED]!r}") from error
    if not text.isprintable() and _CONTROL.search(text):
        raise ProtocolError(f"a line with control characters: {quote(text)}")
    return text


def to_word(text: str) -> str:
    """Return a move or a position text as one word of a line: `D12-G9 xF8H8` is `D12-G9_xF8H8`."""
    if "_" in text:
        raise ProtocolError(f"no move or position of ours has an underscore: {quote(text)}")
    return text.replace(" ", "_")


def from_word(word: str) -> str:
    """Return the move or position text that `to_word` made a word of."""
    return word.replace("_", " ")


def number(word: str, value: str) -> int:
    """Return the whole number `value` after `word`. Raises ProtocolError."""
    try:
        return int(value)
    except ValueError as error:
        raise ProtocolError(f"{word} needs a whole number, not {quote(value)}") from error


def split_at(words: list[str], mark: str) -> tuple[list[str], list[str]]:
    """Return the words before the first `mark`, and those after it."""
    if mark not in words:
        return words, []
    at = words.index(mark)
    return words[:at], words[at + 1 :]
