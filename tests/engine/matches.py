"""Matches of nim between test bots, and an observer."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine import referee
from engine.clock import PerMove, TimeControl
from engine.errors import MatchAbortedError
from engine.match import BotSpec, GameReport, MatchReport, MatchSpec, PlyEvent
from engine.process import Launcher, unconfined
from engine.transcript import BotTranscript, TranscriptEntry


@dataclass
class Notebook:
    """An observer who writes everything down, and may stop the match at a ply."""

    stop_at: int | None = None
    plies: list[PlyEvent] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    reports: list[GameReport] = field(default_factory=list)
    waits: int = 0

    def game_started(self, game: int) -> None:
        self.games.append(game)

    def ply_played(self, event: PlyEvent) -> None:
        self.plies.append(event)
        if event.number == self.stop_at:
            raise MatchAbortedError("the lease was lost")

    def waiting(self) -> None:
        self.waits += 1

    def game_ended(self, report: GameReport) -> None:
        self.reports.append(report)


def entries_of_ply(transcript: BotTranscript, ply: int) -> list[TranscriptEntry]:
    """Return the lines of the ply after `ply` plies."""
    return [entry for entry in transcript.entries if entry.ply == ply]


def match(
    former: BotSpec,
    latter: BotSpec,
    *,
    count: int = 1,
    control: TimeControl | None = None,
    setup: str = "heap=7",
    pace_ms: int = 0,
    longest_s: int | None = None,
    observer: Notebook | None = None,
    launcher: Launcher = unconfined,
) -> MatchReport:
    control = control or PerMove(2000)
    spec = MatchSpec("nim()", setup, (former, latter), control, count, pace_ms, longest_s)
    return referee.play_match(spec, observer=observer, launcher=launcher)
