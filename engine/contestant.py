"""A bot as its referee meets it: greeted, told the game, asked for moves. Speaks `protocol` over a `BotProcess`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from engine import protocol
from engine.errors import BotFailedError, BotFailure, EngineError, ProtocolError
from engine.match import BotLog, Ending
from engine.process import BotProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.match import BotSpec
    from engine.process import Launcher, Line

HELLO_MS = 5000
READY_MS = 10_000
QUIT_MS = 2000
_LOG_LINES = 200
_NS_PER_MS = 1_000_000

_ENDINGS = {
    BotFailure.CRASH: Ending.CRASH,
    BotFailure.TIMEOUT: Ending.TIME,
    BotFailure.FLOOD: Ending.FLOOD,
    BotFailure.GARBAGE: Ending.PROTOCOL,
}


class FaultError(EngineError):
    """What a bot did that ends its game, as an `Ending` and a sentence for its author."""

    code = "fault"

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(f"{ending.value}: {detail}")
        self.ending = ending
        self.detail = detail


_R = TypeVar("_R", protocol.HelloOk, protocol.ReadyOk)
_AWAITED: dict[type[protocol.Reply], str] = {
    protocol.HelloOk: "ugiok or uciok",
    protocol.ReadyOk: "readyok",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The line with `bestmove`, and the last line with `info` before it; empty without one."""

    line: Line
    info: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A `bestmove` in time."""

    best: protocol.BestMove
    wall_ms: int
    info: protocol.Info | None


class Contestant:
    """One bot of a match. Its process starts when it is first needed and serves until it fails or `close`.

    Every method that talks to the bot raises `FaultError`, after which the process is dead; the next game starts a
    new one. `LaunchError` passes through: it is not the bot's fault.
    """

    def __init__(self, spec: BotSpec, *, launcher: Launcher) -> None:
        self.spec = spec
        self._launcher = launcher
        self._process: BotProcess | None = None
        self._dialect = protocol.Dialect.UGI
        self._log: list[str] = []
        self._stderr = ""

    @property
    def log(self) -> BotLog:
        """What it said beside its moves so far."""
        stderr = self._stderr + (self._process.stderr_text if self._process else "")
        return BotLog(self.spec.name, tuple(self._log), stderr)

    def begin(self, *, ruleset: str, on_wait: Callable[[], None]) -> None:
        """Have a process that knows the rule set and is ready for a new game. Not on the clock."""
        try:
            if self._process is None:
                self._process = BotProcess(self._launcher(self.spec))
                self._greet(on_wait)
            self._tell(protocol.SetOption("Game", ruleset))
            self._tell(protocol.NewGame(self._dialect))
            self._tell(protocol.IsReady())
            self._await(protocol.ReadyOk, READY_MS, on_wait)
        except BotFailedError as error:
            raise self._fault(error, silence=Ending.PROTOCOL) from error
        except ProtocolError as error:
            raise self.blame(Ending.PROTOCOL, str(error)) from error

    def ask(
        self, *, position: str, go: str, deadline_ms: int, on_wait: Callable[[], None]
    ) -> Answer:
        """The bot's answer to the lines `position` and `go`, which came within `deadline_ms` of wall time."""
        process = self._running()
        try:
            if any(line.startswith("bestmove") for line in self._unasked(process)):
                raise self.blame(Ending.PROTOCOL, "answered before it was asked")
            sent_ns = process.send(f"{position}\n{go}")
            reply = self._answer(process, sent_ns + deadline_ms * _NS_PER_MS, on_wait)
            wall_ms = round((reply.line.read_ns - sent_ns) / _NS_PER_MS)
            return Answer(_best_move(reply.line.text), max(0, wall_ms), _info(reply.info))
        except BotFailedError as error:
            raise self._fault(error, silence=Ending.TIME) from error
        except ProtocolError as error:
            raise self.blame(Ending.PROTOCOL, str(error)) from error

    def tell(self, command: protocol.Command) -> None:
        """Send news that wants no answer; a bot that cannot take it is put away without a word."""
        if self._process is None:
            return
        try:
            self._tell(command)
        except BotFailedError:
            self._put_away()

    def blame(self, ending: Ending, detail: str) -> FaultError:
        """The fault to raise; the bot's process, whose state nobody knows now, is killed."""
        self._put_away()
        return FaultError(ending, detail)

    def close(self, *, grace_ms: int = 0) -> None:
        """Let the bot end within `grace_ms`, then kill it."""
        self._put_away(grace_ms)

    def _greet(self, on_wait: Callable[[], None]) -> None:
        """Learn which dialect the bot speaks: first `ugi`, and `uci` when half of the time has passed in silence."""
        self._tell(protocol.Hello(protocol.Dialect.UGI))
        try:
            hello = self._await(protocol.HelloOk, HELLO_MS // 2, on_wait)
        except BotFailedError as error:
            if error.failure is not BotFailure.TIMEOUT:
                raise
            self._tell(protocol.Hello(protocol.Dialect.UCI))
            hello = self._await(protocol.HelloOk, HELLO_MS // 2, on_wait)
        self._dialect = hello.dialect

    def _await(self, kind: type[_R], limit_ms: int, on_wait: Callable[[], None]) -> _R:
        """The next reply of `kind`; others are names and options, or go to the log."""
        process = self._running()
        deadline_ns = time.monotonic_ns() + limit_ms * _NS_PER_MS
        while True:
            try:
                line = process.receive(deadline_ns=deadline_ns, on_wait=on_wait)
            except BotFailedError as error:
                if error.failure is not BotFailure.TIMEOUT:
                    raise
                detail = f"no {_AWAITED[kind]} within {limit_ms} ms"
                raise BotFailedError(BotFailure.TIMEOUT, detail) from error
            reply = protocol.parse_reply(line.text)
            if isinstance(reply, kind):
                return reply
            if isinstance(reply, protocol.BestMove):
                raise ProtocolError("answered before it was asked")
            self._note(reply)

    def _answer(self, process: BotProcess, deadline_ns: int, on_wait: Callable[[], None]) -> Reply:
        """The line with `bestmove`, and the last line with `info` before it."""
        info = ""
        while True:
            line = process.receive(deadline_ns=deadline_ns, on_wait=on_wait)
            if line.read_ns > deadline_ns:
                raise BotFailedError(BotFailure.TIMEOUT, "answered too late")
            if line.text.startswith("bestmove"):
                return Reply(line, info)
            if line.text == protocol.OUT_OF_FUEL:
                raise BotFailedError(BotFailure.TIMEOUT, protocol.OUT_OF_FUEL)
            if line.text.startswith("info "):
                info = line.text
            else:
                self._note(protocol.Unknown(line.text))

    def _unasked(self, process: BotProcess) -> list[str]:
        lines = process.waiting_lines()
        for line in lines:
            self._note(protocol.Unknown(line))
        return lines

    def _note(self, reply: protocol.Reply) -> None:
        if isinstance(reply, protocol.Unknown) and reply.text and len(self._log) < _LOG_LINES:
            self._log.append(reply.text)

    def _running(self) -> BotProcess:
        if self._process is None:
            raise EngineError(f"{self.spec.name} was asked before its game began")
        return self._process

    def _tell(self, command: protocol.Command) -> None:
        self._running().send(protocol.format_command(command))

    def _fault(self, error: BotFailedError, *, silence: Ending) -> FaultError:
        is_silence = error.failure is BotFailure.TIMEOUT
        return self.blame(silence if is_silence else _ENDINGS[error.failure], error.detail)

    def _put_away(self, grace_ms: int = 0) -> None:
        if self._process is None:
            return
        self._process.close(grace_ms=grace_ms)
        self._stderr += self._process.stderr_text
        self._process = None


def _best_move(line: str) -> protocol.BestMove:
    reply = protocol.parse_reply(line)
    if not isinstance(reply, protocol.BestMove):
        raise ProtocolError(f"no word of the protocol: {protocol.quoted(line)}")
    return reply


def _info(line: str) -> protocol.Info | None:
    """What `line` says; nothing when it says nonsense, which is for the log and no fault."""
    try:
        reply = protocol.parse_reply(line)
    except ProtocolError:
        return None
    return reply if isinstance(reply, protocol.Info) else None
