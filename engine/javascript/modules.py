"""A module that runs a program: the interpreter's, with the program behind the end of its memory.

The module gets a data segment more, and the pages of memory for it (WebAssembly core specification 5.5).
`main.c` finds the program there: its length in four bytes, and its text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = Path(__file__).parent
INTERPRETER = _FOLDER / "interpreter.wasm"
# The library that removes the types of TypeScript, and the program that calls it.
LIBRARY, TRANSPILER = _FOLDER / "sucrase.js", _FOLDER / "transpile.js"
MAX_SOURCE_BYTES = 1 << 20
_PAGE_BYTES = 65_536
_HEAD_BYTES = 8
_MEMORY, _DATA, _DATA_COUNT = 5, 11, 12
_I32_CONST, _END = b"\x41", b"\x0b"


def module_of(source: bytes) -> bytes:
    """Return the module that runs `source`. Equal sources give equal bytes on every machine."""
    module = INTERPRETER.read_bytes()
    content = len(source).to_bytes(4, "little") + source
    parts = [module[:_HEAD_BYTES]]
    end = 0
    for number, body in _sections(module):
        changed = body
        if number == _MEMORY:
            pages, changed = _with_more_pages(body, -(-len(content) // _PAGE_BYTES))
            end = pages * _PAGE_BYTES
        elif number == _DATA_COUNT:
            changed = _unsigned(_number(body, 0)[0] + 1)
        elif number == _DATA:
            count, at = _number(body, 0)
            segment = b"\0" + _I32_CONST + _signed(end) + _END + _unsigned(len(content)) + content
            changed = _unsigned(count + 1) + body[at:] + segment
        parts += [bytes([number]), _unsigned(len(changed)), changed]
    return b"".join(parts)


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each section with its content."""
    at = _HEAD_BYTES
    while at < len(module):
        size, start = _number(module, at + 1)
        yield module[at], module[start : start + size]
        at = start + size


def _with_more_pages(body: bytes, more: int) -> tuple[int, bytes]:
    """Return the pages of the one memory at its start, and the section with `more` of them.

    The interpreter's memory has no maximum.
    """
    assert body[:2] == b"\1\0", "one memory without a maximum"
    pages, _ = _number(body, 2)
    return pages, b"\1\0" + _unsigned(pages + more)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the unsigned number that begins at `at`, and where it ends (LEB128)."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _unsigned(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _signed(value: int) -> bytes:
    """Return a number from 0 on as a signed one: the last byte's bit 6 is its sign."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
