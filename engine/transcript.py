"""Everything said in a game, line by line, with its direction, ply and time.

Bounded, and safe to show.

A transcript as text has a line for each, `PLY MILLISECONDS MARK TEXT`, after one with the bot's
name:

    bot greedy
    0 0.151 > ugi
    0 21.904 < ugiok
    3 80.170 ! opening book not found
    3 80.210 # 12 further lines of info were not kept

The text is escaped like a Python string, so neither control characters nor a change of writing
direction get out.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from enum import StrEnum

from engine.errors import EngineError

# The stored bytes of one game and side: half of them for the lines to the bot, half for its own
# lines.
MAX_BYTES = 262_144
MAX_INFO_LINES = 200
# Lines shorter than this count as this long: there is the ply and the time too.
_LINE_BYTES = 24
_NS_PER_MS = 1_000_000
_LINE = re.compile(r"([0-9]+) ([0-9]+\.[0-9]{3}) ([><!#]) (.*)")
_ESCAPE = re.compile(r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
_LARGEST_CODE_POINT = 0x10FFFF


class BadTranscriptError(EngineError, ValueError):
    """A text that is no transcript."""

    code = "bad-transcript"


class LineMark(StrEnum):
    """The direction of a line, by its mark in the text form."""

    TO_BOT = ">"
    FROM_BOT = "<"
    STDERR = "!"
    NOTE = "#"


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One line.

    `ply` is the number of plies played before it, `at_us` microseconds since the game began.
    """

    ply: int
    at_us: int
    channel: LineMark
    text: str


@dataclass(frozen=True, slots=True)
class BotTranscript:
    """The lines to and from one bot in one game. A greeting is part of a process's first game."""

    bot: str
    entries: tuple[TranscriptEntry, ...]

    def text(self) -> str:
        """Return the transcript for people and files. `parse_transcript` reads it back."""
        lines = [f"bot {escape(self.bot)}", *(_format_entry(entry) for entry in self.entries)]
        return "\n".join(lines) + "\n"


def parse_transcript(text: str) -> BotTranscript:
    """Return the transcript whose `text()` this is. Raises BadTranscriptError."""
    head, *lines = text.split("\n")
    if not head.startswith("bot ") or lines[-1:] != [""]:
        raise BadTranscriptError(f"neither a `bot` line nor an end: {head[:60]!r}")
    return BotTranscript(_unescape(head[4:]), tuple(_parse_entry(line) for line in lines[:-1]))


def escape(text: str) -> str:
    """`text` with backslashes and unprintable characters escaped as in a Python string."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_escape_character, text))


@dataclass
class TranscriptRecorder:
    """Writer of a transcript during the game, which replaces excess lines with a note.

    Attributes:
        bot: the name in the transcript.
        began_ns: the monotonic nanosecond from which times count.
        ply: the number of played plies. The game keeps it up to date.
    """

    bot: str
    began_ns: int = field(default_factory=time.monotonic_ns)
    ply: int = 0
    _entries: list[TranscriptEntry] = field(default_factory=list)
    _budgets: dict[bool, int] = field(
        default_factory=lambda: {True: MAX_BYTES // 2, False: MAX_BYTES // 2}
    )
    _info_lines: int = 0
    _partial: str = ""

    def record_input(self, text: str, *, at_ns: int) -> None:
        """Lines were sent to the bot."""
        for line in text.split("\n"):
            self._keep(LineMark.TO_BOT, line, at_ns)

    def record_output(self, text: str, *, at_ns: int) -> None:
        """The bot wrote a line, whose end was read at `at_ns`."""
        if text.startswith("info"):
            self._info_lines += 1
            if self._info_lines > MAX_INFO_LINES:
                return
        self._keep(LineMark.FROM_BOT, text, at_ns)

    def record_stderr(self, text: str) -> None:
        """The bot wrote to its standard error, perhaps half a line."""
        *lines, self._partial = (self._partial + text).split("\n")
        now_ns = time.monotonic_ns()
        for line in lines:
            self._keep(LineMark.STDERR, line, now_ns)

    def note(self, text: str) -> None:
        """Something the reader should know. Always kept."""
        self._flush_stderr()
        self._append(LineMark.NOTE, text, time.monotonic_ns())

    def end_ply(self) -> None:
        """Finish a ply, and write the rest of its standard error to it."""
        self._flush()
        self.ply += 1

    def transcript(self) -> BotTranscript:
        """Return the transcript so far."""
        self._flush()
        return BotTranscript(self.bot, tuple(self._entries))

    def _flush_stderr(self) -> None:
        if self._partial:
            self._keep(LineMark.STDERR, self._partial, time.monotonic_ns())
            self._partial = ""

    def _flush(self) -> None:
        self._flush_stderr()
        if self._info_lines > MAX_INFO_LINES:
            self.note(f"{self._info_lines - MAX_INFO_LINES} further lines of info were not kept")
        self._info_lines = 0

    def _keep(self, channel: LineMark, text: str, at_ns: int) -> None:
        is_input = channel is LineMark.TO_BOT
        budget = self._budgets[is_input]
        if budget <= 0:
            return
        size = max(_LINE_BYTES, len(text.encode("utf-8", errors="replace")))
        self._budgets[is_input] = budget - size
        if size <= budget:
            self._append(channel, text, at_ns)
            return
        self._budgets[is_input] = 0
        what = "heard" if is_input else "said"
        self._append(LineMark.NOTE, f"truncated: nothing more of what it {what} is kept", at_ns)

    def _append(self, channel: LineMark, text: str, at_ns: int) -> None:
        at_us = max(0, at_ns - self.began_ns) // 1000
        self._entries.append(TranscriptEntry(self.ply, at_us, channel, text))


def _format_entry(entry: TranscriptEntry) -> str:
    at = f"{entry.at_us // 1000}.{entry.at_us % 1000:03}"
    return f"{entry.ply} {at} {entry.channel.value} {escape(entry.text)}"


def _parse_entry(line: str) -> TranscriptEntry:
    match = _LINE.fullmatch(line)
    if match is None:
        raise BadTranscriptError(f"not a line of a transcript: {line[:60]!r}")
    ply, at, mark, text = match.groups()
    return TranscriptEntry(int(ply), int(at.replace(".", "")), LineMark(mark), _unescape(text))


def _escape_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescape_character, text)


def _unescape_character(match: re.Match[str]) -> str:
    if match[0] == "\\\\":
        return "\\"
    code = int(match[0][2:], 16)
    if code > _LARGEST_CODE_POINT:
        raise BadTranscriptError(f"no character: {match[0]!r}")
    return chr(code)
