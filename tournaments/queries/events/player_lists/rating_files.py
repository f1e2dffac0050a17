"""Rating lists as federations publish them, read from a stream with bounded memory.

A file of FIDE has the ratings of one time control, or of all three. Known are FIDE's text of fixed width, FIDE's XML, tables with a heading as Swiss-Manager and
federations write them, and a ZIP file with one of these.
"""

from __future__ import annotations

import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO
from xml.parsers import expat

from tournaments.errors import RefusedError
from tournaments.queries.events.player_lists import tables
from tournaments.queries.events.player_lists.rows import MAX_ELO, Row, row_of

# The XML of FIDE with two million players has about 900 MB.
MAX_BYTES = 3_000_000_000
# An upload and a download. A larger list is stored by the command. FIDE's ZIP file has about 50 MB.
MAX_FILE_BYTES = 100_000_000
_LONGEST_LINE = 4_000
_LONGEST_CELL = 200
_CHUNK = 1 << 16
# FIDE's text: the columns of a line without its end, as the heading places them.
_FIDE_HEADING = b"ID Number      Name"
_FIDE_COLUMNS: Mapping[str, tuple[int, int]] = {
    "fide_id": (0, 15),
    "name": (15, 76),
    "federation": (76, 80),
    "sex": (80, 84),
    "title": (84, 89),
    "rating": (113, 119),
}
# These have another place in the lists of one time control and of all three, or are in the latter alone.
_FIDE_HEADED = {"birth": b"B-day", "rapid": b"RRtng", "blitz": b"BRtng"}
_FIDE_WIDTH = len("1990 ")
_FIDE_TAGS = {
    "fideid": "fide_id",
    "name": "name",
    "country": "federation",
    "sex": "sex",
    "title": "title",
    "rating": "rating",
    "rapid_rating": "rapid",
    "blitz_rating": "blitz",
    "birthday": "birth",
}
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),
    *(RuntimeError, ValueError, expat.ExpatError),
)


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A row of a list. `others` are the player's ratings for `rapid` and `blitz`, if the file has them."""

    row: Row
    others: Mapping[str, int] = field(default_factory=dict)


def read(stream: BinaryIO) -> Iterator[RatedRow]:
    """Yield the rows of the list one by one.

    Raises RefusedError `rating-list-bad` for an unknown or broken form, `rating-list-large`.
    """
    try:
        yield from _rows(stream)
    except _BROKEN as error:
        raise RefusedError("rating-list-bad", str(error)[:200]) from error


def _rows(stream: BinaryIO) -> Iterator[RatedRow]:
    start = stream.read(4)
    stream.seek(0)
    if start != b"PK\x03\x04":
        yield from _plain_rows(stream.read)
        return
    with zipfile.ZipFile(stream) as container:
        members = container.infolist()
        if len(members) != 1:
            raise RefusedError("rating-list-bad", f"{len(members)} files in the ZIP file")
        # A member is never read beyond the size that the container states.
        if members[0].file_size > MAX_BYTES:
            raise RefusedError("rating-list-large")
        with container.open(members[0]) as member:
            yield from _plain_rows(member.read)


def _plain_rows(read_part: Callable[[int], bytes]) -> Iterator[RatedRow]:
    parts = _parts(read_part)
    first = next(parts, b"")
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    parts = chain([text], parts)
    if text.startswith(b"<"):
        return _xml_rows(parts)
    lines = _lines(parts)
    if text.startswith(_FIDE_HEADING):
        return _fixed_rows(lines)
    return map(RatedRow, tables.rows_of(map(_decoded, lines)))


def _parts(read_part: Callable[[int], bytes]) -> Iterator[bytes]:
    size = 0
    while part := read_part(_CHUNK):
        size += len(part)
        if size > MAX_BYTES:
            raise RefusedError("rating-list-large")
        yield part


def _lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines without their ends. A longer line than any list has is refused."""
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
        if len(rest) > _LONGEST_LINE:
            raise RefusedError("rating-list-bad", "a line without an end")
    if rest:
        yield rest


def _decoded(line: bytes) -> str:
    """Return a line in UTF-8, or in Windows-1252, as older programs write it."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def _fixed_rows(lines: Iterator[bytes]) -> Iterator[RatedRow]:
    heading = next(lines)
    columns = dict(_FIDE_COLUMNS)
    for kind, title in _FIDE_HEADED.items():
        if (start := heading.find(title)) > 0:
            columns[kind] = (start, start + _FIDE_WIDTH)
    for number, line in enumerate(lines, start=2):
        if line.strip():
            text = _decoded(line)
            yield _rated(number, {kind: text[start:end] for kind, (start, end) in columns.items()})


def _rated(number: int, cells: Mapping[str, str]) -> RatedRow:
    others = {kind: _elo(cells.get(kind, "")) for kind in ("rapid", "blitz")}
    return RatedRow(row_of(number, cells), {kind: elo for kind, elo in others.items() if elo})


def _elo(text: str) -> int:
    """Return the rating; 0 for an unrated player, and for a text that is no rating."""
    text = text.strip()
    elo = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
    return elo if elo <= MAX_ELO else 0


def _xml_rows(parts: Iterator[bytes]) -> Iterator[RatedRow]:
    """Yield the players of FIDE's XML. Entities of a document type could expand without bounds: it is refused."""
    cells: dict[str, str] = {}
    complete: deque[dict[str, str]] = deque()
    tag = ""

    def begin(name: str, _attributes: Mapping[str, str]) -> None:
        nonlocal tag
        tag = _FIDE_TAGS.get(name, "")
        if name == "player":
            cells.clear()

    def end(name: str) -> None:
        nonlocal tag
        tag = ""
        if name == "player":
            complete.append(dict(cells))

    def add(text: str) -> None:
        if tag and len(cells.get(tag, "")) < _LONGEST_CELL:
            cells[tag] = cells.get(tag, "") + text

    def refuse(*_declaration: object) -> None:
        raise RefusedError("rating-list-bad", "a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = add, refuse
    number = 0
    for part in chain(parts, [None]):
        parser.Parse(part or b"", part is None)
        while complete:
            number += 1
            yield _rated(number, complete.popleft())
