"""Pair counts out of files: the tags of PGN games, or a table of pairs as CSV."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.ratings.bradley_terry import PairCount
from tournaments.ratings.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_MOST_NAME = 200
_ANY_TAG = re.compile(rb'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_TAGS = {b"White": "first", b"First": "first", b"Black": "second", b"Second": "second"}
_TAGS[b"Result"] = "result"
_RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
_COLUMNS = {
    "first": 0, "white": 0, "player1": 0, "second": 1, "black": 1, "player2": 1,
    "wins": 2, "win": 2, "w": 2, "draws": 3, "draw": 3, "d": 3, "losses": 4, "loss": 4, "l": 4,
}  # fmt: skip


class ResultFileError(InputError):
    """A file of results makes no sense; the message names the line."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a file holds: counts of ordered pairs, and how many games had no result."""

    counts: tuple[PairCount, ...]
    unfinished: int = 0


def read(path: Path) -> Results:
    """The results in `path`, a PGN file if its name ends so, else CSV.

    UTF-8, or Latin-1 where it is not.

    Raises:
        ResultFileError: with the line where the file makes no sense, or that there is no game in
            it.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        if path.suffix.lower() == ".pgn":
            results = _pgn(file)
        else:
            results = _table(_decoded(line) for line in file)
    if not results.counts:
        raise ResultFileError(f"{path.name}: no game with a result")
    return results


def _decoded(line: bytes) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    if "\0" in text:
        raise ResultFileError("not a text file")
    return text.removeprefix("\ufeff")


def _pgn(lines: Iterable[bytes]) -> Results:
    """Counts from the tags alone: the moves are not read.

    A tag after an empty line or a move begins a game.
    """
    sums: Counter[tuple[str, str, str]] = Counter()
    tags: dict[str, str] = {}
    is_open, number = False, 0
    for number, line in enumerate(lines, start=1):
        match = _ANY_TAG.match(line) if line[:1] == b"[" else None
        if match is None:
            is_open = False
            continue
        name = _TAGS.get(match[1])
        # Some files have no empty line between games.
        if not is_open or name in tags:
            _close(tags, sums, number)
            tags, is_open = {"": str(number)}, True
        if name is not None:
            tags[name] = _unescaped(match[2])
    _close(tags, sums, number)
    unfinished = sum(count for (*_, result), count in sums.items() if result == "*")
    return Results(tuple(_counts(sums)), unfinished)


def _unescaped(value: bytes) -> str:
    text = _decoded(value)
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def _close(tags: dict[str, str], sums: Counter[tuple[str, str, str]], number: int) -> None:
    """Count the game of `tags`, which ended before line `number`."""
    if not tags:
        return
    try:
        pair, result = (tags["first"], tags["second"]), tags["result"]
        if (*pair, result) not in sums:  # a known line is a right one
            pair = (_name(pair[0]), _name(pair[1]))
            _check_pair(*pair)
            _check_result(result)
    except KeyError as error:
        raise ResultFileError(f"{_where(tags, number)}: a game without {error.args[0]}") from error
    except ResultFileError as error:
        raise ResultFileError(f"{_where(tags, number)}: {error}") from error
    sums[*pair, result] += 1


def _where(tags: dict[str, str], number: int) -> str:
    return f"lines {tags['']} to {number}"


def _counts(sums: Counter[tuple[str, str, str]]) -> Iterator[PairCount]:
    for (first, second, result), count in sums.items():
        if result in _RESULTS:
            results = [0, 0, 0]
            results[_RESULTS[result]] = count
            yield PairCount(first, second, *results)


def _table(lines: Iterator[str]) -> Results:
    """Rows `first,second,wins,draws,losses`; a header may name them in another order."""
    counts = []
    order: Sequence[int] = range(5)
    reader = csv.reader(lines, strict=True)
    try:
        for n, row in enumerate(row for row in reader if any(cell.strip() for cell in row)):
            cells = [cell.strip() for cell in row]
            where = f"line {reader.line_num}"
            if n == 0 and (header := _header(cells)):
                order = header
                continue
            if len(cells) != len(order):
                raise ResultFileError(f"{where}: {len(cells)} cells, not {len(order)}")
            counts.append(_row([cells[order.index(k)] for k in range(5)], where))
    except csv.Error as error:
        raise ResultFileError(f"line {reader.line_num}: {error}") from error
    return Results(tuple(counts))


def _header(cells: list[str]) -> list[int] | None:
    """What each column holds, if the row is a header at all.

    Columns of other names are left alone.
    """
    columns = [_COLUMNS.get(cell.lower(), -1) for cell in cells]
    if any(cell.isdecimal() for cell in cells[2:]):
        return None
    if sorted(column for column in columns if column >= 0) != list(range(5)):
        raise ResultFileError(
            f"line 1: wanted first,second,wins,draws,losses, not {','.join(cells)[:100]!r}"
        )
    return columns


def _row(cells: list[str], where: str) -> PairCount:
    try:
        first, second = map(_name, cells[:2])
        _check_pair(first, second)
    except ResultFileError as error:
        raise ResultFileError(f"{where}: {error}") from error
    for cell in cells[2:]:
        if not (cell.isascii() and cell.isdecimal() and len(cell) <= 12):
            raise ResultFileError(f"{where}: {cell[:60]!r} is no number of games")
    wins, draws, losses = map(int, cells[2:])
    return PairCount(first, second, wins, draws, losses)


def _name(text: str) -> str:
    name = text.strip()
    if not name or len(name) > _MOST_NAME:
        raise ResultFileError(f"a name of {len(name)} characters")
    return name


def _check_result(text: str) -> None:
    if text != "*" and text not in _RESULTS:
        raise ResultFileError(f"result {text[:60]!r}")


def _check_pair(first: str, second: str) -> None:
    if first == second:
        raise ResultFileError(f"{first[:60]!r} against itself")
