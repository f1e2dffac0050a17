"""Files of others: read, written, altered, made, locked."""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import inspect
import json
import mmap
import os
import sys

import games

from .calls import BAIT, MIB, TREE, call, met, met_all

_SECRETS = (".sqlite3", ".key", ".pem", ".env", "settings.py", "id_ed25519", "id_rsa", "shadow")


def read(path):
    if os.path.isdir(path):
        os.listdir(path)
    with open(path, "rb") as file:
        file.read(1)


def write(path):
    with open(path, "ab") as file:
        file.write(b"left by a bot")


def read_passwd():
    return met(read, "/etc/passwd")


def read_settings():
    return met(read, BAIT["settings"])


def read_database():
    return met(read, BAIT["database"])


def read_other_bot():
    return met_all(read, [BAIT["other_tree"], BAIT["other_tree"] + "/main.py"])


def write_outside():
    places = [BAIT["open_directory"], "/tmp", "/var/tmp", "/dev/shm", "/usr/lib", "/", "/bot/.."]
    name = BAIT["mark"]
    written = [place for place in places if met(write, f"{place}/{name}") == "done"]
    return " ".join(written) or "nothing"


def alter_itself():
    other = os.path.join(TREE, "more.py")
    changes = [met(write, __file__), met(write, other), met(os.remove, __file__)]
    changes += [met(os.rename, __file__, other), met(os.link, __file__, f"{TREE}/link.py")]
    return "+".join(sorted(set(changes)))


def alter_modes():
    """Owners, modes and times of files, which Landlock does not govern."""
    changes = [
        met(os.chmod, BAIT["database"], 0o600),
        met(os.chown, BAIT["database"], os.getuid(), -1),
        met(os.utime, BAIT["database"], (0, 0)),
        met(os.setxattr, BAIT["database"], "user.a", b"b"),
        met(os.truncate, BAIT["database"], 0),
    ]
    return "+".join(sorted(set(changes)))


def leave_state():
    """Leave files. It runs twice: the second run must not find the files of the first."""
    places = ["/tmp/state", "/dev/shm/state", "/var/tmp/state", "state"]
    readable = [place for place in places if os.path.exists(place)]
    for place in places:
        met(write, place)
    return " ".join(readable) or "found nothing"


def fill_disk():
    """256 MiB in every place there is."""
    written = 0
    for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/"):
        for number in range(16):
            with contextlib.suppress(OSError), open(f"{place}/fill{number}", "wb", 0) as file:
                for _ in range(16):
                    written += file.write(bytes(MIB))
    return f"{written // MIB} MiB"


def make_files():
    """Empty files, links, directories and pipes, which cost the host's kernel memory, in any place."""
    makers = [lambda path: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)), os.mkdir, os.mkfifo]
    makers.append(lambda path: os.symlink("nowhere", path))
    count = 0
    for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/usr/lib", *sys.path):
        for make in makers:
            with contextlib.suppress(OSError):
                for number in range(100_000):
                    make(f"{place}/empty{number}")
                    count += 1
    return f"{count} files"


def lock_what_others_see():
    """A lock that another sandbox can look for is a bit of a message."""
    with open(os.__file__, "rb") as file:
        by_calls = [met(fcntl.flock, file, fcntl.LOCK_SH), met(fcntl.lockf, file, fcntl.LOCK_SH)]
        leases = met(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "+".join(sorted({*by_calls, leases}))


def watch_what_others_read():
    """A notice of a directory that another sandbox reads is a bit of a message (dnotify)."""
    own = os.path.dirname(os.__file__)
    watched = os.open(own, os.O_RDONLY)
    notices = fcntl.DN_ACCESS | fcntl.DN_MULTISHOT
    return met(fcntl.fcntl, watched, fcntl.F_NOTIFY, notices)


def read_system():
    """Directories of the machine's configuration and state, and the processes around the bot."""
    places = ["/etc/shadow", "/root", "/run", "/var", "/sys", "/home", "/proc/1/environ"]
    return met_all(read, [*places, f"/proc/{os.getppid()}/environ", "/proc/self/environ"])


def walk():
    """Search databases, settings and keys outside the standard library, and files that can be opened for writing."""
    secrets, writable = [], []
    for directory, _, names in os.walk("/"):
        for path in (os.path.join(directory, name) for name in names):
            is_of_python = path.startswith(os.path.dirname(os.__file__))
            if path.endswith(_SECRETS) and not is_of_python and met(read, path) == "done":
                secrets.append(path)
            if met(lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))) == "done":  # noqa: B023
                writable.append(path)
    return f"secrets {secrets}, writable {sorted(writable)}"


def alter_packages():
    """Source and bytecode that every bot of the machine imports."""
    altered = []
    for source in map(inspect.getfile, (games, json)):
        directory = os.path.dirname(source)
        compiled = importlib.util.cache_from_source(source)
        attempts = [(write, source), (write, compiled), (write, f"{directory}/new.pyc")]
        attempts += [(os.mkdir, f"{directory}/new"), (os.remove, source), (os.remove, compiled)]
        altered += [what for action, what in attempts if met(action, what) == "done"]
    return " ".join(altered) or "nothing"


def put_out_of_the_cache():
    """The files that every bot reads, out of the kernel's memory (POSIX_FADV_DONTNEED)."""
    with open(os.__file__, "rb") as file:
        return call(221, 223, file.fileno(), 0, 0, 4)


def page_out_what_others_map():
    """Memory of a file that every bot maps, out of the kernel's memory (MADV_COLD, MADV_PAGEOUT)."""
    with open(os.__file__, "rb") as file:
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        return "+".join(sorted({met(pages.madvise, advice) for advice in (20, 21)}))


def write_back_all_disks():
    """Make the host's disks write all users' changes: sync, syncfs."""
    with open(os.__file__, "rb") as file:
        return "+".join(sorted({call(162, 81), call(306, 267, file.fileno())}))
