"""Forks of a process that has loaded our own bots: a start takes 4 ms of CPU instead of 110.

Every thread that starts bots has one such process, because a bot dies with the thread that started
it. A fork is a child of our process and not of the process that it was forked from (CLONE_PARENT of
clone(2)). Therefore we read its exit status, and no other process gets its number before that.

Only on Linux on x86-64 and AArch64. On other systems a bot is started like any other program.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import logging
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
import traceback
import weakref
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engine import parent_death
from engine.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

log = logging.getLogger(__name__)

# linux/sched.h, and the number of clone(2) on each machine.
_CLONE_PARENT = 0x8000
_CLONE = {"x86_64": 56, "aarch64": 220}
_ROOT = Path(__file__).resolve().parent.parent
_SERVE = "import sys; sys.path.insert(0, {root!r}); from engine import fork_server; fork_server.serve({descriptor})"
_REQUEST_BYTES = 65_536
# Time to load a module on a busy machine. No caller waits for a bot any longer.
_ANSWER_S = 30


class ForkedProcess:
    """A bot that was forked, with the part of the interface of `subprocess` that callers use."""

    def __init__(self, pid: int, descriptors: Sequence[int]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] = os.fdopen(descriptors[0], "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(descriptors[1], "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(descriptors[2], "rb", buffering=0)

    def wait(self) -> int:
        """Wait for its end, release its number, and return its exit code, negative for a signal."""
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


class ForkServer:
    """A process that has loaded `module` and forks a bot on request.

    Raises:
        LaunchError: it cannot be started.
    """

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._owner = os.getpid()
        serve = _SERVE.format(root=str(_ROOT), descriptor=theirs.fileno())
        with theirs:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    [sys.executable, "-P", "-c", serve],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    cwd="/",
                    env=dict(environment),
                    start_new_session=True,
                    pass_fds=(theirs.fileno(),),
                )
            except OSError as error:
                ours.close()
                raise LaunchError(f"cannot start a process that forks bots: {error}") from error
        weakref.finalize(self, _end, self._owner, ours, self._process)
        ours.settimeout(_ANSWER_S)
        ours.send(json.dumps({"module": module, "parent": self._owner}).encode())

    @property
    def pid(self) -> int:
        """Return its number."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Return whether it runs and is a child of this process, not of one that this was forked from."""
        return self._owner == os.getpid() and self._process.poll() is None

    def start(self, arguments: Sequence[str]) -> ForkedProcess:
        """Return a new process, leader of a new session, that runs `main(arguments)` of the module.

        Raises:
            LaunchError: the machine refuses, or the server has ended.
        """
        (stdin, our_stdin), (our_stdout, stdout), (our_stderr, stderr) = (
            os.pipe() for _ in range(3)
        )
        inside, outside = (stdin, stdout, stderr), (our_stdin, our_stdout, our_stderr)
        try:
            pid = self._request(arguments, inside)
        except LaunchError:
            for descriptor in outside:
                os.close(descriptor)
            raise
        finally:
            for descriptor in inside:
                os.close(descriptor)
        return ForkedProcess(pid, outside)

    def _request(self, arguments: Sequence[str], descriptors: Sequence[int]) -> int:
        try:
            socket.send_fds(self._socket, [json.dumps(list(arguments)).encode()], descriptors)
            answer = self._socket.recv(_REQUEST_BYTES).decode()
        except ConnectionError:
            answer = ""
        except OSError as error:
            raise LaunchError(f"cannot fork a bot: {error}") from error
        if not answer.isdecimal():
            raise LaunchError(f"cannot fork a bot: {answer or 'the server has ended'}")
        return int(answer)


def _end(owner: int, requests: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """End a server that has no users any more. Its bots keep running."""
    requests.close()
    if owner == os.getpid():
        process.kill()
        process.wait()
    else:
        process.returncode = 0  # or its end would be awaited in this copy, whose child it is not


class _OfThread(threading.local):
    """The servers of one thread, by module, or None for a module whose fork was refused."""

    def __init__(self) -> None:
        self.servers: dict[str, ForkServer | None] = {}


of_thread = _OfThread()


def start(
    module: str, arguments: Sequence[str], environment: Mapping[str, str]
) -> ForkedProcess | None:
    """Return a fork of this thread's server for `module`, which is started first if necessary.

    Returns None if the machine refuses. The caller then starts it like any other program.
    `environment` is that of the first bot of the module in this thread, and of all after it.
    """
    if sys.platform != "linux" or platform.machine() not in _CLONE:
        return None
    servers = of_thread.servers
    server = servers.get(module)
    if server is None and module in servers:
        return None
    try:
        if server is None or not server.is_alive:
            server = servers[module] = ForkServer(module, environment)
        return server.start(arguments)
    except LaunchError as error:
        log.warning("no forks of %s: %s", module, error)
        servers[module] = None
        return None


def serve(descriptor: int) -> None:
    """Be the server at the other end of the socket `descriptor`, until that is closed."""
    with socket.socket(fileno=descriptor) as requests:
        order = json.loads(requests.recv(_REQUEST_BYTES))
        end_with_parent = parent_death.end_with(order["parent"])
        end_with_parent()
        module = importlib.import_module(order["module"])
        module.preload()
        # Loaded objects stay unchanged, shared by all forks.
        gc.collect()
        gc.freeze()
        while True:
            try:
                request, descriptors, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, 3)
            except ConnectionResetError:  # closed by a client that did not read an answer
                return
            if not request:
                return
            pid = _clone()
            if pid == 0:
                arguments = json.loads(request)
                _become_bot(module.main, arguments, requests, descriptors, end_with_parent)
            for pipe in descriptors:
                os.close(pipe)
            if pid == -1:
                requests.send(os.strerror(ctypes.get_errno()).encode())


def _clone() -> int:
    """Fork into a child of our parent. Return 0 in the fork, its number here, or -1 for an errno.

    The child of `os.fork` would be ours. The work of `os.fork` beside the call of the kernel is for
    processes with several threads.
    """
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    syscall.restype = ctypes.c_long
    number = _CLONE[platform.machine()]
    return int(
        syscall(*(ctypes.c_long(n) for n in (number, _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)))
    )


def _become_bot(
    main: Callable[[Sequence[str]], int],
    arguments: Sequence[str],
    requests: socket.socket,
    descriptors: Sequence[int],
    end_with_parent: Callable[[], None],
) -> None:
    """Be the bot at the other end of the pipes, and tell the client of `requests` our number."""
    code = 1
    try:
        os.setsid()
        end_with_parent()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        # Not by the server: a process with the number may kill the group, which must already exist.
        requests.send(str(os.getpid()).encode())
        requests.close()
        code = main(arguments)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - whatever it is, the server must not go on twice
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)
