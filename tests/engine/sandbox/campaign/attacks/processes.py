"""Other processes: new ones, those of others, other programs."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import sys
import time

from .calls import AT_X86, BAIT, LIBC, TREE, call, met, met_all, name_of, say
from .files import read

_CLONE_VM, _CLONE_FS, _CLONE_FILES, _CLONE_VFORK, _CLONE_PARENT = (
    0x100,
    0x200,
    0x400,
    0x4000,
    0x8000,
)
_CLONE_NEWPID, _CLONE_IO, _CLONE_PIDFD = 0x20000000, 0x80000000, 0x1000


def fork_bomb():
    children, answers = [], set()
    for _ in range(200):
        try:
            child = os.fork()
        except OSError as error:
            answers.add(name_of(error))
            continue
        if child == 0:
            time.sleep(20)
            os._exit(0)
        children.append(child)
    return f"{len(children)} children, {'+'.join(answers)}"


def spawn():
    """Start a process without fork: by the calls that `subprocess` uses instead, and by clone3 itself."""
    arguments = [sys.executable, "-c", ""]
    by_spawn = met(lambda: os.posix_spawn(sys.executable, arguments, {}))
    return f"{by_spawn}, clone3 {call(435, 435, 0, 88)}"


def daemon():
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
    except OSError as error:
        return name_of(error)
    return "done"


def disarm():
    """Takes back the order to die with the worker, then says so and stays."""
    pdeathsig = 1
    return "done" if LIBC.prctl(pdeathsig, 0, 0, 0, 0) == 0 else errno.errorcode[ctypes.get_errno()]


def disarm_and_stay():
    say(disarm())
    time.sleep(600)


def signal_others():
    def kill(pid):
        os.kill(pid, 9)

    return met_all(kill, [BAIT["worker"], BAIT["sibling"], -1, os.getppid()])


def signal_through_pipe():
    """SIGKILL by way of SIGIO, which a pipe can send to any process of its user."""
    reading, _writing = os.pipe()
    setsig = 10
    by_owner = met(fcntl.fcntl, reading, fcntl.F_SETOWN, BAIT["sibling"])
    return f"{by_owner}, {met(fcntl.fcntl, reading, setsig, 9)}"


def order_timer():
    """SIGCONT from a timer would wake a bot that is stopped while its opponent thinks."""
    return call(222, 107, 0, 0, 0)


def look_into_sibling():
    """ptrace, process_vm_readv and _writev, pidfd_open, pidfd_getfd, kcmp, process_madvise."""
    attach = 16
    answers = set()
    for pid in (BAIT["sibling"], os.getppid(), *range(1, 41)):
        answers |= {call(101, 117, attach, pid, 0, 0), call(310, 270, pid, 0, 0, 0, 0, 0)}
        answers |= {call(311, 271, pid, 0, 0, 0, 0, 0), call(434, 434, pid, 0)}
        answers |= {call(438, 438, pid, 0, 0), call(312, 272, pid, pid, 0, 0, 0)}
        answers.add(call(440, 440, pid, 0, 0, 4, 0))
    return "+".join(sorted(answers))


def read_proc():
    worker = f"/proc/{BAIT['worker']}"
    return met_all(read, ["/proc", f"{worker}/environ", f"{worker}/cmdline", "/proc/self/maps"])


def read_environment():
    return " ".join(sorted({"PWD", *os.environ}))


def inherited_descriptors():
    def is_open(descriptor):
        with contextlib.suppress(OSError):
            return bool(os.fstat(descriptor))
        return False

    return f"{[number for number in range(1024) if is_open(number)]}"


def native_program():
    """Run an author's machine code as a separate program. The loader needs no right to execute it."""
    program = sys.executable
    by_loader = "EPERM"
    for loader in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"):
        if os.path.exists(loader):
            by_loader = met(os.execv, loader, [loader, program, "-c", ""])
    return f"{met(os.execv, program, [program, '-c', ''])}, by the loader {by_loader}"


def setuid_program():
    """Becomes a program with the set-user-id bit that needs the C library alone and names its effective user."""
    return met(os.execv, os.path.join(TREE, "whoami"), ["whoami"])


def spin():
    """Until the limit of processor time, which the campaign makes one second."""
    while True:
        pass


def sleep():
    say("asleep")
    time.sleep(60)
    return "awake"


def every_other_new_process():
    """Try vfork, clone with each of these flags and without any, and `forkpty`."""
    flags = [0, _CLONE_VM, _CLONE_VM | _CLONE_VFORK, _CLONE_FS | _CLONE_FILES, _CLONE_PARENT]
    flags += [_CLONE_NEWPID, _CLONE_IO, _CLONE_PIDFD]
    answers = {call(56, 220, flag | signal.SIGCHLD, 0, 0, 0, 0) for flag in flags}
    if AT_X86:
        answers.add(call(58, 0))
    return f"{'+'.join(sorted(answers))}, forkpty {met(os.forkpty)}"


def signal_otherwise():
    """Send signals by every other call, to others, to its group and to itself, and by the owner of a terminal or socket."""
    pids = [BAIT["worker"], BAIT["sibling"], os.getppid(), os.getpid()]
    answers = {met(os.kill, 0, signal.SIGCONT), met(os.kill, os.getpid(), signal.SIGCONT)}
    for pid in pids:
        answers |= {
            call(200, 130, pid, 9),
            call(234, 131, pid, pid, 9),
            call(424, 424, pid, 9, 0, 0),
        }
        answers |= {call(129, 138, pid, 9, 0), call(297, 240, pid, pid, 9, 0)}
    reading, _writing = os.pipe()
    owner = (BAIT["sibling"]).to_bytes(4, sys.byteorder)
    by_ioctl = {met(fcntl.ioctl, reading, order, owner) for order in (0x8901, 0x8902)}
    return f"{'+'.join(sorted(answers))}, by ioctl {'+'.join(by_ioctl)}"


def leave_its_group():
    """Open a new session, which the worker's signal to the group would miss, and stay in it."""
    answers = {met(os.setpgid, 0, 0), met(os.setsid)}
    say(f"{'left' if 'done' in answers or os.getpgid(0) == os.getpid() else 'kept'}")
    time.sleep(600)


def sit_on_one_processor():
    """Put all threads of the bot on the referee's processor."""
    return met(os.sched_setaffinity, 0, {0})


def take_another_name():
    """The name that the operator's list of processes shows (PR_SET_NAME)."""
    name = ctypes.create_string_buffer(b"sshd")
    return call(157, 167, 15, ctypes.addressof(name), 0, 0, 0)


def run_before_others():
    """Take the first place in the kernel's queue: SCHED_FIFO, nice -20, I/O first."""
    answers = {met(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1))}
    answers |= {met(os.nice, -20), call(251, 30, 1, 0, 1 << 13), met(os.setpriority, 0, 0, -20)}
    return "+".join(sorted(answers))
