"""Pair counts out of files: the tags of PGN games, or a table of pairs as CSV."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, NamedTuple

from tournaments.ratings.bradley_terry import PairCount
from tournaments.ratings.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_MOST_NAME = 200
_ANY_TAG = re.compile(rb'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_TAGS = {b"White": "first", b"First": "first", b"Black": "second", b"Second": "second"}
_TAGS[b"Result"] = "result"
_PIECE = 1 << 20  # bytes


def _plain_tags(value: bytes) -> bytes:
    """Return an expression for both players and the result, one after the other and with no escapes, as programs write them."""
    tags = (rb"White|First", rb"Black|Second", rb"Result")
    return b"".join(rb"\[(?:%b) \"%b\"\]\r?+\n" % (name, value) for name in tags)


_VALUE = rb'[^"\\\n]*+'
_PLAIN_GAME = re.compile(_plain_tags(rb"(" + _VALUE + rb")"))
# The number of other tags before and behind is bounded, because each of them is tried as the first.
_OTHERS = rb'(?:\[(?!(?:White|First|Black|Second|Result) )\w++ "' + _VALUE + rb'"\]\r?+\n){0,40}+'
_USUAL_TAGS = re.compile(
    rb"^" + _OTHERS + rb"(" + _plain_tags(_VALUE) + rb")" + _OTHERS, re.MULTILINE
)
_RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
_COLUMNS = {
    "first": 0, "white": 0, "player1": 0, "second": 1, "black": 1, "player2": 1,
    "wins": 2, "win": 2, "w": 2, "draws": 3, "draw": 3, "d": 3, "losses": 4, "loss": 4, "l": 4,
}  # fmt: skip


class ResultFileError(InputError):
    """A file of results makes no sense. The message names the line."""


@dataclass(frozen=True, slots=True)
class Results:
    """Content of a file: counts of ordered pairs, and how many games had no result."""

    counts: tuple[PairCount, ...]
    unfinished: int = 0


def read(path: Path) -> Results:
    """Return the results in `path`, a PGN file if its name ends with `.pgn`, else CSV.

    UTF-8, or Latin-1 if it is not UTF-8.

    Raises:
        ResultFileError: with the line if the file makes no sense, or that there is no game in it.
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


def _pgn(file: IO[bytes]) -> Results:
    """Counts from the tags alone: the moves are not read.

    A tag after an empty line or a move begins a game.
    """
    games = _Games()
    for text in _pieces(file):
        games.read(text)
    sums = games.sums()
    unfinished = sum(count for game, count in sums.items() if game.result == "*")
    return Results(tuple(_counts(sums)), unfinished)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of the file, cut after an empty line with a tag behind it, or at least after a line."""
    rest = b""
    while block := file.read(_PIECE):
        text = rest + block + (b"" if b"\n" in block else file.readline())
        # The empty line may have begun in the last block.
        since = max(len(rest) - 3, 0)
        cut = max(text.rfind(b"\n\n[", since) + 2, text.rfind(b"\n\r\n[", since) + 3)
        if cut < 4:
            cut = text.rfind(b"\n", since) + 1
        if cut:
            yield text[:cut]
        rest = text[cut:]
    if rest:
        yield rest


class _Games:
    """The content read so far: the number of games of each kind, and the tags of the game that may continue.

    Pieces with all tags in the usual form are read by one expression, the others line by line. Both
    count alike.
    """

    def __init__(self) -> None:
        self._counts: Counter[bytes | _Game] = Counter()  # by plain tags as they stand, or by game
        self._plain: dict[bytes, _Game] = {}
        self._tags: dict[str, str] = {}
        self._is_open = False
        self._number = 0

    def sums(self) -> dict[_Game, int]:
        """Return the number of games of each kind, in the order of the file, the last one included.

        Raises ResultFileError.
        """
        self._close(before=self._number)
        sums: dict[_Game, int] = {}
        for key, count in self._counts.items():
            game = self._plain[key] if isinstance(key, bytes) else key
            sums[game] = sums.get(game, 0) + count
        return sums

    def read(self, text: bytes) -> None:
        """Count the games of the next piece of the file.

        Raises:
            ResultFileError: with the lines of a game that makes no sense.
        """
        if self._is_open or not self._are_usual(text):
            for line in io.BytesIO(text):
                self._read_line(line)

    def _are_usual(self, text: bytes) -> bool:
        """Count the games of a piece if all their tags are in the usual form and make sense, else return False."""
        between = _USUAL_TAGS.split(text)
        # The text between the games must not hold a tag, or a text that looks like a tag. The last
        # game must be over.
        if b"\n[" in b"\n".join((b"", *between[::2])) or not between[-1]:
            return False
        if len(between) > 1:
            self._close(before=self._number + between[0].count(b"\n") + 1)
        known = len(self._counts)
        self._counts.update(between[1::2])
        try:
            for raw in itertools.islice(reversed(self._counts), len(self._counts) - known):
                assert isinstance(raw, bytes), "these are the new ones"
                self._plain[raw] = _plain_game(raw)
        except ResultFileError:
            return False  # line by line it is refused with its lines
        self._number += text.count(b"\n")
        return True

    def _read_line(self, line: bytes) -> None:
        self._number += 1
        match = _ANY_TAG.match(line) if line[:1] == b"[" else None
        if match is None:
            self._is_open = False
            return
        name = _TAGS.get(match[1])
        # Some files have no empty line between games.
        if not self._is_open or name in self._tags:
            self._close(before=self._number)
            self._tags, self._is_open = {"": str(self._number)}, True
        if name is not None:
            self._tags[name] = _unescaped(match[2])

    def _close(self, *, before: int) -> None:
        """Count the game whose tags were read last: it ended before that line."""
        tags, self._tags = self._tags, {}
        if not tags:
            return
        try:
            game = _Game(tags["first"], tags["second"], tags["result"])
            if game not in self._counts:  # a known one is a right one
                game = _checked(game)
        except KeyError as error:
            raise ResultFileError(
                f"{_where(tags, before)}: a game without {error.args[0]}"
            ) from error
        except ResultFileError as error:
            raise ResultFileError(f"{_where(tags, before)}: {error}") from error
        self._counts[game] += 1


def _where(tags: Mapping[str, str], number: int) -> str:
    return f"lines {tags['']} to {number}"


class _Game(NamedTuple):
    first: str
    second: str
    result: str


def _plain_game(raw: bytes) -> _Game:
    tags = _PLAIN_GAME.match(raw)
    assert tags is not None, "this is a part of the expression that matched"
    return _checked(_Game(*map(_decoded, tags.groups())))


def _checked(game: _Game) -> _Game:
    """Return the game, its names without blanks around them. Raises ResultFileError."""
    first, second = _name(game.first), _name(game.second)
    _check_pair(first, second)
    _check_result(game.result)
    return _Game(first, second, game.result)


def _unescaped(value: bytes) -> str:
    text = _decoded(value)
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def _counts(sums: Mapping[_Game, int]) -> Iterator[PairCount]:
    for (first, second, result), count in sums.items():
        if result in _RESULTS:
            results = [0, 0, 0]
            results[_RESULTS[result]] = count
            yield PairCount(first, second, *results)


def _table(lines: Iterator[str]) -> Results:
    """Return rows `first,second,wins,draws,losses`. A header may name them in another order."""
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
