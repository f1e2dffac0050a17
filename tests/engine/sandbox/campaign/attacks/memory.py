"""Memory, threads and descriptors: more than a bot may have."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import threading
import time

from .calls import BAIT, LIBC, MIB, call, met, name_of

_MAP_NORESERVE, _MAP_POPULATE, _MAP_HUGETLB, _MAP_GROWSDOWN = 0x4000, 0x8000, 0x40000, 0x100


def thread_bomb():
    threading.stack_size(64 * 1024)
    hold = threading.Event()
    started = 0
    try:
        for _ in range(200):
            threading.Thread(target=hold.wait, daemon=True).start()
            started += 1
    except (RuntimeError, MemoryError):
        pass
    hold.set()
    # Over 32 if others of this user have ended meanwhile.
    return "under 64 threads" if started < 64 else f"{started} threads"


def threads_as_promised():
    """Start threads with their default stacks."""
    hold = threading.Event()
    started = 0
    try:
        while started < 40:
            threading.Thread(target=hold.wait, daemon=True).start()
            started += 1
    except (RuntimeError, MemoryError):
        pass
    hold.set()
    return "at least 30 threads" if started >= 30 else f"{started} threads"


def memory_bomb():
    blocks: list[bytearray] = []
    try:
        while len(blocks) < 30:
            blocks.append(bytearray(32 * MIB))
    except MemoryError:
        taken = len(blocks) * 32
        blocks.clear()
        return "under 512 MiB" if taken < 512 else f"{taken} MiB"
    return "960 MiB"


def shared_memory_bomb():
    return met(mmap.mmap, -1, 512 * MIB, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)


def uncounted_memory():
    return f"{met(os.memfd_create, 'x')}, secret {call(447, 447, 0)}"


def memory_of_many():
    """Each within its limit, together beyond it."""
    count = 0
    for _ in range(6):
        try:
            if os.fork() == 0:
                held = bytearray(224 * MIB)
                time.sleep(20)
                os._exit(len(held) and 0)
            count += 1
        except OSError as error:
            return f"{count} processes, {name_of(error)}"
    return f"{count} processes"


def open_many():
    count = 0
    try:
        while count < 5000:
            os.dup(0)
            count += 1
    except OSError as error:
        return f"{name_of(error)} under 64" if count < 64 else f"{count}"
    return f"{count}"


def raise_limits():
    """Raise limits beyond the given ones, for itself, and any limit for its sibling."""

    def raise_own():
        try:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except ValueError as error:  # how the module says EPERM
            raise PermissionError(errno.EPERM, str(error)) from error

    return f"{met(raise_own)}, sibling {call(302, 261, BAIT['sibling'], 7, 0, 0)}"


def map_too_much():
    """A TiB that is not to be touched, not to be reserved, or of large pages."""
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    kinds = [0, _MAP_NORESERVE, _MAP_POPULATE, _MAP_HUGETLB, _MAP_GROWSDOWN]
    answers = {call(9, 222, 0, 1 << 40, 0, private | kind, -1, 0) for kind in kinds}
    answers |= {call(9, 222, 0, 1 << 30, 3, private | kind, -1, 0) for kind in kinds}
    return "+".join(sorted(answers))


def raise_break():
    """A GiB by the oldest way: the end of the program's data."""
    LIBC.sbrk.restype = ctypes.c_void_p
    answer = LIBC.sbrk(ctypes.c_long(1 << 30))
    return errno.errorcode[ctypes.get_errno()] if answer == ctypes.c_void_p(-1).value else "done"


def lock_memory():
    """Lock memory, which cannot be swapped out. It is still counted."""
    current_and_future = 3
    call(151, 230, current_and_future)
    is_refused = met(mmap.mmap, -1, 512 * MIB) in {"ENOMEM", "EAGAIN"}
    return "under 512 MiB" if is_refused else "512 MiB locked"


def enlarge_pipes():
    """Enlarge pipes to the kernel's limit, all full: memory that no limit of ours counts."""
    held = 0
    try:
        while True:
            _, writing = os.pipe()
            met(fcntl.fcntl, writing, fcntl.F_SETPIPE_SZ, MIB)
            os.set_blocking(writing, False)
            held += os.write(writing, bytes(MIB))
    except OSError as error:
        return f"{name_of(error)} under 32 MiB" if held < 32 * MIB else f"{held // MIB} MiB"
