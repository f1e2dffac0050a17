"""Limits of a program in the sandbox."""

from __future__ import annotations

from dataclasses import dataclass

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one sandboxed process, which is all of a bot since it cannot make another.

    None is no limit.

    Attributes:
        address_space_bytes: reserved memory (RLIMIT_AS), shared mappings included.
        data_bytes: private writable memory (RLIMIT_DATA), for runtimes that reserve far more than
            they use.
        processes: its threads (RLIMIT_NPROC). If it shares its user, beyond the user's processes at
            its start.
        open_files: descriptors (RLIMIT_NOFILE).
        file_bytes: the longest file it may write (RLIMIT_FSIZE).
        cpu_s: processor time of all its threads for its whole life (RLIMIT_CPU), then it is killed.
    """

    address_space_bytes: int | None = 512 * _MIB
    data_bytes: int | None = None
    processes: int = 32
    open_files: int = 64
    file_bytes: int = 16 * _MIB
    cpu_s: int = 3600

    def as_rlimits(self) -> dict[str, int]:
        """Return the values by the names of the `resource` module."""
        values = {
            "RLIMIT_AS": self.address_space_bytes,
            "RLIMIT_DATA": self.data_bytes,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_CPU": self.cpu_s,
            "RLIMIT_CORE": 0,
            # A machine may allow its users more than it would a stranger's program.
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_RTPRIO": 0,
        }
        return {name: value for name, value in values.items() if value is not None}
