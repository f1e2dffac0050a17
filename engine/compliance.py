"""Does a bot keep the protocol? Looks through a transcript for what a referee forgives and an author should know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine import protocol
from engine.errors import ProtocolError
from engine.protocol import BestMove, HelloOk, Identity, Info, OptionOffered, ReadyOk, Unknown
from engine.transcript import Channel, escaped

if TYPE_CHECKING:
    from engine.transcript import Entry, Transcript


class Weight(StrEnum):
    """How bad it is."""

    VIOLATION = "violation"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a transcript. `line` counts from 1 what the bot has written in the game, `ply` from 1 too."""

    weight: Weight
    line: int
    ply: int
    text: str

    def __str__(self) -> str:
        return f"ply {self.ply}, line {self.line}: {self.text}"


def findings(transcript: Transcript) -> list[Finding]:
    """Every violation and remark of `transcript`, in the order of its lines."""
    found: list[Finding] = []
    line, heard = 0, ""
    for entry in transcript.entries:
        if entry.channel is Channel.HEARD:
            heard = entry.text.partition(" ")[0]
        elif entry.channel is Channel.SAID:
            line += 1
            found += _of_line(entry, line, heard)
    return found


def lines_said(transcript: Transcript) -> int:
    """How many lines the bot has written, which is the number of its last one."""
    return sum(entry.channel is Channel.SAID for entry in transcript.entries)


def _of_line(entry: Entry, line: int, heard: str) -> list[Finding]:
    shown = escaped(entry.text)[:200]
    try:
        reply = protocol.parse_reply(entry.text)
    except ProtocolError as error:
        return [Finding(Weight.VIOLATION, line, entry.ply + 1, str(error))]
    wrong = _out_of_place(reply, heard)
    return [Finding(Weight.REMARK, line, entry.ply + 1, f"{wrong}: {shown}")] if wrong else []


def _out_of_place(reply: protocol.Reply, heard: str) -> str:
    """What is odd about `reply` after the command `heard`; empty when nothing is."""
    match reply:
        case Unknown(text):
            return "no word of the protocol" if text.strip() else ""
        case Identity() | OptionOffered() | HelloOk():
            return "" if heard in {"ugi", "uci"} else "said outside the greeting"
        case ReadyOk():
            return "" if heard == "isready" else "said without `isready`"
        case Info():
            return "" if heard == "go" else "said without being asked"
        case BestMove():
            return _oddity_of_answer(reply, heard)


def _oddity_of_answer(best: BestMove, heard: str) -> str:
    if heard != "go":
        return "answered without `go`"
    return "a draw cannot be offered, it is not read" if best.is_draw_offer else ""
