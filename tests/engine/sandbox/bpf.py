"""A machine for classic BPF, which runs a seccomp filter on calls that a test must not make."""

from __future__ import annotations

import struct
from dataclasses import dataclass

# linux/bpf_common.h, without the codes that our filters do not have.
_LOAD, _EQUAL, _GREATER, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06


@dataclass(frozen=True)
class Call:
    """A system call as `struct seccomp_data` shows it."""

    number: int
    architecture: int
    arguments: tuple[int, ...] = ()

    def as_bytes(self) -> bytes:
        arguments = (*self.arguments, 0, 0, 0, 0, 0, 0)[:6]
        registers = [argument & 0xFFFF_FFFF_FFFF_FFFF for argument in arguments]
        return struct.pack("=iIQ6Q", self.number, self.architecture, 0, *registers)


def verdict(program: bytes, call: Call) -> int:
    """Return the answer of `program` to `call`.

    Raises ValueError for a program that the kernel would not load.
    """
    data = call.as_bytes()
    instructions = list(struct.iter_unpack("=HBBI", program))
    accumulator = at = 0
    while at < len(instructions):
        code, then, otherwise, constant = instructions[at]
        at += 1
        if code == _LOAD:
            (accumulator,) = struct.unpack_from("=I", data, constant)
        elif code == _RETURN:
            return int(constant)
        else:
            at += then if _holds(code, accumulator, constant) else otherwise
    raise ValueError("ran off the end")


def _holds(code: int, accumulator: int, constant: int) -> bool:
    tests = {
        _EQUAL: accumulator == constant,
        _GREATER: accumulator > constant,
        _AT_LEAST: accumulator >= constant,
        _ANY_BIT: accumulator & constant != 0,
    }
    if code not in tests:
        raise ValueError(f"no instruction of ours: {code:#x}")
    return tests[code]
