"""The files of an untrusted zip archive, without ambiguous or harmful entries.

Python's `zipfile` makes an object of every entry before one can look, and trusts the last of two
entries of one name. Therefore this module first walks the directory itself, with the structures of
APPNOTE.TXT 6.3.10 sections 4.3.12 and 4.3.16.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from engine.programs.errors import UploadRefusal, UploadRefusedError
from engine.programs.names import Names
from games.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FILES: Final = 500
MAX_UNPACKED_BYTES: Final = 50_000_000

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_ENTRY = struct.Struct("<4s6H3L5H2L")
_ENTRY_MARK = b"PK\x01\x02"
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_CHUNK_BYTES = 1 << 16
# Exceptions of zipfile and zlib on archives that are broken on purpose.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def files_of(archive: bytes) -> dict[str, bytes]:
    """Return the content of every file by its name, as the archive has them.

    Raises UploadRefusedError.
    """
    _require_few_entries(archive)
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as zip_file:
            return dict(_unpacked_files(zip_file))
    except UploadRefusedError:
        raise
    except _BROKEN as error:
        raise UploadRefusedError(
            UploadRefusal.BAD_ARCHIVE,
            message("the archive is damaged: %(error)s"),
            error=str(error),
        ) from error


def _require_few_entries(archive: bytes) -> None:
    """Refuse an archive whose directory is misplaced or has over `MAX_FILES` entries."""
    at = _end_record(archive)
    _, disk, first_disk, here, entries, length, start, _ = _END.unpack_from(archive, at)
    if disk or first_disk or here != entries or start + length != at:
        raise UploadRefusedError(
            UploadRefusal.BAD_ARCHIVE,
            message("the archive has parts elsewhere, or something before or inside it"),
        )
    count = 0
    while start < at:
        if count > MAX_FILES:
            break
        if at - start < _ENTRY.size or archive[start : start + 4] != _ENTRY_MARK:
            raise UploadRefusedError(
                UploadRefusal.BAD_ARCHIVE,
                message("entry %(number)s of the archive is damaged"),
                number=str(count + 1),
            )
        fields = _ENTRY.unpack_from(archive, start)
        start += _ENTRY.size + fields[10] + fields[11] + fields[12]  # name, extra field, comment
        count += 1
    if max(count, entries) > MAX_FILES:
        raise UploadRefusedError(
            UploadRefusal.TOO_MANY_FILES,
            message("over %(most)s files and directories"),
            most=str(MAX_FILES),
        )
    if count != entries or start != at:
        raise UploadRefusedError(
            UploadRefusal.BAD_ARCHIVE,
            message("the archive says another number of files than it has"),
        )


def _end_record(archive: bytes) -> int:
    """Return the offset of the end of the central directory.

    Only a comment of the length that it states may follow.
    """
    at = archive.rfind(_END_MARK, max(0, len(archive) - _END.size - 0xFFFF))
    if at >= 0 and len(archive) - at >= _END.size:
        comment_bytes = _END.unpack_from(archive, at)[7]
        if at + _END.size + comment_bytes == len(archive):
            return at
    raise UploadRefusedError(
        UploadRefusal.BAD_ARCHIVE, message("the archive is cut off, or something follows it")
    )


def _unpacked_files(zip_file: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    entries = [entry for entry in zip_file.infolist() if not _is_apples(entry)]
    names = Names()
    for entry in entries:
        _require_plain(entry)
        names.add(entry.orig_filename, is_directory=entry.is_dir())
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise _too_large()
    budget_bytes = MAX_UNPACKED_BYTES
    for entry in entries:
        if entry.is_dir():
            continue
        content = _content(zip_file, entry, budget_bytes)
        budget_bytes -= len(content)
        yield entry.filename, content


def _is_apples(entry: zipfile.ZipInfo) -> bool:
    """Return whether macOS added this entry to the files of the author. It is not unpacked."""
    parts = entry.filename.split("/")
    return parts[0] == "__MACOSX" or parts[-1] == ".DS_Store"


def _require_plain(entry: zipfile.ZipInfo) -> None:
    """Refuse an entry that is neither a file nor a directory. Raises UploadRefusedError."""
    name = repr(entry.orig_filename[:100])
    if entry.flag_bits & _ENCRYPTED_FLAGS:
        raise UploadRefusedError(
            UploadRefusal.ENCRYPTED, message("%(name)s is encrypted"), name=name
        )
    if entry.compress_type not in _METHODS:
        raise UploadRefusedError(
            UploadRefusal.COMPRESSION,
            message("%(name)s is compressed by method %(method)s. Use Deflate"),
            name=name,
            method=str(entry.compress_type),
        )
    kind = stat.S_IFMT(entry.external_attr >> 16)
    expected = stat.S_IFDIR if entry.is_dir() else stat.S_IFREG
    # Without a kind the name of the entry decides. Systems other than Unix write no kind.
    if kind not in {0, expected}:
        raise UploadRefusedError(
            UploadRefusal.SPECIAL_FILE,
            message("%(name)s is a link, a device or something else that is no file"),
            name=name,
        )


def _content(zip_file: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """Return the bytes of `entry` as they are unpacked.

    Raises UploadRefusedError past `limit` of them, independent of the declared size.
    """
    chunks: list[bytes] = []
    total = 0
    with zip_file.open(entry) as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            total += len(chunk)
            if total > limit:
                raise _too_large()
            chunks.append(chunk)
    if total != entry.file_size:
        raise UploadRefusedError(
            UploadRefusal.BAD_ARCHIVE,
            message("%(name)s has not the size that it declares"),
            name=repr(entry.filename),
        )
    return b"".join(chunks)


def _too_large() -> UploadRefusedError:
    megabytes = MAX_UNPACKED_BYTES // 1_000_000
    return UploadRefusedError(
        UploadRefusal.UNPACKED_TOO_LARGE,
        message("over %(most)s MB when unpacked"),
        most=str(megabytes),
    )
