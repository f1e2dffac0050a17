"""WebAssembly modules that are small to send and expensive to compile, written byte by byte."""

from __future__ import annotations

_HEADER = b"\0asm\x01\0\0\0"
_END = b"\x0b"


def leb128(number: int) -> bytes:
    """`number`, which is not negative, as WebAssembly writes numbers: seven bits a byte, lowest first."""
    seven_bits = number & 0x7F
    rest = number >> 7
    return bytes([seven_bits | 0x80]) + leb128(rest) if rest else bytes([seven_bits])


def module_with(body: bytes, *, functions: int = 1, locals_count: int = 0) -> bytes:
    """Return a module with a number of functions, each with this body and a number of locals of 32 bits.

    It exports its memory of one page, and its first function as `_start`.
    """
    variables = b"\1" + leb128(locals_count) + b"\x7f" if locals_count else b"\0"
    code = variables + body + _END
    exports = b"\2" + b"\6memory\2\0" + b"\6_start\0\0"
    count = leb128(functions)
    sections = {
        1: b"\1\x60\0\0",  # one type: no parameters, no result
        3: count + bytes(functions),
        5: b"\1\0\1",
        7: exports,
        10: count + (leb128(len(code)) + code) * functions,
    }
    return _HEADER + b"".join(
        bytes([key]) + leb128(len(content)) + content for key, content in sections.items()
    )


# Compilers of loops are quadratic in the depth: about 5 s of processor time for 420 kB.
LOOPS_IN_LOOPS = module_with(b"\x03\x40\x20\0\x0d\0" * 60_000 + _END * 60_000, locals_count=2)
