"""The attacks of `attacks/` with the answer expected in the sandbox of either isolator."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """The line that an attack prints, under bubblewrap and under Landlock."""

    bwrap: str
    landlock: str

    def of(self, isolator: str) -> str:
        return self.bwrap if isolator == "bwrap" else self.landlock


def same(text: str) -> Verdict:
    return Verdict(text, text)


# Missing files, and existing closed ones.
HIDDEN = Verdict("ENOENT", "EACCES")
REFUSED = same("EPERM")

# In bubblewrap's sandbox the kernel's `kill` is refused before it finds no process. The others
# are refused too.
ATTACKS = {
    "read_passwd": HIDDEN,
    "read_settings": HIDDEN,
    "read_database": HIDDEN,
    "read_other_bot": HIDDEN,
    "write_outside": same("nothing"),
    "alter_itself": Verdict("EROFS", "EACCES"),
    "alter_modes": REFUSED,
    "connect_tcp": REFUSED,
    "send_udp": REFUSED,
    "connect_unix": REFUSED,
    "datagram_pair": REFUSED,
    "rare_sockets": REFUSED,
    "fork_bomb": same("0 children, EPERM"),
    "spawn": same("EPERM, clone3 ENOSYS"),
    "thread_bomb": same("under 64 threads"),
    "memory_bomb": same("under 512 MiB"),
    "shared_memory_bomb": same("ENOMEM"),
    "uncounted_memory": same("EPERM, secret EPERM"),
    "memory_of_many": same("0 processes, EPERM"),
    "daemon": REFUSED,
    "disarm": REFUSED,
    "fill_disk": same("0 MiB"),
    "make_files": same("0 files"),
    "signal_others": REFUSED,
    "signal_through_pipe": same("EPERM, EPERM"),
    "order_timer": REFUSED,
    "lock_what_others_see": REFUSED,
    "watch_what_others_read": REFUSED,
    "page_out_what_others_map": REFUSED,
    "take_all_asynchronous_io": REFUSED,
    "sit_on_one_processor": REFUSED,
    "take_another_name": REFUSED,
    "look_into_sibling": REFUSED,
    "read_proc": HIDDEN,
    "read_environment": same("LANG MALLOC_ARENA_MAX OPENBLAS_NUM_THREADS PATH PWD"),
    "inherited_descriptors": same("[0, 1, 2]"),
    "nest": REFUSED,
    "setuid_program": REFUSED,
    "native_program": same("EPERM, by the loader EPERM"),
    "dangerous_calls": REFUSED,
    "newer_calls": same("ENOSYS"),
    "enter_by_int80": Verdict("exited with status 159", "killed by SIGSYS"),
    "enter_by_x32": Verdict("exited with status 159", "killed by SIGSYS"),
    "kernel_switches": HIDDEN,
    "devices": Verdict("ENOENT, mknod EPERM", "EACCES, mknod EPERM"),
    "open_many": same("EMFILE under 64"),
    "shared_objects": REFUSED,
    "inject_keys": REFUSED,
    "raise_limits": same("EPERM, sibling EPERM"),
    "read_system": HIDDEN,
    "walk": Verdict(
        "secrets [], writable ['/dev/null', '/dev/urandom']", "secrets [], writable []"
    ),
    "alter_packages": same("nothing"),
    "put_out_of_the_cache": REFUSED,
    "write_back_all_disks": REFUSED,
    "raw_sockets": REFUSED,
    "sockets_by_high_halves": REFUSED,
    "every_other_new_process": Verdict("EPERM, forkpty ENOENT", "EPERM, forkpty EACCES"),
    "signal_otherwise": same("EPERM, by ioctl ENOTTY"),
    "leave_its_group": same("left"),
    "run_before_others": REFUSED,
    "map_too_much": same("ENOMEM"),
    "raise_break": same("ENOMEM"),
    "lock_memory": same("under 512 MiB"),
    "enlarge_pipes": same("EMFILE under 32 MiB"),
    "rarer_calls": REFUSED,
    "machine_code": same("42"),
}

# Run twice, one after the other. The second has the word.
TWICE = {"leave_state": same("found nothing")}

# Run as a user without other users' threads.
ALONE = {"threads_as_promised": same("at least 30 threads")}

# Its sandbox has a limit of one second of processor time.
BRIEF = {"spin": Verdict("exited with status 137", "killed by SIGKILL")}

EVERYTHING = {**ATTACKS, **TWICE, **ALONE, **BRIEF}
# No x86-64, no such door.
ONLY_X86 = {"enter_by_int80", "enter_by_x32"}
