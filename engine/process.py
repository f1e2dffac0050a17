"""A bot's process: pipes with deadlines, caps on what it may write, and a certain death.

No thread and no event loop: one `poll` over three pipes costs about 10 microseconds a line. The command that is
really run comes from a `Launcher`, so that a sandbox can wrap it; nothing else here knows about isolation.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, cast

from engine import protocol
from engine.errors import BotFailedError, BotFailure, LaunchError, ProtocolError
from engine.match import BotSpec

if TYPE_CHECKING:
    from typing import IO

_PR_SET_PDEATHSIG = 1
_READ_BYTES = 65_536
_NS_PER_MS = 1_000_000
# How often `on_wait` is called.
_WAIT_SLICE_MS = 1000
# A dead bot's exit status is part of its story; this long we wait for it after its output ended.
_EXIT_MS = 200
_WRITE_MS = 5000


@dataclass(frozen=True, slots=True)
class Launch:
    """What to run: an argument list (never a shell's line), the whole environment, the working directory.

    `descriptors` are inherited by the child and closed here once it runs, so a launch serves once. The child becomes
    `user` (uid and gid, no other groups) first if that is told.
    """

    argv: Sequence[str]
    directory: str = "/"
    environment: Mapping[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    )
    descriptors: Sequence[int] = ()
    user: int | None = None


Launcher = Callable[[BotSpec], Launch]


def unconfined(bot: BotSpec) -> Launch:
    """The bot's command as it is, with a bare environment and no sandbox: for bots one trusts, such as our own."""
    return Launch(bot.argv)


@dataclass(frozen=True, slots=True)
class OutputLimits:
    """What a bot may write, in bytes: `answer_bytes` between two commands, on both streams together."""

    answer_bytes: int = 1_048_576
    stderr_kept_bytes: int = 16_384


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a bot and the monotonic nanosecond at which its newline was read."""

    text: str
    read_ns: int


def _nothing() -> None:
    return None


class BotProcess:
    """A running bot. Use it as a context manager or call `close`; whatever happens no process is left.

    Not thread-safe. The bot dies with the thread that created it, even when that is killed with SIGKILL.
    """

    def __init__(self, launch: Launch, *, limits: OutputLimits | None = None) -> None:
        self._limits = limits or OutputLimits()
        self._process = _spawned(launch)
        self._stdin, self._stdout, self._stderr = _unblocked(self._process)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._outgoing = b""
        self._written_bytes = 0
        self._read_ns = 0
        self._next_wait_ns = 0
        self._stderr_tail = bytearray()
        self._is_at_end = False
        self._is_closed = False

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process id, which is also its group's and its session's."""
        return self._process.pid

    @property
    def stderr_text(self) -> str:
        """The last part of what the bot wrote to its standard error."""
        return self._stderr_tail.decode("utf-8", errors="replace")

    def send(self, text: str) -> int:
        """Write `text` and a newline; the monotonic nanosecond after its last byte.

        Raises:
            BotFailedError: the bot is dead, does not read, or floods meanwhile.
        """
        self._written_bytes = 0
        self._outgoing = text.encode("utf-8") + b"\n"
        deadline_ns = time.monotonic_ns() + _WRITE_MS * _NS_PER_MS
        self._write()
        if self._outgoing:
            self._poll.register(self._stdin, select.POLLOUT)
            try:
                self._pump_until_written(deadline_ns)
            finally:
                self._poll.unregister(self._stdin)
        now_ns = time.monotonic_ns()
        self._next_wait_ns = now_ns + _WAIT_SLICE_MS * _NS_PER_MS
        return now_ns

    def receive(self, *, deadline_ns: int, on_wait: Callable[[], None] = _nothing) -> Line:
        """The next line of the bot, which may have been read after `deadline_ns` by a hair.

        `on_wait` is called about once a second from `send` on; what it raises passes through.

        Raises:
            BotFailedError: end of output, nothing before the deadline, too much or nonsense.
        """
        while not self._lines:
            if self._is_at_end:
                self._fail_by_crash()
            left_ns = deadline_ns - time.monotonic_ns()
            if left_ns <= 0:
                raise BotFailedError(BotFailure.TIMEOUT, "no answer in time")
            self._pump(min(-(-left_ns // _NS_PER_MS), _WAIT_SLICE_MS))
            self._call_each_second(on_wait)
        return Line(self._decoded(self._lines.popleft()), self._read_ns)

    def waiting_lines(self) -> list[str]:
        """The lines the bot has written unasked so far. Does not wait.

        Raises:
            BotFailedError: too much or nonsense.
        """
        self._pump(0)
        lines = [self._decoded(raw) for raw in self._lines]
        self._lines.clear()
        return lines

    def close(self, *, grace_ms: int = 0) -> None:
        """Wait up to `grace_ms` for the end of the bot's output, then kill its whole group and reap it."""
        if self._is_closed:
            return
        self._is_closed = True
        deadline_ns = time.monotonic_ns() + grace_ms * _NS_PER_MS
        with contextlib.suppress(BotFailedError):
            while not self._is_at_end and (left_ns := deadline_ns - time.monotonic_ns()) > 0:
                self._lines.clear()
                self._pump(-(-left_ns // _NS_PER_MS))
        with contextlib.suppress(BotFailedError):
            self._pump(0)
        # Nobody has reaped the leader yet, so its id cannot have become another group's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _call_each_second(self, on_wait: Callable[[], None]) -> None:
        now_ns = time.monotonic_ns()
        if now_ns >= self._next_wait_ns:
            self._next_wait_ns = now_ns + _WAIT_SLICE_MS * _NS_PER_MS
            on_wait()

    def _pump_until_written(self, deadline_ns: int) -> None:
        while self._outgoing:
            left_ms = (deadline_ns - time.monotonic_ns()) // _NS_PER_MS
            if left_ms <= 0:
                raise BotFailedError(BotFailure.TIMEOUT, "does not read its input")
            self._pump(left_ms)

    def _pump(self, timeout_ms: int) -> None:
        """Move what can be moved on the three pipes, waiting up to `timeout_ms` for the first of it."""
        for descriptor, _ in self._poll.poll(timeout_ms):
            if descriptor == self._stdout:
                self._read_stdout()
            elif descriptor == self._stderr:
                self._read_stderr()
            else:
                self._write()

    def _write(self) -> None:
        try:
            written = os.write(self._stdin, self._outgoing)
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._fail_by_crash()
        self._outgoing = self._outgoing[written:]

    def _read_stdout(self) -> None:
        chunk = os.read(self._stdout, _READ_BYTES)
        if not chunk:
            self._is_at_end = True
            self._poll.unregister(self._stdout)
            return
        self._read_ns = time.monotonic_ns()
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        self._lines.extend(lines)
        if len(self._partial) > protocol.MAX_LINE_BYTES:
            raise BotFailedError(
                BotFailure.FLOOD, f"a line of over {protocol.MAX_LINE_BYTES} bytes"
            )
        self._count(chunk)

    def _read_stderr(self) -> None:
        chunk = os.read(self._stderr, _READ_BYTES)
        if not chunk:
            self._poll.unregister(self._stderr)
            return
        self._stderr_tail += chunk
        del self._stderr_tail[: -self._limits.stderr_kept_bytes]
        self._count(chunk)

    def _count(self, chunk: bytes) -> None:
        self._written_bytes += len(chunk)
        if self._written_bytes > self._limits.answer_bytes:
            detail = f"over {self._limits.answer_bytes} bytes of output without an answer"
            raise BotFailedError(BotFailure.FLOOD, detail)

    def _decoded(self, raw: bytes) -> str:
        if len(raw) > protocol.MAX_LINE_BYTES:
            detail = f"a line of over {protocol.MAX_LINE_BYTES} bytes"
            raise BotFailedError(BotFailure.FLOOD, detail)
        try:
            return protocol.decode_line(raw)
        except ProtocolError as error:
            raise BotFailedError(BotFailure.GARBAGE, str(error)) from error

    def _fail_by_crash(self) -> NoReturn:
        deadline_ns = time.monotonic_ns() + _EXIT_MS * _NS_PER_MS
        while (status := self._exit_status()) is None and time.monotonic_ns() < deadline_ns:
            time.sleep(0.002)
        raise BotFailedError(BotFailure.CRASH, _exit_sentence(status))

    def _exit_status(self) -> os.waitid_result | None:
        """How it exited, if it has. Only looks: the id stays reserved until `close` has killed the group."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)


def _spawned(launch: Launch) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603  # running foreign programs is what this module is for
            list(launch.argv),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.directory,
            env=dict(launch.environment),
            start_new_session=True,
            pass_fds=tuple(launch.descriptors),
            user=launch.user,
            group=launch.user,
            extra_groups=None if launch.user is None else [],
            preexec_fn=_death_with(os.getpid()),
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise LaunchError(f"cannot start {' '.join(launch.argv)[:200]!r}: {error}") from error
    finally:
        for descriptor in launch.descriptors:
            os.close(descriptor)


def _unblocked(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    """The descriptors of stdin, stdout and stderr, none of which blocks us any more."""
    pipes = cast("list[IO[bytes]]", [process.stdin, process.stdout, process.stderr])
    stdin, stdout, stderr = (pipe.fileno() for pipe in pipes)
    for descriptor in (stdin, stdout, stderr):
        os.set_blocking(descriptor, False)
    return stdin, stdout, stderr


def _death_with(parent: int) -> Callable[[], None] | None:
    """What the child does before it becomes the bot: ask to be killed when the thread that made it dies."""
    if sys.platform != "linux":
        return None
    prctl = _libc().prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # died between the fork and the request
            os._exit(1)

    return ask


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _exit_sentence(status: os.waitid_result | None) -> str:
    if status is None:
        return "closed its output and kept running"
    if status.si_code == os.CLD_EXITED:
        return f"exited with status {status.si_status}"
    return f"killed by {signal.Signals(status.si_status).name}"
