"""A bot as the referee uses it.

The player greets the bot, tells it the game and asks it for moves. It speaks `protocol` over a
`BotProcess`.

The bot runs only while it owes an answer. In between it is stopped, so that it cannot think on its
opponent's time. Before each `position` it is woken by `isready`. Lines that it writes before
`readyok` are no answers to the new question.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import protocol
from engine.clock import NS_PER_MS, off_the_clock
from engine.errors import (
    BotFailedError,
    EngineError,
    IsolationError,
    ProtocolError,
    StarvedError,
)
from engine.idle import RunningBot
from engine.match import BotLog, Fault
from engine.process import BotProcess
from engine.question import Question
from engine.transcript import TranscriptRecorder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.clock import Span
    from engine.idle import IdleBots
    from engine.match import BotSpec, Ending
    from engine.process import Launcher, OutputLine
    from engine.transcript import BotTranscript

# All of the bot's own time. Waits for a processor are not counted.
HELLO_MS = 5000
READY_MS = 10_000
QUIT_MS = 2000
# Free before each game, to get ready in. Any excess is owed, or bots would think there.
FREE_READY_NS = 1000 * NS_PER_MS
# This long is free to wake up and say `readyok`, and again for the bot's work between its answer
# and its stop. Any excess is charged with the ply.
WAKING_NS = 5 * NS_PER_MS
_LOG_LINES = 200
_TOO_EARLY = "answered before it was asked"


class FaultError(EngineError):
    """A fault of a bot that ends its game: its name, and a sentence for its author."""

    code = "fault"

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail

    @property
    def ending(self) -> Ending:
        """Return the ending of a game with this fault."""
        return self.fault.ending


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """A `bestmove` in time, its measured span, and the last `info` before it.

    `idle_ns` is the processor time that the bot used while it should have been stopped. The span
    includes it.
    """

    best: protocol.BestMove
    span: Span
    info: protocol.Info | None
    idle_ns: int = 0


@dataclass(frozen=True, slots=True)
class _TimedLine:
    """A bot's line, the time it took, and the last `info` line before it (empty without one)."""

    text: str
    span: Span
    info: str


class BotPlayer:
    """One bot of a match.

    Its process starts when it is first needed, unless one waits among the `idle`. It serves until
    it fails, is closed by `close`, or waits for another match.

    Every method that talks to the bot raises `FaultError`. The process is dead afterwards, and the
    next game starts a new one. `LaunchError` and `StarvedError` pass through, because they are not
    the bot's fault.
    """

    def __init__(self, spec: BotSpec, *, launcher: Launcher, idle: IdleBots | None = None) -> None:
        self.spec = spec
        self._launcher = launcher
        self._idle = idle
        self._matches = 1
        self._process: BotProcess | None = None
        self._dialect = protocol.Dialect.UGI
        self._recorder = TranscriptRecorder(spec.name)
        self._log: list[str] = []
        self._stderr = ""
        self._accounted_cpu_ns: int | None = None

    @property
    def log(self) -> BotLog:
        """Return the lines that the bot has written beside its moves."""
        stderr = self._stderr + (self._process.stderr_text if self._process else "")
        return BotLog(self.spec.name, tuple(self._log), stderr)

    @property
    def is_metered(self) -> bool:
        """Return whether its clock can be corrected for a busy machine."""
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

    def begin(self, *, ruleset: str, is_timed: bool, on_wait: Callable[[], None]) -> int:
        """Start the process if there is no process, and prepare it for a new game of `ruleset`.

        A game without time control is played by fuel: the bot receives no word that depends on the
        machine.

        Returns the nanoseconds that the bot owes, because getting ready took longer than the free
        time.
        """
        try:
            if self._process is None:
                self._start(on_wait)
            process = self._running()
            idle_ns = self._take_idle_ns()
            process.resume()
            self._send(protocol.SetOption("Game", ruleset))
            if is_timed and process.is_metered:
                self._send(protocol.CPU_CLOCK)
            for option in self.spec.options:
                self._send(option)
            self._send(protocol.NewGame(self._dialect))
            took = self._await_ready(on_wait)
            self._pause()
            return idle_ns + max(0, took.charged_ns - FREE_READY_NS)
        except BotFailedError as error:
            raise self._fault(error) from error
        except ProtocolError as error:
            raise self.blame(Fault.MALFORMED, str(error)) from error

    def ask(
        self, *, position: str, go: str, limit_ns: int, on_wait: Callable[[], None]
    ) -> BotAnswer:
        """Return the answer to `position` and `go`, in at most `limit_ns` of the bot's own time."""
        process = self._running()
        if limit_ns <= 0:
            raise self.blame(Fault.NO_ANSWER, "had used its time before it was asked")
        try:
            idle_ns = self._take_idle_ns()
            self._refuse_answers(Fault.UNASKED_ANSWER, _TOO_EARLY)
            process.resume()
            waking = self._ask_line("isready", "readyok", limit_ns, on_wait)
            self._refuse_answers(Fault.UNASKED_ANSWER, _TOO_EARLY)
            answer = self._ask_line(f"{position}\n{go}", "bestmove", limit_ns, on_wait)
            self._pause()
            span = answer.span
            if idle_ns:
                span = span.plus(off_the_clock(idle_ns))
            if waking.span.charged_ns > WAKING_NS:
                span = span.plus(waking.span)
            self._refuse_late(span, limit_ns)
            self._refuse_answers(Fault.SECOND_ANSWER, "answered twice")
            return BotAnswer(
                protocol.best_move_in(answer.text), span, protocol.info_in(answer.info), idle_ns
            )
        except BotFailedError as error:
            raise self._fault(error) from error
        except ProtocolError as error:
            raise self.blame(Fault.MALFORMED, str(error)) from error

    def tell(self, command: protocol.Command) -> None:
        """Send a command that takes no answer, and end a bot that cannot take it.

        The bot runs on only for `quit`. It reads any other command when it is asked next.
        """
        if self._process is None:
            return
        try:
            if isinstance(command, protocol.Quit):
                self._process.resume()
            self._send(command)
        except BotFailedError:
            self._stop_process()

    def blame(self, fault: Fault, detail: str) -> FaultError:
        """Return the fault to raise. Kills the process, whose state is unknown after a fault."""
        self._stop_process()
        self._recorder.note(f"{fault.value}: {detail}")
        return FaultError(fault, detail)

    def close(self, *, grace_ms: int = 0) -> None:
        """Give the bot `grace_ms` to end, then kill it."""
        self._stop_process(grace_ms)

    def dismiss(self) -> None:
        """End the match: the bot waits for another if that is allowed, or gets `quit`."""
        if self._process is None:
            return
        if self._idle is None or self.spec.tree is None:
            self.tell(protocol.Quit())
            return
        process = self._process
        self._record_stderr()
        self._stderr += process.stderr_text
        self._process = None
        running = RunningBot(process, self._dialect, self._accounted_cpu_ns, self._matches)
        self._idle.keep(self.spec, running)

    def _start(self, on_wait: Callable[[], None]) -> None:
        """Take a process that waits, or start one and greet it."""
        waiting = self._idle.take(self.spec) if self._idle else None
        if waiting is not None:
            self._process, self._dialect, self._accounted_cpu_ns, matches = waiting
            self._matches = matches + 1
            self._process.forget_stderr()
            return
        self._process = BotProcess(self._launcher(self.spec))
        self._greet(on_wait)
        self._process.recognise()
        self._accounted_cpu_ns = None
        self._matches = 1

    def _greet(self, on_wait: Callable[[], None]) -> None:
        """Ask which dialect the bot speaks: `ugi` first, then `uci` after half of `HELLO_MS`."""
        for dialect in (protocol.Dialect.UGI, protocol.Dialect.UCI):
            question = self._question(protocol.Hello(dialect), HELLO_MS * NS_PER_MS // 2)
            hello = self._await_reply(question, protocol.HelloOk, on_wait)
            if isinstance(hello, protocol.HelloOk):
                self._dialect = hello.dialect
                return
        detail = f"neither ugiok nor uciok within {HELLO_MS} ms"
        raise BotFailedError(Fault.NO_GREETING, detail)

    def _await_ready(self, on_wait: Callable[[], None]) -> Span:
        """Ask whether the bot is ready, and return the time that the answer took."""
        question = self._question(protocol.IsReady(), READY_MS * NS_PER_MS)
        if self._await_reply(question, protocol.ReadyOk, on_wait) is None:
            raise BotFailedError(Fault.NOT_READY, f"no readyok within {READY_MS} ms")
        return question.span(time.monotonic_ns())

    def _await_reply(
        self, question: Question, kind: type[protocol.Reply], on_wait: Callable[[], None]
    ) -> protocol.Reply | None:
        """Return the next reply of type `kind`, or None if no such reply comes in time.

        Names and options are skipped. Other lines go to the log.
        """
        lines = self._lines(question, on_wait)
        while True:
            try:
                line = next(lines)
            except BotFailedError as error:
                if error.fault is not Fault.NO_ANSWER:
                    raise
                return None
            reply = protocol.parse_reply(line.text)
            if isinstance(reply, kind):
                return reply
            if isinstance(reply, protocol.BestMove):
                raise BotFailedError(Fault.UNASKED_ANSWER, _TOO_EARLY)
            self._note(reply)

    def _ask_line(
        self, text: str, reply_word: str, limit_ns: int, on_wait: Callable[[], None]
    ) -> _TimedLine:
        """Send `text` and return the first line that begins with `reply_word`."""
        question = self._question(text, limit_ns)
        info = ""
        for line in self._lines(question, on_wait):
            word = protocol.first_word(line.text)
            if word == reply_word:
                span = question.span(line.read_ns)
                self._refuse_late(span, limit_ns)
                return _TimedLine(line.text, span, info)
            if word == "bestmove":
                raise BotFailedError(Fault.UNASKED_ANSWER, _TOO_EARLY)
            if line.text == protocol.OUT_OF_FUEL:
                raise BotFailedError(Fault.OUT_OF_FUEL, protocol.OUT_OF_FUEL)
            if word == "info":
                info = line.text
            else:
                self._note(protocol.Unknown(line.text))
        raise AssertionError("the lines end by an error")

    def _question(self, command: protocol.Command | str, limit_ns: int) -> Question:
        text = command if isinstance(command, str) else protocol.format_command(command)
        question = Question(self._running(), text, limit_ns=limit_ns)
        self._recorder.record_input(text, at_ns=question.sent_ns)
        return question

    def _lines(self, question: Question, on_wait: Callable[[], None]) -> Iterator[OutputLine]:
        try:
            yield from question.lines(lambda deadline_ns: self._receive_line(deadline_ns, on_wait))
        except StarvedError:
            self._stop_process()
            raise

    def _refuse_late(self, span: Span, limit_ns: int) -> None:
        if span.charged_ns > limit_ns:
            took_ms, limit_ms = span.charged_ns // NS_PER_MS, limit_ns // NS_PER_MS
            raise BotFailedError(Fault.LATE_ANSWER, f"answered after {took_ms} of {limit_ms} ms")

    def _refuse_answers(self, fault: Fault, detail: str) -> None:
        """Read the lines that the bot has written unasked, and raise `fault` for an answer among them."""
        process = self._running()
        lines = process.waiting_lines()
        self._record_stderr()
        for line in lines:
            self._recorder.record_output(line, at_ns=time.monotonic_ns())
            self._note(protocol.Unknown(line))
        if any(protocol.first_word(line) == "bestmove" for line in lines):
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

    def _take_idle_ns(self) -> int:
        """Return the processor time since the bot was stopped, beyond the free time.

        The bot owes it.

        A stopped process uses no time, so the bot has used a trick to run.
        """
        process, before_ns = self._running(), self._accounted_cpu_ns
        now_ns = process.cpu_ns()
        if before_ns is None or now_ns is None or now_ns - before_ns <= WAKING_NS:
            return 0
        idle_ns = now_ns - before_ns
        self._recorder.note(
            f"used {idle_ns // NS_PER_MS} ms of processor time while it was stopped"
        )
        return idle_ns

    def _pause(self) -> None:
        """Stop the bot, and store the processor time that it has used so far."""
        process = self._running()
        self._accounted_cpu_ns = process.cpu_ns()
        process.pause()

    def _send(self, command: protocol.Command) -> None:
        text = protocol.format_command(command)
        self._recorder.record_input(text, at_ns=time.monotonic_ns())
        self._running().send(text)

    def _fault(self, error: BotFailedError) -> EngineError:
        """Return the exception to raise for `error`. The process is dead afterwards."""
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
