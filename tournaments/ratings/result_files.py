"""Pair counts out of files: the tags of PGN games, or a table of pairs as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING

import numpy as np

from tournaments.ratings import pgn_results
from tournaments.ratings.errors import ResultFileError
from tournaments.ratings.pgn_results import decoded
from tournaments.ratings.tally import Tally, code_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tournaments.ratings.bradley_terry import PairTable

    Columns = NDArray[np.int64]

_PIECE = 1 << 20  # bytes
_ROWS = 10_000  # of a table, read together
_MOST_DIGITS = 12
_COLUMNS = {
    "first": 0, "white": 0, "player1": 0, "second": 1, "black": 1, "player2": 1,
    "wins": 2, "win": 2, "w": 2, "draws": 3, "draw": 3, "d": 3, "losses": 4, "loss": 4, "l": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Results:
    """Content of a file: the sums of ordered pairs, and how many games had no result."""

    table: PairTable
    unfinished: int = 0


def read(path: Path) -> Results:
    """Return the results in `path`, a PGN file if its name ends with `.pgn`, else CSV.

    UTF-8, or Latin-1 if it is not UTF-8.

    Raises:
        ResultFileError: with the line if the file makes no sense, or that there is no game in it.
        OSError: it cannot be read.
    """
    tally = Tally()
    with path.open("rb") as file:
        if path.suffix.lower() == ".pgn":
            pgn_results.read(file, tally)
        else:
            _read_table(_lines(file), tally)
    table = tally.table()
    if not table.players:
        raise ResultFileError(f"{path.name}: no game with a result")
    return Results(table, tally.unfinished())


def _lines(file: IO[bytes]) -> Iterator[str]:
    while lines := file.readlines(_PIECE):
        try:
            text = b"".join(lines).decode("utf-8")
        except UnicodeDecodeError:
            yield from map(decoded, lines)
        else:
            if "\0" in text:
                raise ResultFileError("not a text file")
            # A file of text ends lines where a file of bytes does, which `splitlines` does not.
            yield from io.StringIO(text.removeprefix("\ufeff"), newline="\n")


def _read_table(lines: Iterator[str], tally: Tally) -> None:
    """Add rows `first,second,wins,draws,losses`. A header may name them in another order."""
    reader = csv.reader(lines, strict=True)
    rows = (
        (reader.line_num, row)
        for row in reader
        if row and (row[0].strip() or any(map(str.strip, row)))
    )
    order: Sequence[int] = range(5)
    try:
        numbered = list(islice(rows, 1))
        if numbered and (header := _header([cell.strip() for cell in numbered[0][1]])):
            order, numbered = header, []
        while numbered := [*numbered, *islice(rows, _ROWS)]:
            _add_rows(numbered, order, tally)
            numbered = []
    except csv.Error as error:
        raise ResultFileError(f"line {reader.line_num}: {error}") from error


def _header(cells: list[str]) -> list[int] | None:
    """Return the content of each column, if the row is a header at all.

    Columns of other names are ignored.
    """
    columns = [_COLUMNS.get(cell.lower(), -1) for cell in cells]
    if any(cell.isdecimal() for cell in cells[2:]):
        return None
    if sorted(column for column in columns if column >= 0) != list(range(5)):
        raise ResultFileError(
            f"line 1: wanted first,second,wins,draws,losses, not {','.join(cells)[:100]!r}"
        )
    return columns


def _add_rows(numbered: list[tuple[int, list[str]]], order: Sequence[int], tally: Tally) -> None:
    """Add these rows: by columns, or one after the other if their cells are not as programs write them.

    Raises ResultFileError.
    """
    columns = _columns([row for _, row in numbered], order, tally)
    if columns is None:
        rows = [_row([cell.strip() for cell in row], order, tally, n) for n, row in numbered]
        columns = np.array(rows, np.int64).T
    pairs = code_of(columns[0], columns[1], 0)
    for outcome, games in enumerate(columns[2:]):
        tally.add(pairs[games > 0] + outcome, games[games > 0])


def _columns(rows: list[list[str]], order: Sequence[int], tally: Tally) -> Columns | None:
    """Return the numbers of the players and of the games, or None for rows that must be looked at one by one."""
    if any(len(row) != len(order) for row in rows):
        return None
    cells = list(zip(*rows, strict=True))
    first, second, *games = (cells[order.index(k)] for k in range(5))
    for column in games:
        digits = "".join(column)
        if not (digits.isascii() and digits.isdecimal()) or max(map(len, column)) > _MOST_DIGITS:
            return None
    try:
        columns = [tally.numbers(first), tally.numbers(second), *(list(map(int, g)) for g in games)]
    except (ValueError, ResultFileError):  # an empty cell, or a name with blanks around it
        return None
    numbers = np.array(columns, np.int64)
    return None if (numbers[0] == numbers[1]).any() else numbers


def _row(cells: list[str], order: Sequence[int], tally: Tally, line: int) -> list[int]:
    if len(cells) != len(order):
        raise ResultFileError(f"line {line}: {len(cells)} cells, not {len(order)}")
    first, second, *games = (cells[order.index(k)] for k in range(5))
    try:
        pair = tally.pair(first, second)
    except ResultFileError as error:
        raise ResultFileError(f"line {line}: {error}") from error
    for cell in games:
        if not (cell.isascii() and cell.isdecimal() and len(cell) <= _MOST_DIGITS):
            raise ResultFileError(f"line {line}: {cell[:60]!r} is no number of games")
    return [*pair, *map(int, games)]
