"""Archives for tests, among them every one that should not be."""

from __future__ import annotations

import io
import stat
import struct
import zipfile

MAIN = b"print('readyok')\n"
_UNIX = 3
_END_BYTES = 22


def zip_of(
    *entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Return an archive with these entries in this order, with any names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    """Return an entry made on Unix with all its mode bits."""
    info = zipfile.ZipInfo(name)
    info.create_system = _UNIX
    info.external_attr = mode << 16
    return info


def link(name: str) -> zipfile.ZipInfo:
    return with_mode(name, stat.S_IFLNK | 0o777)


def rename_entry(archive: bytes, old: str, new: str) -> bytes:
    """Return the archive with one name in place of another of equal length, in both directories."""
    assert len(old) == len(new)
    return archive.replace(old.encode(), new.encode())


def central(archive: bytes, name: str) -> int:
    """Return the beginning of the entry `name` in the central directory."""
    at = archive.rindex(name.encode()) - 46
    assert archive[at : at + 4] == b"PK\x01\x02"
    return at


def patch(archive: bytes, at: int, field: bytes) -> bytes:
    return archive[:at] + field + archive[at + len(field) :]


def with_size(archive: bytes, name: str, size: int) -> bytes:
    """Return the archive whose entry `name` declares `size` bytes, in both places."""
    field = struct.pack("<I", size)
    local = archive.index(b"PK\x03\x04")
    while archive[local + 30 : local + 30 + len(name)] != name.encode():
        local = archive.index(b"PK\x03\x04", local + 4)
    return patch(patch(archive, central(archive, name) + 24, field), local + 22, field)


def with_flags(archive: bytes, name: str, flags: int) -> bytes:
    return patch(archive, central(archive, name) + 8, struct.pack("<H", flags))


def with_method(archive: bytes, name: str, method: int) -> bytes:
    return patch(archive, central(archive, name) + 10, struct.pack("<H", method))


def with_count(archive: bytes, count: int) -> bytes:
    """Return the archive whose end record tells another number of entries."""
    at = len(archive) - _END_BYTES + 8
    return patch(archive, at, struct.pack("<HH", count, count))


def many(count: int) -> bytes:
    """`count` empty files beside main.py."""
    return zip_of(
        ("main.py", MAIN), *((f"{k:x}", b"") for k in range(count)), method=zipfile.ZIP_STORED
    )


def overlapping(count: int, content: bytes) -> bytes:
    """Return an archive with `count` names, from `00` on, for the one and same piece of compressed data."""
    single = zip_of(("00", content))
    at = central(single, "00")
    record = single[at:-_END_BYTES]
    records = b"".join(record[:46] + f"{k:02}".encode() + record[48:] for k in range(count))
    end = patch(single[-_END_BYTES:], 8, struct.pack("<HHI", count, count, len(records)))
    return single[:at] + records + end
