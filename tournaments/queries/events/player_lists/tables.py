"""Tables of players: delimited text, with or without a heading."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from tournaments.queries.events.player_lists import headings
from tournaments.queries.events.player_lists.rows import PlayerList, Problem, Row, row_of

# The columns of a row without a heading, in this order.
COLUMNS = ("name", "rating", "federation", "club", "fide_id", "category")
_DELIMITERS = (";", "\t", "|", ",")
# Programs put one or two lines about the event above the table, and then blank ones.
_MOST_LINES_ABOVE = 20
_SAMPLE = 1_000
# A line as people write it: `Rossi Mario 1850 ITA`, perhaps with a number in front.
# Lists are often numbered: `3. Rossi Mario`.
_NUMBER = re.compile(r"^\s*\d{1,4}[.)]\s+(?=\S)")
_WRITTEN = re.compile(
    # A single word before three capitals is no whole name: `Kim LEE 1850`.
    r"(?:(?P<names>[^\d\s]+\s\D*?[^\d\s])\s+(?P<code>[A-Z]{3})\s+(?P<elo>\d{3,4})"
    r"|(?P<name>\D*[^\d\s])\s+(?P<rating>\d{3,4})(?:\s+(?P<federation>[A-Z]{3}))?)"
)


def table_of(lines: Sequence[str]) -> PlayerList:
    """Return the list of a table with or without a heading, without blank rows."""
    heading = _heading(lines)
    if heading is None:
        delimiter = next((d for d in _DELIMITERS[:3] if any(d in line for line in lines)), "\0")
        rows = [_plain_row(each) for each in _cells(lines, 0, delimiter)]
        # A line with more columns than these has its fault.
        return PlayerList(rows, unused=None if delimiter == "\0" else ())
    lines_of_cells = list(_cells(lines, heading.line, heading.delimiter))
    columns = headings.columns_of(heading.names, [each.cells for each in lines_of_cells])
    used = {place for places in columns.values() for place in places}
    return PlayerList(
        [_headed_row(each, columns, len(heading.names)) for each in lines_of_cells],
        unused=[
            name.strip() or f"#{place + 1}"
            for place, name in enumerate(heading.names)
            if place not in used
            and (name.strip() or any(each.has(place) for each in lines_of_cells))
        ],
        above=sum(bool(line.strip()) for line in lines[: heading.line - 1]),
    )


def rows_of(lines: Iterator[str]) -> Iterator[Row]:
    """Yield the rows of a long table, of whose columns the first thousand lines decide.

    Raises ValueError for a table without a heading.
    """
    sample = list(islice(lines, _SAMPLE))
    heading = _heading(sample)
    if heading is None:
        raise ValueError("no heading")
    start = list(_cells(sample, heading.line, heading.delimiter))
    columns = headings.columns_of(heading.names, [each.cells for each in start])
    every = _cells(chain(sample, lines), heading.line, heading.delimiter)
    for each in every:
        yield _headed_row(each, columns, len(heading.names))


@dataclass(frozen=True, slots=True)
class _Heading:
    """The heading of a table: its line from 1, the delimiter, and the cells."""

    line: int
    delimiter: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of a line, or its problem."""

    line: int
    cells: Sequence[str]
    text: str
    fault: str = ""

    def has(self, place: int) -> bool:
        """Return whether there is something at that place."""
        return place < len(self.cells) and self.cells[place].strip() != ""


def _heading(lines: Sequence[str]) -> _Heading | None:
    """The heading of the table: the first line, or one of two known columns below lines about the event."""
    seen = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        for delimiter in _DELIMITERS:
            names = [cell.strip(' "') for cell in line.split(delimiter)]
            known = [plain for name in names if (plain := headings.plain(name)) in headings.KNOWN]
            has_name = any(
                word in headings.HEADINGS[kind] for kind in headings.NAMES for word in known
            )
            if has_name and (len(known) > 1 or (not seen and (len(names) > 1 or known))):
                return _Heading(number, delimiter, names)
        seen += 1
        if seen == _MOST_LINES_ABOVE:
            break
    return None


def _cells(lines: Iterable[str], start: int, delimiter: str) -> Iterator[_Cells]:
    """Yield the cells of the lines from `start` on that are not blank; one cell for a line without a delimiter."""
    if delimiter == "\0":
        for number, line in enumerate(islice(lines, start, None), start=start + 1):
            if line.strip():
                yield _Cells(number, [line], line)
        return
    reader = csv.reader(islice(lines, start, None), delimiter=delimiter)
    while True:
        number = start + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield _Cells(number, [], "", str(error)[:60])
            continue
        if any(cell.strip() for cell in cells):
            yield _Cells(number, cells, delimiter.join(cells))


def _plain_row(each: _Cells) -> Row:
    """The row of a list without a heading, whose columns are `COLUMNS`."""
    if (problem := _wrong_width(each, len(COLUMNS))) is not None:
        return problem
    named = dict(zip(COLUMNS, each.cells, strict=False))
    named["name"] = _NUMBER.sub("", named["name"])
    written = None if any(map(each.has, range(1, len(COLUMNS)))) else _written(named["name"])
    return row_of(each.line, written or named)


def _headed_row(each: _Cells, columns: Mapping[str, Sequence[int]], width: int) -> Row:
    if (problem := _wrong_width(each, width)) is not None:
        return problem
    named = {}
    for kind, places in columns.items():
        cells = [each.cells[place].strip() for place in places if place < len(each.cells)]
        named[kind] = next((cell for cell in cells if cell.strip("0")), "")
    return row_of(each.line, {**named, "name": headings.full_name(named)})


def _wrong_width(each: _Cells, width: int) -> Row | None:
    if each.fault:
        return Row(each.line, None, Problem.BROKEN, each.fault)
    if any(cell.strip() for cell in each.cells[width:]):
        return Row(each.line, None, Problem.COLUMNS, each.text[:60])
    return None


def _written(line: str) -> dict[str, str] | None:
    """Return the parts of a line such as `Rossi Mario 1850 ITA`; None for a plain name."""
    match = _WRITTEN.fullmatch(line.strip())
    if match is None:
        return None
    return {
        "name": (match["name"] or match["names"]).rstrip(" ,"),
        "rating": match["rating"] or match["elo"],
        "federation": match["federation"] or match["code"] or "",
    }
