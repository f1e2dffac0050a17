"""The system calls a sandboxed program may make, as a seccomp filter in classic BPF.

A list of refusals, in which one rule outweighs the others: no new process, only threads. It ends
fork bombs, daemons that outlive their game and memory bombs over many processes, and makes the
limits of one process those of the bot. Assembled here because libseccomp is a library of the
system's that pip cannot bring.

Sources: Documentation/userspace-api/seccomp_filter.rst, linux/filter.h, linux/seccomp.h,
seccomp(2).
"""

from __future__ import annotations

import errno
import platform
import struct
import sys
from dataclasses import dataclass, field

from engine.sandbox import syscalls
from engine.sandbox.refusals import IsolationReason, UnavailableError
from engine.sandbox.syscalls import Architecture

# linux/bpf_common.h
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_GREATER = 0x25
_IF_AT_LEAST = 0x35
_IF_ANY_BIT = 0x45
_RETURN = 0x06

# linux/seccomp.h
KILL_PROCESS = 0x80000000
ALLOW = 0x7FFF0000
_ERRNO = 0x00050000

# struct seccomp_data: int nr, __u32 arch, __u64 instruction_pointer, __u64 args[6]. Both machines
# are little-endian.
_NUMBER = 0
_ARCHITECTURE = 4
_ARGUMENTS = 16

# An x86-64 kernel takes 32-bit pointers' calls (x32) under this architecture, with this bit in
# the number.
_X32_BIT = 0x40000000

_CLONE_THREAD = 0x00010000
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL = range(5)
_F_DUPFD_CLOEXEC, _F_SETPIPE_SZ, _F_GETPIPE_SZ = 1030, 1031, 1032
_MADV_COLD, _MADV_PAGEOUT = 20, 21
# Each takes a process id first. 0 is oneself.
_OF_ONESELF = (
    "prlimit64",
    "sched_setscheduler",
    "sched_setparam",
    "sched_setattr",
)

REFUSE = _ERRNO | errno.EPERM
UNKNOWN = _ERRNO | errno.ENOSYS

_MACHINES = {
    "x86_64": Architecture.X86_64,
    "amd64": Architecture.X86_64,
    "aarch64": Architecture.AARCH64,
    "arm64": Architecture.AARCH64,
}


def this_architecture() -> Architecture:
    """Return the architecture of this process.

    Raises:
        UnavailableError: another system than Linux, another machine, or a 32-bit Python.
    """
    machine = platform.machine().lower()
    if sys.platform != "linux" or machine not in _MACHINES or sys.maxsize < 1 << 32:
        raise UnavailableError(
            IsolationReason.NOT_LINUX, f"{sys.platform} on {machine or 'unknown'}"
        )
    return _MACHINES[machine]


def build_filter(architecture: Architecture) -> bytes:
    """Return the filter as an array of `struct sock_filter`.

    It is for a program that runs already: it cannot become another.
    """
    program = _FilterBuilder(architecture)
    program.kill_foreign_calls()
    program.refuse_with_argument("ioctl", 1, equal=(_TIOCSTI, _TIOCLINUX))
    # A process could outlive its worker, or show the operator the name of another program.
    program.refuse_with_argument("prctl", 0, equal=(_PR_SET_PDEATHSIG, _PR_SET_NAME))
    # Memory of files is shared with other sandboxes.
    program.refuse_with_argument("madvise", 2, equal=(_MADV_COLD, _MADV_PAGEOUT))
    # Locks, leases and notices of files that other sandboxes see are lines between them, and owners
    # of descriptors receive signals.
    own = (_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL)
    program.allow_with_argument(
        "fcntl", 1, equal=(*own, _F_DUPFD_CLOEXEC, _F_SETPIPE_SZ, _F_GETPIPE_SZ)
    )
    for name in _OF_ONESELF:
        program.refuse_of_others(name)
    program.allow_threads_only()
    # The arguments of clone3 are behind a pointer, which a filter cannot follow. ENOSYS makes
    # libraries fall back to clone.
    program.answer("clone3", UNKNOWN)
    for name in syscalls.REFUSED:
        program.answer(name, REFUSE)
    program.answer("execve", REFUSE)
    program.finish()
    return program.to_bytes()


@dataclass
class _FilterBuilder:
    """Instructions so far. Between two rules the accumulator holds the number of the call."""

    architecture: Architecture
    instructions: list[tuple[int, int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._numbers = syscalls.numbers(self.architecture)

    def kill_foreign_calls(self) -> None:
        """Kill calls by the table of another architecture, whose numbers mean something else."""
        self._load(_ARCHITECTURE)
        self._jump(_IF_EQUAL, self.architecture.value, then=1, otherwise=0)
        self._return(KILL_PROCESS)
        self._load(_NUMBER)
        if self.architecture is Architecture.X86_64:
            self._jump(_IF_AT_LEAST, _X32_BIT, then=0, otherwise=1)
            self._return(KILL_PROCESS)
        self._jump(_IF_GREATER, syscalls.NEWEST, then=0, otherwise=1)
        self._return(UNKNOWN)

    def answer(self, name: str, verdict: int) -> None:
        """Give every call of `name` one verdict, if the architecture has such a call."""
        if name in self._numbers:
            self._jump(_IF_EQUAL, self._numbers[name], then=0, otherwise=1)
            self._return(verdict)

    def refuse_with_argument(self, name: str, index: int, *, equal: tuple[int, ...]) -> None:
        """Refuse `name` when the low half of its argument `index` is in `equal`, else allow it."""
        self._judge_argument(name, index, equal, REFUSE, otherwise=ALLOW)

    def allow_with_argument(self, name: str, index: int, *, equal: tuple[int, ...]) -> None:
        """Allow `name` when the low half of its argument `index` is in `equal`, else refuse it."""
        self._judge_argument(name, index, equal, ALLOW, otherwise=REFUSE)

    def refuse_of_others(self, name: str) -> None:
        """Allow `name` when its first argument is 0, the caller itself, and refuse it otherwise."""
        self._judge_argument(name, 0, (0,), ALLOW, otherwise=REFUSE)

    def _judge_argument(
        self, name: str, index: int, equal: tuple[int, ...], verdict: int, *, otherwise: int
    ) -> None:
        self._jump(_IF_EQUAL, self._numbers[name], then=0, otherwise=2 * len(equal) + 2)
        self._load_argument(index)
        for value in equal:
            self._jump(_IF_EQUAL, value, then=0, otherwise=1)
            self._return(verdict)
        self._return(otherwise)

    def allow_threads_only(self) -> None:
        """Allow `clone` when it makes a thread, and refuse it when it makes a process."""
        self._jump(_IF_EQUAL, self._numbers["clone"], then=0, otherwise=4)
        self._load_argument(0)
        self._jump(_IF_ANY_BIT, _CLONE_THREAD, then=0, otherwise=1)
        self._return(ALLOW)
        self._return(REFUSE)

    def finish(self) -> None:
        """Allow the rest."""
        self._return(ALLOW)

    def to_bytes(self) -> bytes:
        """Return the filter for the kernel: u16 code, u8 jump if true, u8 jump if false, u32 constant."""
        return b"".join(struct.pack("=HBBI", *instruction) for instruction in self.instructions)

    def _load(self, offset: int) -> None:
        self.instructions.append((_LOAD, 0, 0, offset))

    def _load_argument(self, index: int) -> None:
        # The low half: the kernel takes all of these as 32 bits, and a high half must not hide them
        # (CVE-2019-10063).
        self._load(_ARGUMENTS + 8 * index)

    def _jump(self, code: int, constant: int, *, then: int, otherwise: int) -> None:
        self.instructions.append((code, then, otherwise, constant))

    def _return(self, verdict: int) -> None:
        self.instructions.append((_RETURN, 0, 0, verdict))
