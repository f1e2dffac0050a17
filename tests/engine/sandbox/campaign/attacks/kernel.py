"""The kernel's own machinery, other doors to it, its switches and devices."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import termios

from .calls import AT_X86, BAIT, call, met, met_all
from .files import read, write


def nest():
    new_user, new_mount = 0x10000000, 0x00020000
    # unshare, clone, then mount, chroot, setns, fsopen
    answers = {call(272, 97, new_user | new_mount), call(56, 220, new_user | 17, 0, 0, 0, 0)}
    pairs = [(165, 40), (161, 51), (308, 268), (430, 430)]
    return "+".join(sorted(answers | {call(*pair, 0, 0, 0, 0, 0) for pair in pairs}))


def dangerous_calls():
    """Make dangerous calls by their numbers on x86-64 and AArch64, so that no table of ours is asked."""
    pairs = [(321, 280), (298, 241), (425, 425)]  # bpf, perf_event_open, io_uring_setup
    pairs += [(250, 219), (248, 217), (323, 282)]  # keyctl, add_key, userfaultfd
    pairs += [(246, 104), (175, 105), (169, 142)]  # kexec_load, init_module, reboot
    pairs += [(304, 265), (442, 442), (167, 224)]  # open_by_handle_at, mount_setattr, swapon
    pairs += [(135, 92), (103, 116), (179, 60), (163, 89)]  # personality, syslog, quotactl, acct
    return "+".join(sorted({call(*pair, 0, 0, 0, 0, 0) for pair in pairs}))


def newer_calls():
    """Calls of later kernels that could go round the filter: fchmodat2, setxattrat, mseal."""
    return "+".join(sorted({call(at, at, 0, 0, 0, 0) for at in (451, 452, 462, 463, 469)}))


def enter_by_int80():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return "done"


def enter_by_x32():
    return call(0x40000000 | 39, 0)


def kernel_switches():
    paths = ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"]
    return met_all(write, paths)


def devices():
    refused = met_all(read, BAIT["devices"])
    return f"{refused}, mknod {met(os.mknod, '/tmp/node', 0o60666, os.makedev(254, 0))}"


def shared_objects():
    calls = [call(29, 194, 4242, 4096, 0o1666), call(68, 186, 4242, 0o1666), call(64, 190, 4242, 1)]
    queue = ctypes.create_string_buffer(b"left")
    calls.append(call(240, 180, ctypes.addressof(queue), os.O_CREAT | os.O_RDWR, 0o666, 0))
    return "+".join(sorted(set(calls)))


def inject_keys():
    return met(fcntl.ioctl, 0, termios.TIOCSTI, b"x")


def rarer_calls():
    """Clocks, names, accounts and memory maps, by their numbers on x86-64 and AArch64."""
    pairs = [
        (227, 112),
        (164, 170),
        (305, 266),
        (159, 171),
    ]  # clock_settime, settimeofday, adjtimex
    pairs += [(170, 161), (171, 162), (317, 277), (249, 218)]  # sethostname, seccomp, request_key
    pairs += [(313, 273), (320, 294), (168, 225), (443, 443)]  # finit_module, kexec, swapoff, quota
    pairs += [(300, 262), (294, 26), (427, 427), (303, 264)]  # fanotify, inotify, io_uring, handles
    answers = {call(*pair, 0, 0, 0, 0, 0) for pair in pairs}
    if AT_X86:
        answers |= {
            call(number, 0, 0, 0, 0) for number in (154, 172, 173)
        }  # modify_ldt, iopl, ioperm
    set_mm = 35
    return "+".join(sorted(answers | {call(157, 167, set_mm, 1, 0, 0, 0)}))


def take_all_asynchronous_io():
    """Take the host's 65,536 requests of asynchronous I/O. Databases wait for them."""
    context = ctypes.c_ulong()
    return call(206, 0, 65_000, ctypes.addressof(context))


def machine_code():
    """Run instructions in its own memory: allowed, within the limits of the process."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x2a\x00\x00\x00\xc3" if AT_X86 else b"\x40\x05\x80\x52\xc0\x03\x5f\xd6")
    return str(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())
