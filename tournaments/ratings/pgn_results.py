"""Results of the games in a PGN file, from the tags alone: the moves are not read.

A tag after an empty line or a move begins a game.
"""

from __future__ import annotations

import io
import re
from array import array
from collections import Counter
from typing import IO, TYPE_CHECKING

import numpy as np

from tournaments.ratings.errors import ResultFileError
from tournaments.ratings.tally import code_of, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tournaments.ratings.tally import Tally

_ANY_TAG = re.compile(rb'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_TAGS = {b"White": "first", b"First": "first", b"Black": "second", b"Second": "second"}
_TAGS[b"Result"] = "result"
_PIECE = 1 << 20  # bytes
# Games that were read line by line and wait to be added.
_MOST_OTHERS = 200_000

# These check each spelling a single time. The result is read with the second player, because there
# are few pairs of both, and each game then costs one look-up less.
_FIRST = re.compile(rb'"([^"\\\n]*)"\]\r?')
_SECOND = re.compile(_FIRST.pattern + rb"\n\[Result " + _FIRST.pattern)
_OTHER = rb'(?!(?:White|First|Black|Second|Result) )\w++ "[^"\\\n]*+"\]\r?+\n'
# Both players and the result, one after the other. The number of other tags before and behind is
# bounded, because each of them is tried as the first. All begins with the text `\n[`, which is
# found at half of the cost of a beginning of a line.
_USUAL_TAGS = re.compile(
    rb"\n\[(?:" + _OTHER + rb"\[){0,40}+"
    rb"(?:White|First) (.*+)\n\[(?:Black|Second) (.*+\n\[Result .*+)\n"
    rb"(?:\[" + _OTHER + rb"){0,40}+"
)


def read(file: IO[bytes], tally: Tally) -> None:
    """Add the games of the file to the tally.

    Raises:
        ResultFileError: with the lines of a game that makes no sense.
    """
    games = Games(tally)
    for text in _pieces(file):
        games.read(text)
    games.close()


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


class Games:
    """The games read so far, and the tags of the game that may continue.

    Pieces with all tags in the usual form are read by one expression, the others line by line. Both
    count alike.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._others: Counter[int] = Counter()  # games read line by line, by their codes
        self._firsts = _Spellings(_FIRST, tally.number)
        self._seconds = _Spellings(
            _SECOND, lambda name, result: code_of(0, tally.number(name), outcome_of(result))
        )
        self._tags: dict[str, str] = {}
        self._is_open = False
        self._number = 0

    def read(self, text: bytes) -> None:
        """Count the games of the next piece of the file. Raises ResultFileError."""
        if self._is_open or not self._are_usual(text):
            for line in io.BytesIO(text):
                self._read_line(line)
        if len(self._others) > _MOST_OTHERS:
            self._add_others()

    def close(self) -> None:
        """Count the last game. Raises ResultFileError."""
        self._close(before=self._number)
        self._add_others()

    def _add_others(self) -> None:
        self._tally.add(array("q", self._others), array("q", self._others.values()))
        self._others.clear()

    def _are_usual(self, text: bytes) -> bool:
        """Count the games of a piece if all their tags are in the usual form and make sense, else return False."""
        parts = _USUAL_TAGS.split(b"\n" + text)
        between, firsts, seconds = parts[::3], parts[1::3], parts[2::3]
        # The text between the games must not hold a tag, or a text that looks like a tag. The last
        # game must be over.
        if b"\n[" in b"\n".join((b"", *between)) or not between[-1]:
            return False
        try:
            first = np.array([*map(self._firsts.__getitem__, firsts)], np.int64)
            second = np.array([*map(self._seconds.__getitem__, seconds)], np.int64)
        except ResultFileError:
            return False  # line by line it is refused with its lines
        if (first == second >> 2).any():
            return False
        if firsts:
            self._close(before=self._number + between[0].count(b"\n") + 1)
        self._tally.add(code_of(first, 0, 0) + second, np.ones_like(first))
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
            code = self._code(tags["first"], tags["second"], tags["result"])
        except KeyError as error:
            raise ResultFileError(
                f"{_where(tags, before)}: a game without {error.args[0]}"
            ) from error
        except ResultFileError as error:
            raise ResultFileError(f"{_where(tags, before)}: {error}") from error
        self._others[code] += 1

    def _code(self, first: str, second: str, result: str) -> int:
        return code_of(*self._tally.pair(first, second), outcome_of(result))


class _Spellings(dict[bytes, int]):
    """Numbers by the text of tags as the file spells it, from the first quotation mark on."""

    def __init__(self, expression: re.Pattern[bytes], number_of: Callable[..., int]) -> None:
        self._expression = expression
        self._number_of = number_of

    def __missing__(self, text: bytes) -> int:
        plain = self._expression.fullmatch(text)
        if plain is None:
            raise ResultFileError("escapes, or no tag")
        number = self[text] = self._number_of(*map(decoded, plain.groups()))
        return number


def _where(tags: Mapping[str, str], number: int) -> str:
    return f"lines {tags['']} to {number}"


def _unescaped(value: bytes) -> str:
    text = decoded(value)
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def decoded(value: bytes) -> str:
    """Return the text, which is UTF-8, or Latin-1 if it is not UTF-8.

    Raises ResultFileError if it is not of a text file.
    """
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    if "\0" in text:
        raise ResultFileError("not a text file")
    return text.removeprefix("\ufeff")
