"""The program of the self-test, which attempts one forbidden thing.

It prints `stopped: WHY` or `leaked: WHAT`.

`main.py PROBE JSON`. JSON is the description that the worker gives all probes: see `selftest.Lure`.
A probe names the forbidden things that it could do. The self-test judges every other result, such
as the probe's death.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_EXCESSIVE_BYTES = 640 << 20
_PR_SET_PDEATHSIG = 1
_SIGCONT = 18


class Leak(Exception):  # noqa: N818  # no mistake, but what the probe is looking for
    """Leak of the sandbox. The message names it."""


def thinks(lure: dict[str, Any]) -> str:
    """The one probe that must succeed: reads itself, imports the rules and uses threads."""
    import games

    board = games.available()[0].presentation.check_board
    position = games.load(board).initial(seed=1)
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(len(position.legal_moves())))
    thread.start()
    thread.join()
    with open(__file__, encoding="utf-8") as file:
        file.read()
    return f"{counts[0]} legal moves"


def is_nobody(lure: dict[str, Any]) -> str:
    """No root, inside or outside."""
    if 0 in os.getresuid() + os.getresgid():
        raise Leak("runs as root")
    return f"uid {os.getuid()}"


def reads_files(lure: dict[str, Any]) -> str:
    """Files of the machine and of the worker."""
    return _errors_of(_reading, ["/etc/passwd", "/etc/hostname", "/root", lure["secret_file"]])


def reads_processes(lure: dict[str, Any]) -> str:
    """The process table, the worker's environment, the kernel's switches."""
    pid = lure["pid"]
    paths = [f"/proc/{pid}/environ", f"/proc/{pid}/maps", "/proc", "/proc/self/mem", "/sys"]
    return _errors_of(_reading, [*paths, "/proc/sys/kernel/core_pattern"])


def writes_files(lure: dict[str, Any]) -> str:
    """Try to write its own program, the worker's directories, and public places."""
    own = os.path.join(os.path.dirname(__file__), "left")
    public = ["/dev/shm/left", "/var/tmp/left", "/usr/lib/left", "/left"]  # noqa: S108
    return _errors_of(_writing, [own, __file__, lure["open_directory"] + "/left", *public])


def inherits(lure: dict[str, Any]) -> str:
    """The worker's environment and open files."""
    secret = lure["secret"]
    if secret in str(dict(os.environ)):
        raise Leak("the worker's environment")
    open_ones = [descriptor for descriptor in range(3, 256) if _is_open(descriptor)]
    if open_ones:
        raise Leak(f"descriptors {open_ones}")
    return "clean environment, three pipes"


def connects(lure: dict[str, Any]) -> str:
    """The network, the machine itself, and sockets with names."""
    families = {
        "TCP": socket.AF_INET,
        "IPv6": socket.AF_INET6,
        "Unix": socket.AF_UNIX,
        "netlink": 16,
    }
    for name, family in families.items():
        try:
            socket.socket(family, socket.SOCK_DGRAM).close()
        except PermissionError:
            continue
        except OSError as error:
            raise Leak(f"{name} sockets: {error.strerror}") from error
        raise Leak(f"{name} sockets")
    return "EPERM"


def forks(lure: dict[str, Any]) -> str:
    """Another process, by any of the ways there are."""
    for name, way in (("fork", os.fork), ("posix_spawn", _spawn)):
        try:
            child = way()
        except PermissionError:
            continue
        if child == 0:
            os._exit(0)
        raise Leak(name)
    return "EPERM"


def takes_memory(lure: dict[str, Any]) -> str:
    """More memory than allowed, private and shared."""
    for name, flags in (("private", mmap.MAP_PRIVATE), ("shared", mmap.MAP_SHARED)):
        try:
            mmap.mmap(-1, _EXCESSIVE_BYTES, flags=flags | mmap.MAP_ANONYMOUS).close()
        except OSError as error:
            if error.errno == errno.ENOMEM:
                continue
            raise
        raise Leak(f"{_EXCESSIVE_BYTES >> 20} MiB {name}")
    return "ENOMEM"


def signals(lure: dict[str, Any]) -> str:
    """Its worker and its neighbours, by signals sent and by signals ordered through a pipe."""
    for pid in (lure["pid"], os.getppid(), os.getpid()):
        for number in (0, _SIGCONT):
            try:
                os.kill(pid, number)
            except PermissionError:
                continue
            raise Leak(f"signal {number} to {pid}")
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, lure["pid"])
    except PermissionError:
        return "EPERM"
    finally:
        os.close(reading)
        os.close(writing)
    raise Leak("SIGIO to the worker")


def outlives(lure: dict[str, Any]) -> str:
    """Its worker's death: takes back the order to die with it."""
    if _libc().prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0:
        raise Leak("the order to die with the worker was taken back")
    return errno.errorcode[ctypes.get_errno()]


def calls(lure: dict[str, Any]) -> str:
    """Every refused system call with meaningless arguments: only the filter answers EPERM."""
    # Alone for this probe: it takes three times as long as all that the others import.
    from engine.sandbox import seccomp, syscalls

    numbers = syscalls.numbers(seccomp.this_architecture())
    libc = _libc()
    nothing = [ctypes.c_long(-1)] * 6
    # fork and vfork have a probe of their own, which survives their success.
    names = [name for name in syscalls.REFUSED if name in numbers and not name.endswith("fork")]
    leaks = []
    for name in names:
        libc.syscall(ctypes.c_long(numbers[name]), *nothing)
        if ctypes.get_errno() != errno.EPERM:
            leaks.append(name)
    if leaks:
        raise Leak(", ".join(leaks))
    return f"EPERM {len(names)} times"


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _spawn() -> int:
    return os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _reading(path: str) -> None:
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb") as file:
            file.read(1)


def _writing(path: str) -> None:
    with open(path, "ab"):
        pass


def _errors_of(action: Callable[[str], None], paths: list[str]) -> str:
    """Return the names of the errors that `action` met with all of `paths`."""
    errors = set()
    for path in paths:
        try:
            action(path)
        except OSError as error:
            errors.add(errno.errorcode[error.errno or 0])
        else:
            raise Leak(path)
    return ", ".join(sorted(errors))


PROBES: dict[str, Callable[[dict[str, Any]], str]] = {
    probe.__name__.replace("_", "-"): probe
    for probe in (
        thinks,
        is_nobody,
        reads_files,
        reads_processes,
        writes_files,
        inherits,
        connects,
        forks,
        takes_memory,
        signals,
        outlives,
        calls,
    )
}


def main() -> None:
    """Run one probe and print the result."""
    try:
        print("stopped:", PROBES[sys.argv[1]](json.loads(sys.argv[2])), flush=True)  # noqa: T201
    except Leak as leak:
        print("leaked:", leak, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
