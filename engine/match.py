"""A match as plain data: `MatchSpec` in, `MatchReport` out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.clock import NS_PER_MS, Fischer
from engine.endings import Ending, Fault
from engine.errors import BadMatchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.clock import Span, TimeControl
    from engine.protocol import Info, SetOption
    from engine.transcript import BotTranscript
    from games.core import Outcome, Side

__all__ = [
    "BotLog",
    "BotPly",
    "BotReply",
    "BotSpec",
    "Ending",
    "Fault",
    "GameReport",
    "MatchReport",
    "MatchSpec",
    "Observer",
    "PlyEvent",
    "Preloaded",
]


@dataclass(frozen=True, slots=True)
class Preloaded:
    """A built-in bot as `main(arguments)` of a module, which a process may have loaded beforehand."""

    module: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot: the name for records, and the argument list that starts it.

    `tree` is the absolute path of the directory with an uploaded program, which is read-only. Its
    sandbox shows it only the tree, the `libraries`, and our and Python's own files. The `libraries`
    are directories of packages that it imports. A program without a tree is our own and trusted.
    `preloaded` is the bot of `argv` for a start without an interpreter, if that is possible. The
    `options` are set before each game.
    """

    name: str
    argv: tuple[str, ...]
    tree: str | None = None
    libraries: tuple[str, ...] = ()
    preloaded: Preloaded | None = None
    options: tuple[SetOption, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One game, or a pair of games from one set-up with the sides exchanged.

    Attributes:
        ruleset: a key of `games.load`.
        setup: a `setup_text`, of both games.
        players: the bots. The former is the first side in game 0 and the second side in game 1.
        control: the clocks of each game.
        second_ms: the time of the second side of a single game under Fischer's clock, if it is not
            the time of the first.
        games: 1 or 2.
        pace_ms: a ply is shown at least this long after the one before, for people who watch. Not
            on the clock.
        longest_s: a match that has taken longer on the wall, most of it spent waiting for a
            processor, is starved. None for one that waits without a limit.
    """

    ruleset: str
    setup: str
    players: tuple[BotSpec, BotSpec]
    control: TimeControl
    games: int = 2
    pace_ms: int = 0
    longest_s: int | None = None
    second_ms: int | None = None

    def __post_init__(self) -> None:
        if self.games not in {1, 2}:
            raise BadMatchError(f"a match is one game or a pair, not {self.games}")
        if self.longest_s is not None and self.longest_s <= 0:
            raise BadMatchError(f"no time on the wall: {self.longest_s} s")
        if self.second_ms is not None and (
            self.second_ms <= 0 or self.games != 1 or not isinstance(self.control, Fischer)
        ):
            raise BadMatchError(f"no time of a second side: {self.second_ms} ms in {self.control}")
        if self.pace_ms < 0:
            raise BadMatchError(f"a pace is a duration, not {self.pace_ms} ms")


@dataclass(frozen=True, slots=True)
class BotPly:
    """One ply of a bot as it was played.

    Attributes:
        side: of the decision.
        move: the stored spelling, as in `Position.canonical`.
        span: its measured time.
        price_ns: the time that went off the clock: the used and owed time of the bot, at most the
            remaining time.
        remaining_ms: the side's clock afterwards, its increment included.
        info: the last comment of the bot on the position before it moved.
    """

    side: Side
    move: str
    span: Span
    price_ns: int
    remaining_ms: int
    info: Info | None = None

    @property
    def wall_ms(self) -> int:
        """From the last byte of `go` to the newline of `bestmove`."""
        return round(self.span.wall_ns / NS_PER_MS)

    @property
    def charged_ms(self) -> int:
        """Return the time that went off the clock, or 0 if no clock runs."""
        return round(self.price_ns / NS_PER_MS)

    @property
    def cpu_ms(self) -> int | None:
        """Return the processor time of the bot meanwhile, or None if the system does not tell."""
        return None if self.span.cpu_ns is None else round(self.span.cpu_ns / NS_PER_MS)


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game that is over.

    Attributes:
        index: 0 or 1 within its match.
        first: name of the bot that made the first ply.
        second: name of the other one.
        outcome: None exactly for a void game, which is played again and never scored.
        loser: the side that lost by a fault or by resignation, or None.
        fault: the exact event, or None for an end by the rules.
        detail: one English sentence for the bots' authors. Empty for an end by the rules.
        notes: remarks for readers of the times of this game, such as that no wait could be
            credited.
        transcripts: everything said to and by the first side, then the second.
    """

    index: int
    ruleset: str
    setup: str
    first: str
    second: str
    plies: Sequence[BotPly]
    outcome: Outcome | None
    ending: Ending
    loser: Side | None = None
    fault: Fault | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()
    transcripts: tuple[BotTranscript, ...] = ()

    @property
    def moves(self) -> list[str]:
        """Return the moves alone."""
        return [ply.move for ply in self.plies]


@dataclass(frozen=True, slots=True)
class BotLog:
    """Lines of a bot outside the protocol, and the tail of its standard error."""

    name: str
    lines: Sequence[str]
    stderr: str


@dataclass(frozen=True, slots=True)
class MatchReport:
    """All games of a match and the logs of its players, in the order of `MatchSpec.players`."""

    games: Sequence[GameReport]
    logs: Sequence[BotLog]


@dataclass(frozen=True, slots=True)
class PlyEvent:
    """A ply of a running game, with both clocks after it. `number` counts from 0 within its game.

    After a ply that `is_last` the game is over by the rules, and its report follows immediately.
    """

    game: int
    number: int
    ply: BotPly
    first_ms: int
    second_ms: int
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class BotReply:
    """A bot's decision in a game whose other side is not one of our bots.

    Attributes:
        ply: the ply to record, or None if the bot resigned or failed.
        ending: None with a ply. Else why the game is over, `VOID` if the bot could not even be
            asked.
        detail: one English sentence for the bot's author. Empty with a ply.
        log: its lines meanwhile beside the protocol.
        transcript: everything said.
    """

    ply: BotPly | None
    ending: Ending | None
    detail: str
    log: BotLog
    transcript: BotTranscript


class Observer(Protocol):
    """An observer of a match while it is played.

    Any method may raise `MatchAbortedError` to stop it.
    """

    def game_started(self, game: int) -> None:
        """Both bots are ready and the clock of the first is about to run."""
        ...

    def ply_played(self, event: PlyEvent) -> None:
        """A ply was played."""
        ...

    def waiting(self) -> None:
        """Called about once a second while a bot thinks or the pace is kept, to renew a lease."""
        ...

    def game_ended(self, report: GameReport) -> None:
        """Receive the report of a game that is over, by any cause."""
        ...
