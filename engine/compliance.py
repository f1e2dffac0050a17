"""Check of a transcript for violations of the protocol.

It lists deviations that a referee forgives and an author should know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine import protocol
from engine.errors import ProtocolError
from engine.protocol import BestMove, HelloOk, Identity, Info, OptionOffered, ReadyOk, Unknown
from engine.transcript import LineMark, escape

if TYPE_CHECKING:
    from engine.transcript import BotTranscript, TranscriptEntry


class Severity(StrEnum):
    """Severity of a finding."""

    VIOLATION = "violation"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class LineFinding:
    """A finding in a transcript.

    `line` counts from 1 the lines that the bot has written in the game. `ply` counts from 1 too.
    """

    weight: Severity
    line: int
    ply: int
    text: str

    def __str__(self) -> str:
        return f"ply {self.ply}, line {self.line}: {self.text}"


def findings(transcript: BotTranscript) -> list[LineFinding]:
    """Return every violation and remark of `transcript`, in the order of its lines."""
    line_findings: list[LineFinding] = []
    line, command = 0, ""
    for entry in transcript.entries:
        if entry.channel is LineMark.TO_BOT:
            command = entry.text.partition(" ")[0]
        elif entry.channel is LineMark.FROM_BOT:
            line += 1
            line_findings += _findings_of_line(entry, line, command)
    return line_findings


def line_count(transcript: BotTranscript) -> int:
    """Return the number of lines that the bot has written, which is the number of its last line."""
    return sum(entry.channel is LineMark.FROM_BOT for entry in transcript.entries)


def _findings_of_line(entry: TranscriptEntry, line: int, command: str) -> list[LineFinding]:
    excerpt = escape(entry.text)[:200]
    try:
        reply = protocol.parse_reply(entry.text)
    except ProtocolError as error:
        return [LineFinding(Severity.VIOLATION, line, entry.ply + 1, str(error))]
    oddity = _oddity_of_reply(reply, command)
    return (
        [LineFinding(Severity.REMARK, line, entry.ply + 1, f"{oddity}: {excerpt}")]
        if oddity
        else []
    )


def _oddity_of_reply(reply: protocol.Reply, command: str) -> str:
    """Return the oddity of `reply` after the command `heard`, or an empty text if it is regular."""
    match reply:
        case Unknown(text):
            return "no word of the protocol" if text.strip() else ""
        case Identity() | OptionOffered() | HelloOk():
            return "" if command in {"ugi", "uci"} else "said outside the greeting"
        case ReadyOk():
            return "" if command == "isready" else "said without `isready`"
        case Info():
            return "" if command == "go" else "said without being asked"
        case BestMove():
            return _oddity_of_answer(reply, command)


def _oddity_of_answer(best: BestMove, command: str) -> str:
    if command != "go":
        return "answered without `go`"
    return "a draw cannot be offered, it is not read" if best.is_draw_offer else ""
