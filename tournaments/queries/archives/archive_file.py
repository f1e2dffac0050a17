"""An event's archive as a file.

A file may come from anyone: it is read within limits, and every flaw is named with its place.
"""

from __future__ import annotations

import io
import json
import lzma
import struct
import types
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from datetime import date, datetime
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from tournaments.queries.archives.archive_data import Archive, ArchiveError

SCHEMA = "rayuela-archive/1"
MEMBER = "archive.json"
# An event of 5,000 players and 400 rounds would not fit. One of 200 over 30 rounds takes some 5 MB.
MAX_FILE_BYTES = 64_000_000
MAX_JSON_BYTES = 256_000_000
MAX_ITEMS = 500_000
MAX_INTEGER = 2**63 - 1
# Every file of one event at one time has equal bytes: ZIP knows no earlier day than this.
DAY_ZERO = (1980, 1, 1, 0, 0, 0)
# Errors of reading a broken or hostile ZIP file.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, struct.error),
)


def packed(archive: Archive) -> bytes:
    """The archive as a ZIP file with one member, equal bytes for equal archives."""
    text = json.dumps(
        asdict(archive, dict_factory=_members), ensure_ascii=False, indent=1, default=text_of
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as container:
        member = zipfile.ZipInfo(MEMBER, DAY_ZERO)
        member.compress_type = zipfile.ZIP_DEFLATED
        container.writestr(member, text + "\n")
    return file.getvalue()


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a record. JSON would have a list for a named tuple."""
    return {name: value._asdict() if _is_named(value) else value for name, value in pairs}


def _is_named(record: object) -> bool:
    """Return whether that is a named tuple, or the class of one."""
    return hasattr(record, "_fields")


def text_of(value: object) -> str:
    """Return a date or a moment as JSON text."""
    assert isinstance(value, date), "JSON knows the rest"
    return value.isoformat()


def unpacked(data: bytes) -> Archive:
    """Return the archive in a file.

    Raises:
        ArchiveError: if the file is no archive, is too large, or has an impossible member.
    """
    return read_record(Archive, _text(data), SCHEMA, MEMBER)


def _text(data: bytes) -> bytes:
    if len(data) > MAX_FILE_BYTES:
        raise ArchiveError("file", f"larger than {MAX_FILE_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            is_alone = container.namelist() == [MEMBER]
            # The size that the file states may be false.
            text = container.open(MEMBER).read(MAX_JSON_BYTES + 1) if is_alone else b""
    except BROKEN as error:
        raise ArchiveError("file", f"not a readable ZIP file: {error}"[:200]) from error
    if not is_alone:
        raise ArchiveError("file", f"not a ZIP file with {MEMBER!r} alone")
    if len(text) > MAX_JSON_BYTES:
        raise ArchiveError(MEMBER, f"larger than {MAX_JSON_BYTES} bytes")
    return text


Record = TypeVar("Record")


def read_record(kind: type[Record], text: bytes, schema: str, place: str) -> Record:
    """Return the record of this schema in a JSON text. Raises ArchiveError."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(place, f"no JSON: {error}"[:200]) from error
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise ArchiveError(f"{place}, schema", f"not {schema!r}")
    return _object(kind, content, place)


def _object(kind: type[Record], data: object, place: str) -> Record:
    if not isinstance(data, dict):
        raise ArchiveError(place, "not an object")
    hints = get_type_hints(kind)
    values = {}
    optional = _optional(kind)
    for name, hint in hints.items():
        where = f"{place}, {name}"
        if name in data:
            values[name] = _value(hint, data[name], where)
        elif name not in optional:
            raise ArchiveError(where, "is missing")
    return kind(**values)


def _optional(kind: Any) -> set[str]:  # noqa: ANN401 - the class of any record
    """Return the names of the members that have a default."""
    if _is_named(kind):
        return set(kind._field_defaults)
    assert is_dataclass(kind), "archives are made of records"
    return {each.name for each in fields(kind) if each.default is not MISSING}


def _value(hint: Any, data: object, place: str) -> object:  # noqa: ANN401 - any type of a field
    if get_origin(hint) is types.UnionType:
        inner = next(each for each in get_args(hint) if each is not types.NoneType)
        return None if data is None else _value(inner, data, place)
    if get_origin(hint) is tuple:
        if not isinstance(data, list) or len(data) > MAX_ITEMS:
            raise ArchiveError(place, f"not a list of at most {MAX_ITEMS}")
        inner = get_args(hint)[0]
        return tuple(_value(inner, item, f"{place} {n}") for n, item in enumerate(data, start=1))
    if isinstance(hint, type) and (is_dataclass(hint) or _is_named(hint)):
        return _object(hint, data, place)
    if hint in (date, datetime):
        return _moment(hint, data, place)
    if get_origin(hint) is Mapping:
        hint = dict
    # True is a whole number in Python, and not in an archive.
    if not isinstance(data, hint) or (hint is int and isinstance(data, bool)):
        raise ArchiveError(place, f"not {_NAMES[hint]}")
    if isinstance(data, int) and abs(data) > MAX_INTEGER:
        raise ArchiveError(place, "a number beyond all bounds")
    return data


_NAMES: Mapping[Any, str] = {
    int: "a whole number",
    str: "text",
    bool: "true or false",
    dict: "an object",
}


def _moment(kind: type[date], data: object, place: str) -> date:
    try:
        moment = kind.fromisoformat(str(data))
    except ValueError as error:
        raise ArchiveError(place, f"no {kind.__name__}: {str(data)[:40]!r}") from error
    if isinstance(moment, datetime) and moment.tzinfo is None:
        raise ArchiveError(place, "a moment without a time zone")
    return moment
