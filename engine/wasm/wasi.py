"""WASI preview 1 for a module that plays: three pipes, its own clock, seeded random bytes.

The names, argument lists and record layouts are those of `wasi_snapshot_preview1` (WASI legacy
preview 1). No file, no directory, no environment, no socket: the functions for them exist
and say `badf`. Nothing here depends on the machine, so a module computes equally everywhere.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING, Protocol

import wasmtime

from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.wasm.meter import FuelMeter

MODULE = "wasi_snapshot_preview1"
# The price of a call in fuel: about the time it takes. A cheaper call would be a way to compute for
# free.
CALL_UNITS = 100_000
BYTE_UNITS = 10

_SUCCESS, _BADF, _FAULT, _INVAL, _NOSYS, _SPIPE = 0, 8, 21, 28, 52, 70
_STDIN, _STDOUT, _STDERR = 0, 1, 2
_MAX_VECTORS = 1024
# Limit of one call: more is written by more calls, and no module needs more random bytes in one
# call.
_MAX_BYTES = 65_536
_MAX_SUBSCRIPTIONS = 64
_ARGUMENT = b"bot\0"
_CLOCK_EVENT, _FD_READ_EVENT = 0, 1
_ABSOLUTE = 1
# A character device that can be read, written and polled but not sought. The C library takes it for
# a terminal and writes line by line, so that a forgotten flush does no harm.
_FDSTAT = struct.pack("<BxHxxxxQQ", 2, 0, 1 << 1 | 1 << 6 | 1 << 27, 0)

# i: i32, I: i64. Every function returns an errno except `proc_exit`.
_SIGNATURES = {
    "args_get": "ii",
    "args_sizes_get": "ii",
    "environ_get": "ii",
    "environ_sizes_get": "ii",
    "clock_res_get": "ii",
    "clock_time_get": "iIi",
    "fd_advise": "iIIi",
    "fd_allocate": "iII",
    "fd_close": "i",
    "fd_datasync": "i",
    "fd_fdstat_get": "ii",
    "fd_fdstat_set_flags": "ii",
    "fd_fdstat_set_rights": "iII",
    "fd_filestat_get": "ii",
    "fd_filestat_set_size": "iI",
    "fd_filestat_set_times": "iIIi",
    "fd_pread": "iiiIi",
    "fd_prestat_get": "ii",
    "fd_prestat_dir_name": "iii",
    "fd_pwrite": "iiiIi",
    "fd_read": "iiii",
    "fd_readdir": "iiiIi",
    "fd_renumber": "ii",
    "fd_seek": "iIii",
    "fd_sync": "i",
    "fd_tell": "ii",
    "fd_write": "iiii",
    "path_create_directory": "iii",
    "path_filestat_get": "iiiii",
    "path_filestat_set_times": "iiiiIIi",
    "path_link": "iiiiiii",
    "path_open": "iiiiiIIii",
    "path_readlink": "iiiiii",
    "path_remove_directory": "iii",
    "path_rename": "iiiiii",
    "path_symlink": "iiiii",
    "path_unlink_file": "iii",
    "poll_oneoff": "iiii",
    "proc_exit": "i",
    "proc_raise": "i",
    "random_get": "ii",
    "sched_yield": "",
    "sock_accept": "iii",
    "sock_recv": "iiiiii",
    "sock_send": "iiiii",
    "sock_shutdown": "ii",
}
FUNCTIONS = frozenset(_SIGNATURES)
_MASKS = {"i": 0xFFFF_FFFF, "I": 0xFFFF_FFFF_FFFF_FFFF}


class ExitError(EngineError):
    """The module called `proc_exit`."""

    code = "exit"

    def __init__(self, status: int) -> None:
        super().__init__(f"exited with status {status}")
        self.status = status


class Pipes(Protocol):
    """The other end of a module's three descriptors."""

    @property
    def has_input(self) -> bool:
        """Return whether `read` may be called now."""
        ...

    def read(self, limit: int) -> bytes:
        """Return at most `limit` bytes for the module's standard input, empty at the end of it."""
        ...

    def write(self, text: bytes) -> None:
        """Receive the module's standard output."""
        ...

    def write_error(self, text: bytes) -> None:
        """Receive the module's standard error."""
        ...


class _ErrnoError(Exception):
    """A call is to return this errno."""

    def __init__(self, errno: int) -> None:
        super().__init__(errno)
        self.errno = errno


class _MemoryView:
    """The module's memory during one call. Addresses outside of it are `fault`."""

    def __init__(self, caller: wasmtime.Caller) -> None:
        memory = caller.get("memory")
        if not isinstance(memory, wasmtime.Memory):
            raise _ErrnoError(_FAULT)
        self._caller = caller
        self._memory = memory

    def read(self, at: int, length: int) -> bytes:
        self._require(at, length)
        return bytes(self._memory.read(self._caller, at, at + length))

    def write(self, at: int, content: bytes) -> None:
        self._require(at, len(content))
        if content:
            self._memory.write(self._caller, content, at)

    def write_u32(self, at: int, number: int) -> None:
        self.write(at, struct.pack("<I", number))

    def write_u64(self, at: int, number: int) -> None:
        self.write(at, struct.pack("<Q", number & _MASKS["I"]))

    def vectors(self, at: int, count: int) -> list[tuple[int, int]]:
        """Address and length of each buffer of an array of `iovec`."""
        if count > _MAX_VECTORS:
            raise _ErrnoError(_INVAL)
        return list(struct.iter_unpack("<II", self.read(at, 8 * count)))

    def _require(self, at: int, length: int) -> None:
        if at + length > self._memory.data_len(self._caller):
            raise _ErrnoError(_FAULT)


class Dice:
    """Random bytes that a seed decides: SHA-256 of the seed and a counter, block after block."""

    def __init__(self, seed: str) -> None:
        self._seed = hashlib.sha256(seed.encode("utf-8")).digest()
        self._block = 0
        self._buffer = b""

    def roll(self, length: int) -> bytes:
        """Return the next `length` bytes."""
        blocks = [self._buffer]
        missing = length - len(self._buffer)
        while missing > 0:
            blocks.append(hashlib.sha256(self._seed + struct.pack("<Q", self._block)).digest())
            self._block += 1
            missing -= len(blocks[-1])
        stream = b"".join(blocks)
        self._buffer = stream[length:]
        return stream[:length]


class WasiSystem:
    """The functions of WASI for one instance.

    Each `_name` below is the function `name`. The others refuse.
    """

    def __init__(self, meter: FuelMeter, pipes: Pipes, seed: str) -> None:
        self._meter = meter
        self._pipes = pipes
        self._dice = Dice(seed)

    def define(self, linker: wasmtime.Linker) -> None:
        """Give `linker` every function of WASI preview 1."""
        i32 = wasmtime.ValType.i32()
        for name, letters in _SIGNATURES.items():
            parameters = [i32 if letter == "i" else wasmtime.ValType.i64() for letter in letters]
            results = [] if name == "proc_exit" else [i32]
            kind = wasmtime.FuncType(parameters, results)
            linker.define_func(MODULE, name, kind, self._call(name, letters), access_caller=True)

    def _call(self, name: str, letters: str) -> Callable[..., int]:
        function: Callable[..., int] | None = getattr(self, f"_{name}", None)
        refusal = _NOSYS if name == "proc_raise" else _BADF
        masks = [_MASKS[letter] for letter in letters]

        def call(caller: wasmtime.Caller, *arguments: int) -> int:
            self._meter.spend(CALL_UNITS)
            if function is None:
                return refusal
            numbers = (number & mask for number, mask in zip(arguments, masks, strict=True))
            try:
                return function(_MemoryView(caller), *numbers)
            except _ErrnoError as error:
                return error.errno

        return call

    def _args_sizes_get(self, view: _MemoryView, count_at: int, size_at: int) -> int:
        view.write_u32(count_at, 1)
        view.write_u32(size_at, len(_ARGUMENT))
        return _SUCCESS

    def _args_get(self, view: _MemoryView, pointers_at: int, text_at: int) -> int:
        view.write_u32(pointers_at, text_at)
        view.write(text_at, _ARGUMENT)
        return _SUCCESS

    def _environ_sizes_get(self, view: _MemoryView, count_at: int, size_at: int) -> int:
        view.write_u32(count_at, 0)
        view.write_u32(size_at, 0)
        return _SUCCESS

    def _environ_get(self, view: _MemoryView, pointers_at: int, text_at: int) -> int:
        return _SUCCESS

    def _clock_res_get(self, view: _MemoryView, clock: int, at: int) -> int:
        view.write_u64(at, 1)
        return _SUCCESS

    def _clock_time_get(self, view: _MemoryView, clock: int, precision: int, at: int) -> int:
        view.write_u64(at, self._meter.now_ns())
        return _SUCCESS

    def _random_get(self, view: _MemoryView, at: int, length: int) -> int:
        if length > _MAX_BYTES:
            return _INVAL
        self._meter.spend(length * BYTE_UNITS)
        view.write(at, self._dice.roll(length))
        return _SUCCESS

    def _sched_yield(self, view: _MemoryView) -> int:
        return _SUCCESS

    def _proc_exit(self, view: _MemoryView, status: int) -> int:
        raise ExitError(status)

    def _fd_close(self, view: _MemoryView, descriptor: int) -> int:
        _require_pipe(descriptor)
        return _SUCCESS

    def _fd_fdstat_get(self, view: _MemoryView, descriptor: int, at: int) -> int:
        _require_pipe(descriptor)
        view.write(at, _FDSTAT)
        return _SUCCESS

    def _fd_seek(
        self, view: _MemoryView, descriptor: int, offset: int, whence: int, at: int
    ) -> int:
        _require_pipe(descriptor)
        return _SPIPE

    def _fd_read(
        self, view: _MemoryView, descriptor: int, at: int, count: int, read_at: int
    ) -> int:
        if descriptor != _STDIN:
            return _BADF
        vectors = [vector for vector in view.vectors(at, count) if vector[1]]
        # One buffer is enough: at most one line is given at a time.
        chunk = self._pipes.read(vectors[0][1]) if vectors else b""
        self._meter.spend(len(chunk) * BYTE_UNITS)
        if chunk:
            view.write(vectors[0][0], chunk)
        view.write_u32(read_at, len(chunk))
        return _SUCCESS

    def _fd_write(
        self, view: _MemoryView, descriptor: int, at: int, count: int, written_at: int
    ) -> int:
        if descriptor not in {_STDOUT, _STDERR}:
            return _BADF
        text = b""
        for start, length in view.vectors(at, count):
            text += view.read(start, min(length, _MAX_BYTES - len(text)))
        self._meter.spend(len(text) * BYTE_UNITS)
        view.write_u32(written_at, len(text))
        if descriptor == _STDOUT:
            self._pipes.write(text)
        else:
            self._pipes.write_error(text)
        return _SUCCESS

    def _poll_oneoff(
        self, view: _MemoryView, at: int, events_at: int, count: int, count_at: int
    ) -> int:
        """Report pipes as ready immediately. Without a pipe, wait for the earliest clock."""
        if not 0 < count <= _MAX_SUBSCRIPTIONS:
            return _INVAL
        clocks: list[tuple[int, int]] = []
        events: list[bytes] = []
        for start in range(at, at + 48 * count, 48):
            userdata, kind = struct.unpack("<QB", view.read(start, 9))
            if kind == _CLOCK_EVENT:
                timeout_ns, _, flags = struct.unpack("<QQH", view.read(start + 24, 18))
                now_ns = self._meter.now_ns() if flags & _ABSOLUTE else 0
                clocks.append((max(0, timeout_ns - now_ns), userdata))
            elif kind != _FD_READ_EVENT or self._pipes.has_input:
                events.append(_event(userdata, kind, nbytes=1))
        if not events:
            if not clocks:
                return _INVAL
            wait_ns, userdata = min(clocks)
            self._meter.sleep(wait_ns)
            events.append(_event(userdata, _CLOCK_EVENT, nbytes=0))
        view.write(events_at, b"".join(events))
        view.write_u32(count_at, len(events))
        return _SUCCESS


def _event(userdata: int, kind: int, *, nbytes: int) -> bytes:
    return struct.pack("<QHBxxxxxQHxxxxxx", userdata, _SUCCESS, kind, nbytes, 0)


def _require_pipe(descriptor: int) -> None:
    if descriptor > _STDERR:
        raise _ErrnoError(_BADF)
