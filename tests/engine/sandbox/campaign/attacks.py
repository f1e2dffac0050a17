"""What a hostile program tries, run as a bot: `attacks.py NAME JSON`.

Prints one line: what came of it.

Self-contained, for it runs in the sandbox. JSON tells it where the worker's things are; see `Bait`
in `run.py`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import socket
import sys
import termios
import threading
import time

MIB = 1 << 20
BAIT = json.loads(sys.argv[2])
LIBC = ctypes.CDLL(None, use_errno=True)
AT_X86 = platform.machine() == "x86_64"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def name_of(error: OSError) -> str:
    return errno.errorcode[error.errno or 0]


def met(action, *arguments) -> str:
    """The name of the error that `action` met, or `done`."""
    try:
        action(*arguments)
    except OSError as error:
        return name_of(error)
    return "done"


def met_all(action, things) -> str:
    """The different errors met, in one word."""
    return "+".join(sorted({met(action, thing) for thing in things}))


def call(x86: int, aarch64: int, *arguments: int) -> str:
    """What a system call by its number answers."""
    words = [ctypes.c_long(argument) for argument in arguments]
    answer = LIBC.syscall(ctypes.c_long(x86 if AT_X86 else aarch64), *words)
    return errno.errorcode[ctypes.get_errno()] if answer < 0 else "done"


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
    other = os.path.join(os.path.dirname(__file__), "more.py")
    changes = [met(write, __file__), met(write, other), met(os.remove, __file__)]
    return "+".join(sorted({*changes, met(os.rename, __file__, other)}))


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
    """Run twice: the second must not find what the first has left."""
    places = ["/tmp/state", "/dev/shm/state", "/var/tmp/state", "state"]
    readable = [place for place in places if os.path.exists(place)]
    for place in places:
        met(write, place)
    return " ".join(readable) or "found nothing"


def connect_tcp():
    def connect(family):
        with socket.socket(family, socket.SOCK_STREAM) as client:
            client.connect(("127.0.0.1", BAIT["tcp_port"]))

    return met_all(connect, [socket.AF_INET, socket.AF_INET6])


def send_udp():
    def send(port):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"x", ("127.0.0.1", port))

    return met_all(send, [53, BAIT["tcp_port"]])


def connect_unix():
    def connect(address):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(address)

    return met_all(connect, [BAIT["unix_path"], "\0" + BAIT["unix_abstract"]])


def datagram_pair():
    return met(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))


def rare_sockets():
    netlink, packet, vsock = 16, 17, 40

    def make(family):
        socket.socket(family, socket.SOCK_DGRAM).close()

    return met_all(make, [netlink, packet, vsock])


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
    """Without fork: what `subprocess` uses instead, and clone3 itself."""
    arguments = [sys.executable, "-c", ""]
    by_spawn = met(lambda: os.posix_spawn(sys.executable, arguments, {}))
    return f"{by_spawn}, clone3 {call(435, 435, 0, 88)}"


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
    # Over 32 where others of the same user have ended meanwhile.
    return "under 64 threads" if started < 64 else f"{started} threads"


def threads_as_promised():
    """With the stacks that threads have by themselves."""
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
    """100,000 empty files, which cost the host's kernel memory, in any place."""
    count = 0
    for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/usr/lib", *sys.path):
        with contextlib.suppress(OSError):
            for number in range(100_000):
                os.close(os.open(f"{place}/empty{number}", os.O_CREAT | os.O_WRONLY))
                count += 1
    return f"{count} files"


def signal_others():
    def kill(pid):
        os.kill(pid, 9)

    return met_all(kill, [BAIT["worker"], BAIT["sibling"], -1, os.getppid()])


def signal_through_pipe():
    """SIGKILL by way of SIGIO, which a pipe can send to any process of the same user."""
    reading, _writing = os.pipe()
    setsig = 10
    by_owner = met(fcntl.fcntl, reading, fcntl.F_SETOWN, BAIT["sibling"])
    return f"{by_owner}, {met(fcntl.fcntl, reading, setsig, 9)}"


def order_timer():
    """SIGCONT from a timer would wake a bot that is stopped while its opponent thinks."""
    return call(222, 107, 0, 0, 0)


def lock_what_others_see():
    """A lock that another sandbox can look for is a bit of a message."""
    with open(os.__file__, "rb") as file:
        by_calls = [met(fcntl.flock, file, fcntl.LOCK_SH), met(fcntl.lockf, file, fcntl.LOCK_SH)]
        leases = met(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "+".join(sorted({*by_calls, leases}))


def look_into_sibling():
    attach = 16
    pid = BAIT["sibling"]
    calls = [call(101, 117, attach, pid, 0, 0), call(310, 270, pid, 0, 0, 0, 0, 0)]
    return "+".join(sorted({*calls, call(434, 434, pid, 0), call(312, 272, pid, pid, 0, 0, 0)}))


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


def nest():
    new_user, new_mount = 0x10000000, 0x00020000
    # unshare, clone; mount, chroot, setns, fsopen
    answers = {call(272, 97, new_user | new_mount), call(56, 220, new_user | 17, 0, 0, 0, 0)}
    pairs = [(165, 40), (161, 51), (308, 268), (430, 430)]
    return "+".join(sorted(answers | {call(*pair, 0, 0, 0, 0, 0) for pair in pairs}))


def native_program():
    """Machine code of an author's as a program of its own; the loader needs no right to execute it."""
    program = sys.executable
    by_loader = "EPERM"
    for loader in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"):
        if os.path.exists(loader):
            by_loader = met(os.execv, loader, [loader, program, "-c", ""])
    return f"{met(os.execv, program, [program, '-c', ''])}, by the loader {by_loader}"


def setuid_program():
    """Becomes a program with the set-user-id bit that needs the C library alone and names its effective user."""
    return met(os.execv, os.path.join(os.path.dirname(__file__), "whoami"), ["whoami"])


def dangerous_calls():
    """By their numbers on x86-64 and AArch64, so that no table of ours is asked."""
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


def open_many():
    count = 0
    try:
        while count < 5000:
            os.dup(0)
            count += 1
    except OSError as error:
        return f"{name_of(error)} under 64" if count < 64 else f"{count}"
    return f"{count}"


def shared_objects():
    calls = [call(29, 194, 4242, 4096, 0o1666), call(68, 186, 4242, 0o1666), call(64, 190, 4242, 1)]
    queue = ctypes.create_string_buffer(b"left")
    calls.append(call(240, 180, ctypes.addressof(queue), os.O_CREAT | os.O_RDWR, 0o666, 0))
    return "+".join(sorted(set(calls)))


def inject_keys():
    return met(fcntl.ioctl, 0, termios.TIOCSTI, b"x")


def raise_limits():
    """More than was given, for itself; anything at all, for its sibling."""

    def raise_own():
        try:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except ValueError as error:  # how the module says EPERM
            raise PermissionError(errno.EPERM, str(error)) from error

    return f"{met(raise_own)}, sibling {call(302, 261, BAIT['sibling'], 7, 0, 0)}"


def spin():
    """Until the limit of processor time, which the campaign makes one second."""
    while True:
        pass


def sleep():
    say("asleep")
    time.sleep(60)
    return "awake"


if __name__ == "__main__":
    say(globals()[sys.argv[1]]())
