"""A bot as the referee uses it: greets it, tells it the game and asks it for moves.

Speaks `protocol` over a `BotProcess`.

It runs only while it owes an answer; in between it is stopped, so that it cannot think on its
opponent's time. Before each `position` it is woken by `isready`: what it says before `readyok`
answers nothing new.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import protocol
from engine.clock import NS_PER_MS
from engine.errors import BotFailedError, EngineError, IsolationError, ProtocolError
from engine.match import BotLog, Fault
from engine.process import BotProcess
from engine.transcript import TranscriptRecorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.clock import Span
    from engine.match import BotSpec, Ending
    from engine.process import Launcher, OutputLine
    from engine.transcript import BotTranscript

HELLO_MS = 5000
READY_MS = 10_000
QUIT_MS = 2000
# To wake up and say `readyok` is free this long; what exceeds it is charged, or bots would think
# there.
WAKING_NS = 5 * NS_PER_MS
_LOG_LINES = 200


class FaultError(EngineError):
    """A fault of a bot that ends its game: its name, and a sentence for its author."""

    code = "fault"

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail

    @property
    def ending(self) -> Ending:
        """The ending of a game with this fault."""
        return self.fault.ending


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """A `bestmove` in time, its measured span, and the last `info` before it."""

    best: protocol.BestMove
    span: Span
    info: protocol.Info | None


@dataclass(frozen=True, slots=True)
class _TimedLine:
    """A bot's line, the time it took, and the last `info` line before it (empty without one)."""

    text: str
    span: Span
    info: str


class BotPlayer:
    """One bot of a match.

    Its process starts when it is first needed and serves until it fails or `close`.

    Every method that talks to the bot raises `FaultError`, after which the process is dead; the
    next game starts a new one. `LaunchError` passes through: it is not the bot's fault.
    """

    def __init__(self, spec: BotSpec, *, launcher: Launcher) -> None:
        self.spec = spec
        self._launcher = launcher
        self._process: BotProcess | None = None
        self._dialect = protocol.Dialect.UGI
        self._recorder = TranscriptRecorder(spec.name)
        self._log: list[str] = []
        self._stderr = ""

    @property
    def log(self) -> BotLog:
        """What the bot has written beside its moves."""
        stderr = self._stderr + (self._process.stderr_text if self._process else "")
        return BotLog(self.spec.name, tuple(self._log), stderr)

    @property
    def is_metered(self) -> bool:
        """Whether its clock can be corrected for a busy machine."""
        return self._process is not None and self._process.is_metered

    def open_transcript(self, began_ns: int) -> None:
        """Begin the transcript of another game."""
        self._recorder = TranscriptRecorder(self.spec.name, began_ns)

    def end_ply(self) -> None:
        """Count a ply of either side: later lines of the transcript belong to the next one."""
        self._record_stderr()
        self._recorder.end_ply()

    def transcript(self) -> BotTranscript:
        """Everything said since `open_transcript`."""
        self._record_stderr()
        return self._recorder.transcript()

    def begin(self, *, ruleset: str, on_wait: Callable[[], None]) -> None:
        """Start the process if there is none, and have it ready for a new game of `ruleset`.

        This is not on the clock.
        """
        try:
            if self._process is None:
                self._process = BotProcess(self._launcher(self.spec))
                self._greet(on_wait)
                self._process.recognise()
            self._process.resume()
            self._tell(protocol.SetOption("Game", ruleset))
            self._tell(protocol.NewGame(self._dialect))
            self._tell(protocol.IsReady())
            self._await_ready(on_wait)
            self._process.pause()
        except BotFailedError as error:
            raise self._fault(error) from error
        except ProtocolError as error:
            raise self.blame(Fault.MALFORMED, str(error)) from error

    def ask(
        self, *, position: str, go: str, limit_ns: int, on_wait: Callable[[], None]
    ) -> BotAnswer:
        """The answer to `position` and `go`, in at most `limit_ns` of the bot's own time."""
        process = self._running()
        try:
            self._refuse_answers(Fault.UNASKED_ANSWER, "answered before it was asked")
            process.resume()
            waking = self._ask_line("isready", "readyok", limit_ns, on_wait)
            answer = self._ask_line(f"{position}\n{go}", "bestmove", limit_ns, on_wait)
            process.pause()
            span = answer.span
            if waking.span.charged_ns > WAKING_NS:
                span = span.plus(waking.span)
                self._refuse_late(span, limit_ns)
            self._refuse_answers(Fault.SECOND_ANSWER, "answered twice")
            return BotAnswer(_best_move(answer.text), span, _info(answer.info))
        except BotFailedError as error:
            raise self._fault(error) from error
        except ProtocolError as error:
            raise self.blame(Fault.MALFORMED, str(error)) from error

    def tell(self, command: protocol.Command) -> None:
        """Send a command that takes no answer; stop a bot that cannot take it."""
        if self._process is None:
            return
        try:
            self._process.resume()
            self._tell(command)
        except BotFailedError:
            self._stop_process()

    def blame(self, fault: Fault, detail: str) -> FaultError:
        """The fault to raise. Kills the process, whose state is unknown after a fault."""
        self._stop_process()
        self._recorder.note(f"{fault.value}: {detail}")
        return FaultError(fault, detail)

    def close(self, *, grace_ms: int = 0) -> None:
        """Let the bot end within `grace_ms`, then kill it."""
        self._stop_process(grace_ms)

    def _greet(self, on_wait: Callable[[], None]) -> None:
        """Ask which dialect the bot speaks: `ugi` first, then `uci` after half of `HELLO_MS`."""
        for dialect in (protocol.Dialect.UGI, protocol.Dialect.UCI):
            self._tell(protocol.Hello(dialect))
            hello = self._await_reply(protocol.HelloOk, HELLO_MS // 2, on_wait)
            if isinstance(hello, protocol.HelloOk):
                self._dialect = hello.dialect
                return
        detail = f"neither ugiok nor uciok within {HELLO_MS} ms"
        raise BotFailedError(Fault.NO_GREETING, detail)

    def _await_ready(self, on_wait: Callable[[], None]) -> None:
        if self._await_reply(protocol.ReadyOk, READY_MS, on_wait) is None:
            raise BotFailedError(Fault.NOT_READY, f"no readyok within {READY_MS} ms")

    def _await_reply(
        self, kind: type[protocol.Reply], limit_ms: int, on_wait: Callable[[], None]
    ) -> protocol.Reply | None:
        """The next reply of type `kind`, or None after `limit_ms` of silence.

        Names and options are passed over; other lines go to the log.
        """
        deadline_ns = time.monotonic_ns() + limit_ms * NS_PER_MS
        while True:
            try:
                line = self._receive_line(deadline_ns, on_wait)
            except BotFailedError as error:
                if error.fault is not Fault.NO_ANSWER:
                    raise
                return None
            reply = protocol.parse_reply(line.text)
            if isinstance(reply, kind):
                return reply
            if isinstance(reply, protocol.BestMove):
                raise BotFailedError(Fault.UNASKED_ANSWER, "answered before it was asked")
            self._note(reply)

    def _ask_line(
        self, text: str, reply_word: str, limit_ns: int, on_wait: Callable[[], None]
    ) -> _TimedLine:
        """Send `text` and return the first line that begins with `reply_word`.

        Waits until the bot was charged `limit_ns`.

        The wall may show later than that: what the bot spends waiting for a processor is not its
        time.
        """
        process = self._running()
        stopwatch = process.stopwatch()
        sent_ns = process.send(text)
        stopwatch.start(sent_ns)
        self._recorder.record_input(text, at_ns=sent_ns)
        deadline_ns = sent_ns + limit_ns
        info = ""
        while True:
            try:
                line = self._receive_line(deadline_ns, on_wait)
            except BotFailedError as error:
                now_ns = time.monotonic_ns()
                deadline_ns = sent_ns + limit_ns + stopwatch.span(now_ns).credit_ns
                if error.fault is not Fault.NO_ANSWER or deadline_ns <= now_ns:
                    raise
                continue
            word = _first_word(line.text)
            if word == reply_word:
                span = stopwatch.span(line.read_ns)
                self._refuse_late(span, limit_ns)
                return _TimedLine(line.text, span, info)
            if word == "bestmove":
                raise BotFailedError(Fault.UNASKED_ANSWER, "answered before it was asked")
            if line.text == protocol.OUT_OF_FUEL:
                raise BotFailedError(Fault.OUT_OF_FUEL, protocol.OUT_OF_FUEL)
            if word == "info":
                info = line.text
            else:
                self._note(protocol.Unknown(line.text))

    def _refuse_late(self, span: Span, limit_ns: int) -> None:
        if span.charged_ns > limit_ns:
            took_ms, limit_ms = span.charged_ns // NS_PER_MS, limit_ns // NS_PER_MS
            raise BotFailedError(Fault.LATE_ANSWER, f"answered after {took_ms} of {limit_ms} ms")

    def _refuse_answers(self, fault: Fault, detail: str) -> None:
        """Take what the bot has written unasked; an answer among it is `fault`."""
        process = self._running()
        lines = process.waiting_lines()
        self._record_stderr()
        for line in lines:
            self._recorder.record_output(line, at_ns=time.monotonic_ns())
            self._note(protocol.Unknown(line))
        if any(_first_word(line) == "bestmove" for line in lines):
            raise BotFailedError(fault, detail)

    def _receive_line(self, deadline_ns: int, on_wait: Callable[[], None]) -> OutputLine:
        line = self._running().receive(deadline_ns=deadline_ns, on_wait=on_wait)
        self._record_stderr()
        self._recorder.record_output(line.text, at_ns=line.read_ns)
        return line

    def _record_stderr(self) -> None:
        if self._process is not None and (text := self._process.take_stderr()):
            self._recorder.record_stderr(text)

    def _note(self, reply: protocol.Reply) -> None:
        if isinstance(reply, protocol.Unknown) and reply.text and len(self._log) < _LOG_LINES:
            self._log.append(reply.text)

    def _running(self) -> BotProcess:
        if self._process is None:
            raise EngineError(f"{self.spec.name} was asked before its game began")
        return self._process

    def _tell(self, command: protocol.Command) -> None:
        text = protocol.format_command(command)
        self._recorder.record_input(text, at_ns=time.monotonic_ns())
        self._running().send(text)

    def _fault(self, error: BotFailedError) -> EngineError:
        """What to raise for `error`; the process is dead afterwards."""
        if self._running().is_sandbox_broken:
            self._stop_process()
            return IsolationError(f"the box could not be made: {self._stderr[-500:].strip()}")
        return self.blame(error.fault, error.detail)

    def _stop_process(self, grace_ms: int = 0) -> None:
        if self._process is None:
            return
        self._process.close(grace_ms=grace_ms)
        self._record_stderr()
        self._stderr += self._process.stderr_text
        self._process = None


def _first_word(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.strip() else ""


def _best_move(line: str) -> protocol.BestMove:
    reply = protocol.parse_reply(line)
    if not isinstance(reply, protocol.BestMove):
        raise ProtocolError(f"no word of the protocol: {protocol.quote(line)}")
    return reply


def _info(line: str) -> protocol.Info | None:
    """The `info` in `line`, or None when it is malformed, which is for the log and no fault."""
    try:
        reply = protocol.parse_reply(line)
    except ProtocolError:
        return None
    return reply if isinstance(reply, protocol.Info) else None
