"""Lists of players in spreadsheets (XLSX), as the text of a table.

A file may come from anyone. Its size is checked before it is read, it is read row by row, and
macros, formulas and document types are refused or ignored.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import islice
from xml.etree.ElementTree import ParseError

from tournaments.errors import RefusedError

_START = b"PK\x03\x04"
_MACROS = "vbaproject.bin"
# A sheet of 2,000 players has 1 MB.
_MAX_BYTES = 20_000_000
_MAX_MEMBERS = 200
_MAX_ROWS, _MAX_COLUMNS = 2_100, 60
# Entities of a document type could expand without bounds. XML is read in these encodings.
_DOCUMENT_TYPES = tuple("<!DOCTYPE".encode(code) for code in ("ascii", "utf-16-le", "utf-16-be"))
# The library has no error of its own for most flaws of a file.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ParseError),
    *(KeyError, IndexError, ValueError, TypeError, AttributeError, RuntimeError),
)


def is_spreadsheet(upload: bytes) -> bool:
    """Return whether the file is a ZIP file, which no list of players as text is."""
    return upload.startswith(_START)


def text_of(upload: bytes) -> str:
    """Return the first sheet that has cells as a table with semicolons, a line for each row.

    Raises RefusedError `list-sheet` for a file that cannot be read, `list-macros`, `list-large`.
    """
    try:
        _require_safe(upload)
        return _text(_rows(upload))
    except _BROKEN as error:
        raise RefusedError("list-sheet", str(error)[:200]) from error


def _require_safe(upload: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(upload)) as container:
        members = container.infolist()
        # A member is never read beyond the size that the container states.
        if len(members) > _MAX_MEMBERS or sum(each.file_size for each in members) > _MAX_BYTES:
            raise RefusedError("list-large", f"{len(members)} files in a spreadsheet")
        if any(each.filename.lower().endswith(_MACROS) for each in members):
            raise RefusedError("list-macros")
        for each in members:
            content = container.read(each)
            if any(mark in content for mark in _DOCUMENT_TYPES):
                raise RefusedError("list-sheet", "a document type")


def _rows(upload: bytes) -> Sequence[Sequence[str]]:
    # It takes 0.14 s, which processes without a spreadsheet need not wait.
    import openpyxl

    book = openpyxl.load_workbook(
        io.BytesIO(upload), read_only=True, data_only=True, keep_links=False
    )
    try:
        for sheet in book.worksheets:
            # The file may state any size of the sheet.
            sheet.reset_dimensions()
            cells = sheet.iter_rows(max_row=_MAX_ROWS + 1, max_col=_MAX_COLUMNS, values_only=True)
            rows = [[_cell(value) for value in row] for row in islice(cells, _MAX_ROWS + 1)]
            if any(any(row) for row in rows):
                return rows
    finally:
        book.close()
    return []


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split())


def _text(rows: Sequence[Sequence[str]]) -> str:
    if len(rows) > _MAX_ROWS:
        raise RefusedError("list-large", f"more than {_MAX_ROWS} rows")
    table = io.StringIO(newline="")
    csv.writer(table, delimiter=";", lineterminator="\n").writerows(_without_empty_columns(rows))
    return table.getvalue()


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield the rows up to the last column that has a cell."""
    width = max((n for row in rows for n, cell in enumerate(row, start=1) if cell), default=0)
    for row in rows:
        yield row[:width] if any(row) else ()
