"""Transcripts: the lines between the referee and a bot, ply by ply with the clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.transcript import (
    BadTranscriptError,
    LineMark,
    TranscriptEntry,
    escape,
    parse_transcript,
)
from tournaments.models import Game, Ply, Transcript

_CHANNELS = {
    LineMark.TO_BOT: "heard",
    LineMark.FROM_BOT: "said",
    LineMark.STDERR: "stderr",
    LineMark.NOTE: "note",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a transcript, safe to show. `channel` is `heard`, `said`, `stderr` or `note`."""

    at_ms: str
    channel: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The messages before ply `number` was played, and that ply; None after the last one."""

    number: int
    ply: Ply | None
    is_own: bool
    lines: Sequence[Line]


def turns(game: Game, side: str, attempt: int) -> list[Turn] | None:
    """Return the transcript of one side by plies; None without a readable one."""
    transcript = Transcript.objects.filter(game=game, side=side, attempt=attempt).first()
    if transcript is None:
        return None
    try:
        entries = parse_transcript(transcript.text).entries
    except BadTranscriptError:
        return None
    lines_by_ply = {
        number: [_line(entry) for entry in group]
        for number, group in groupby(entries, key=lambda entry: entry.ply)
    }
    plies = {ply.number - 1: ply for ply in game.plies.filter(attempt=attempt)}
    rows = []
    for number in sorted({*lines_by_ply, *plies}):
        ply = plies.get(number)
        is_own = ply is not None and ply.side == side
        rows.append(Turn(number + 1, ply, is_own, lines_by_ply.get(number, [])))
    return rows


def attempts(game: Game, side: str) -> list[int]:
    """The attempts at the game of which a transcript was kept, the last first."""
    transcripts = Transcript.objects.filter(game=game, side=side).order_by("-attempt")
    return list(transcripts.values_list("attempt", flat=True))


def _line(entry: TranscriptEntry) -> Line:
    at = f"{entry.at_us // 1000}.{entry.at_us % 1000:03}"
    return Line(at, _CHANNELS[entry.channel], entry.channel.value, escape(entry.text))
