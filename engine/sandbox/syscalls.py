"""The numbers of the system calls that the sandbox judges, for x86-64 and AArch64.

From the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
A test compares them with the headers of the machine. None: AArch64 never had the call.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Architecture(Enum):
    """A machine, by its AUDIT_ARCH value in `linux/audit.h`, which seccomp compares."""

    X86_64 = 0xC000003E
    AARCH64 = 0xC00000B7


# The newest call of Linux 5.17, set_mempolicy_home_node, and equal on both: later ones do not
# exist in the sandbox.
NEWEST = 450

_Numbers = dict[str, tuple[int, int | None]]

# Another process. `clone` and `clone3` are judged by their arguments. A program image without a
# file.
_PROCESSES: _Numbers = {
    "fork": (57, None),
    "vfork": (58, None),
    "execveat": (322, 281),
}

# Other namespaces, roots, mounts and files by handle.
_NAMESPACES: _Numbers = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
}

# The kernel's own machinery, its clocks and names, and monitoring of other processes' files.
_KERNEL: _Numbers = {
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "seccomp": (317, 277),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "personality": (135, 92),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
}

# Other processes: looking into them, signalling them, changing how they run.
_OTHERS: _Numbers = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "get_robust_list": (274, 100),
}

# Memory that RLIMIT_AS does not count.
_MEMORY: _Numbers = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}

# Memory and messages that outlive a process and are shared by all processes of one user.
_MESSAGES: _Numbers = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
}

# A timer may send SIGCONT, which wakes a program that the referee has stopped, in its opponent's
# time. The number of the signal is behind a pointer. A lock on a file that two sandboxes see is a
# channel between them.
_SIGNS: _Numbers = {
    "timer_create": (222, 107),
    "flock": (73, 32),
}

# Sockets of any kind, `socketpair` too: a datagram pair can send to any address.
_SOCKETS: _Numbers = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
}

# Accesses that Landlock does not govern: owners, modes, times and attributes of files, and devices.
_FILES: _Numbers = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "truncate": (76, 45),
    "mknod": (133, None),
    "mknodat": (259, 33),
}

# The disks and the page cache, which all processes of the machine share: a bot has written no data
# that must be kept.
_DISKS: _Numbers = {
    "sync": (162, 81),
    "syncfs": (306, 267),
    "fadvise64": (221, 223),
}

# Asynchronous I/O, of which one program can take all that the host has (`fs.aio-max-nr`).
_ASYNCHRONOUS: _Numbers = {
    "io_setup": (206, 0),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_submit": (209, 2),
    "io_cancel": (210, 3),
    "io_pgetevents": (333, 292),
}

# Refused for some arguments only, or for some programs only.
_CONDITIONAL: _Numbers = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "ioctl": (16, 29),
    "prctl": (157, 167),
    "fcntl": (72, 25),
    "madvise": (28, 233),
    "prlimit64": (302, 261),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "execve": (59, 221),
}

REFUSED: tuple[str, ...] = tuple(
    _PROCESSES
    | _NAMESPACES
    | _KERNEL
    | _OTHERS
    | _MEMORY
    | _MESSAGES
    | _SIGNS
    | _SOCKETS
    | _FILES
    | _DISKS
    | _ASYNCHRONOUS
)
"""The calls that fail with EPERM whatever their arguments."""


def numbers(architecture: Architecture) -> Mapping[str, int]:
    """Return the number of every call named here that `architecture` has."""
    column = list(Architecture).index(architecture)
    everything = _PROCESSES | _NAMESPACES | _KERNEL | _OTHERS | _MEMORY | _MESSAGES | _SIGNS
    everything |= _SOCKETS | _FILES | _DISKS | _ASYNCHRONOUS | _CONDITIONAL
    table = {name: pair[column] for name, pair in everything.items()}
    return MappingProxyType({name: at for name, at in table.items() if at is not None})
