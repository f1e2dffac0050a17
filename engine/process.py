"""A bot's process: pipes with deadlines, caps on its output, and a reliable end.

No thread and no event loop: one `poll` over three pipes costs about 10 microseconds a line. The
command that is really run comes from a `Launcher`, so that a sandbox can wrap it. The rest of this
module only knows of isolation that the bot may be a grandchild.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

from engine import meters, procfs, protocol
from engine.endings import Fault
from engine.errors import BotFailedError, ProtocolError
from engine.launch import READY, Launch, Launcher, spawn, unconfined
from engine.protocol.text import decode_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from engine.launch import ChildProcess

__all__ = ["BotProcess", "Launch", "Launcher", "OutputLimits", "OutputLine", "unconfined"]

# Bytes of one read: few of standard output, which is read line by line, and a pipe's whole capacity
# of standard error.
_STDOUT_BYTES = 8192
_STDERR_BYTES = 65_536
_NS_PER_MS = 1_000_000
# The interval between calls of `on_wait`.
_WAIT_SLICE_MS = 1000
# The interval between checks of a thinking bot's memory: at 5 GB/s it may take 500 MB meanwhile.
_WATCH_MS = 100
# The exit status of a dead bot belongs to its report. We wait this long for it after the end of its
# output.
_EXIT_MS = 200
_WRITE_MS = 5000


@dataclass(frozen=True, slots=True)
class OutputLimits:
    """Limits of a bot's output: `answer_bytes` between two commands, on both streams together.

    `stderr_kept` is how many characters of the end of its standard error are remembered.
    """

    answer_bytes: int = 1_048_576
    stderr_kept: int = 16_384


class OutputLine(NamedTuple):
    """One line of a bot and the monotonic nanosecond at which its newline was read."""

    text: str
    read_ns: int


def _nothing() -> None:
    return None


class BotProcess:
    """A running bot.

    Use it as a context manager or call `close`. In every case no process is left.

    Not thread-safe. The bot dies with the thread that created it, even when that is killed with
    SIGKILL.
    """

    def __init__(self, launch: Launch, *, limits: OutputLimits | None = None) -> None:
        self._launch = launch
        self._limits = limits or OutputLimits()
        self._process = spawn(launch)
        self._stdin, self._stdout, self._stderr = _set_nonblocking(self._process)
        if launch.readiness is not None:
            os.set_blocking(launch.readiness, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._outgoing = b""
        self._written_bytes = 0
        self._sent_ns = 0
        self._read_ns = 0
        self._next_wait_ns = 0
        self._next_watch_ns = 0
        self._stderr_tail = ""
        self._stderr_news: list[str] = []
        self._stderr_decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._meter: meters.Meter | None = meters.FamilyMeter.of(self._process.pid)
        self._is_recognised = False
        self._brake = procfs.Brake([])
        self._is_sandbox_complete = False
        self._is_at_end = False
        self._is_closed = False

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Return the process id, which is also its group's and its session's."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Return whether it has neither ended nor closed its output."""
        return not self._is_closed and not self._is_at_end and self._exit_status() is None

    @property
    def stderr_text(self) -> str:
        """Return the last part of the bot's standard error."""
        return self._stderr_tail

    @property
    def is_metered(self) -> bool:
        """Return whether waits for a processor are measured. It is False before `recognise`."""
        return self._is_recognised and self._meter is not None

    @property
    def is_sandbox_broken(self) -> bool:
        """Return whether its sandbox has not said that it is complete. False without a sandbox."""
        if self._launch.readiness is None or self._is_sandbox_complete:
            return False
        with contextlib.suppress(BlockingIOError):
            self._is_sandbox_complete = os.read(self._launch.readiness, len(READY)) == READY
        return not self._is_sandbox_complete

    def recognise(self) -> None:
        """Find the bot's own process under its launchers.

        For once it has answered something and is surely there.
        """
        main = procfs.main_process(self._process.pid)
        if self._meter:
            self._meter.close()
        self._meter = meters.CpuMeter.of(main)
        self._is_recognised = True
        self._brake = procfs.Brake(procfs.family(main))

    def stopwatch(self) -> meters.Stopwatch:
        """Return a stopwatch for the next question."""
        return meters.Stopwatch(self._meter)

    def cpu_ns(self) -> int | None:
        """Return the processor time of the bot so far, or None if it is not metered, or gone."""
        reading = self._meter.read() if self._meter and self._is_recognised else None
        return None if reading is None else reading.cpu_ns

    def pause(self) -> None:
        """Stop the bot until `resume`: it must not think on its opponent's time."""
        self._brake.pull()

    def resume(self) -> None:
        """Continue the bot."""
        self._brake.release()

    def forget_stderr(self) -> None:
        """Clear the text of its standard error, for another match."""
        self._pump(0)
        self._stderr_tail = ""
        self._stderr_news.clear()

    def take_stderr(self) -> str:
        """Return the standard error of the bot since the last call."""
        news = "".join(self._stderr_news)
        self._stderr_news.clear()
        return news

    def send(self, text: str) -> int:
        """Write `text` and a newline, and return the monotonic nanosecond at which its last bytes were written.

        The clock is read before they are written, because the bot may run immediately afterwards.

        Raises:
            BotFailedError: the bot is dead, does not read, or floods meanwhile.
        """
        self._written_bytes = 0
        self._outgoing = text.encode("utf-8") + b"\n"
        self._write()
        if self._outgoing:
            self._pump_until_written()
        self._next_watch_ns = self._sent_ns + _WATCH_MS * _NS_PER_MS
        self._next_wait_ns = self._sent_ns + _WAIT_SLICE_MS * _NS_PER_MS
        return self._sent_ns

    def receive(self, *, deadline_ns: int, on_wait: Callable[[], None] = _nothing) -> OutputLine:
        """Return the next line of the bot, which may have been read slightly after `deadline_ns`.

        `on_wait` is called about once a second from `send` on. Its exceptions pass through.

        Raises:
            BotFailedError: end of output, no line before the deadline, too much or nonsense.
        """
        while not self._lines:
            if self._is_at_end:
                self._fail_by_crash(Fault.CLOSED_OUTPUT, "closed its output and kept running")
            now_ns = time.monotonic_ns()
            if now_ns >= deadline_ns:
                raise BotFailedError(Fault.NO_ANSWER, "no answer in time")
            if now_ns >= self._next_watch_ns:
                self._look_around(now_ns, on_wait)
            timeout_ms = (deadline_ns - now_ns) // _NS_PER_MS + 1
            self._pump(timeout_ms if timeout_ms < _WATCH_MS else _WATCH_MS)
        raw = self._lines.popleft()
        try:
            return OutputLine(decode_line(raw), self._read_ns)
        except ProtocolError as error:
            raise _unreadable(raw, error) from error

    def waiting_lines(self) -> list[str]:
        """Return the lines the bot has written unasked so far. Does not wait.

        Raises:
            BotFailedError: too much or nonsense.
        """
        self._pump(0)
        lines = []
        while self._lines:
            lines.append(self.receive(deadline_ns=0).text)
        return lines

    def close(self, *, grace_ms: int = 0) -> None:
        """Wait up to `grace_ms` for the end of the output, then kill and reap the whole group."""
        if self._is_closed:
            return
        self._is_closed = True
        deadline_ns = time.monotonic_ns() + grace_ms * _NS_PER_MS
        self.resume()
        with contextlib.suppress(BotFailedError):
            while not self._is_at_end and (timeout_ns := deadline_ns - time.monotonic_ns()) > 0:
                self._lines.clear()
                self._pump(-(-timeout_ns // _NS_PER_MS))
        with contextlib.suppress(BotFailedError):
            self._pump(0)
        # The leader is not reaped yet, so its id cannot have become another group's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._brake.close()
        if self._meter:
            self._meter.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        if self._launch.readiness is not None:
            os.close(self._launch.readiness)

    def _look_around(self, now_ns: int, on_wait: Callable[[], None]) -> None:
        self._next_watch_ns = now_ns + _WATCH_MS * _NS_PER_MS
        self._watch_memory()
        if self._meter:
            self._meter.read()  # the waits of threads that will have ended by the answer
        if now_ns >= self._next_wait_ns:
            self._next_wait_ns = now_ns + _WAIT_SLICE_MS * _NS_PER_MS
            on_wait()

    def _pump_until_written(self) -> None:
        stopwatch, began_ns = self.stopwatch(), time.monotonic_ns()
        stopwatch.start(began_ns)
        limit_ns = _WRITE_MS * _NS_PER_MS
        self._poll.register(self._stdin, select.POLLOUT)
        try:
            while self._outgoing:
                self._pump(_WATCH_MS)
                now_ns = time.monotonic_ns()
                if now_ns - began_ns > limit_ns and stopwatch.span(now_ns).charged_ns > limit_ns:
                    raise BotFailedError(Fault.DEAF, "does not read its input")
        finally:
            self._poll.unregister(self._stdin)

    def _watch_memory(self) -> None:
        resident = procfs.resident_bytes(procfs.family(self._process.pid))
        if resident > self._launch.memory_bytes:
            detail = f"uses {resident >> 20} MiB of memory, allowed are {self._launch.memory_bytes >> 20}"
            raise BotFailedError(Fault.MEMORY, detail)

    def _pump(self, timeout_ms: int) -> None:
        """Read and write the bytes that the pipes take, waiting up to `timeout_ms` for the first."""
        for descriptor, _ in self._poll.poll(timeout_ms):
            if descriptor == self._stdout:
                self._read_stdout()
            elif descriptor == self._stderr:
                self._read_stderr()
            else:
                self._write()

    def _write(self) -> None:
        self._sent_ns = time.monotonic_ns()
        try:
            count = os.write(self._stdin, self._outgoing)
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._fail_by_crash(Fault.DEAF, "closed its input and kept running")
        self._outgoing = self._outgoing[count:]

    def _read_stdout(self) -> None:
        chunk = os.read(self._stdout, _STDOUT_BYTES)
        if not chunk:
            self._is_at_end = True
            self._poll.unregister(self._stdout)
            return
        self._read_ns = time.monotonic_ns()
        self._written_bytes += len(chunk)
        if self._written_bytes > self._limits.answer_bytes:
            self._fail_by_flood()
        lines = (self._partial + chunk).split(b"\n")
        self._partial = lines.pop()
        self._lines += lines
        if len(self._partial) > protocol.MAX_LINE_BYTES:
            raise BotFailedError(Fault.FLOOD, f"a line of over {protocol.MAX_LINE_BYTES} bytes")

    def _read_stderr(self) -> None:
        chunk = os.read(self._stderr, _STDERR_BYTES)
        if not chunk:
            self._poll.unregister(self._stderr)
            return
        text = self._stderr_decoder.decode(chunk)
        self._stderr_news.append(text)
        self._stderr_tail = (self._stderr_tail + text)[-self._limits.stderr_kept :]
        self._written_bytes += len(chunk)
        if self._written_bytes > self._limits.answer_bytes:
            self._fail_by_flood()

    def _fail_by_flood(self) -> NoReturn:
        detail = f"over {self._limits.answer_bytes} bytes of output without an answer"
        raise BotFailedError(Fault.FLOOD, detail)

    def _fail_by_crash(self, fault: Fault, detail: str) -> NoReturn:
        """Say how the bot ended, or that it did `fault` if it lives on."""
        deadline_ns = time.monotonic_ns() + _EXIT_MS * _NS_PER_MS
        while (status := self._exit_status()) is None and time.monotonic_ns() < deadline_ns:
            time.sleep(0.002)
        if status is None:
            raise BotFailedError(fault, detail)
        if status.si_code == os.CLD_EXITED:
            raise BotFailedError(Fault.EXITED, f"exited with status {status.si_status}")
        name = signal.Signals(status.si_status).name
        raise BotFailedError(Fault.KILLED, f"killed by {name}")

    def _exit_status(self) -> os.waitid_result | None:
        """Return the exit status of the process, if it has one.

        Only looks: the id stays reserved until `close` has killed the group.
        """
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)


def _set_nonblocking(process: ChildProcess) -> tuple[int, int, int]:
    """Return the descriptors of stdin, stdout and stderr, which do not block us any more."""
    pipes = cast("list[IO[bytes]]", [process.stdin, process.stdout, process.stderr])
    stdin, stdout, stderr = (pipe.fileno() for pipe in pipes)
    for descriptor in (stdin, stdout, stderr):
        os.set_blocking(descriptor, False)
    return stdin, stdout, stderr


def _unreadable(raw: bytes, error: ProtocolError) -> BotFailedError:
    is_long = len(raw) > protocol.MAX_LINE_BYTES
    return BotFailedError(Fault.FLOOD if is_long else Fault.GARBAGE, str(error))
