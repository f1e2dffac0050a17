"""Fields of a fixed-width line: read with the column in every error."""

from __future__ import annotations

from typing import NamedTuple

from tournaments.trf.errors import BadReportError

MAX_ID = 9999
MAX_ROUNDS = 999
# The field has four columns. No tournament has more points than that.
_MAX_HALVES = 19999


class Line(NamedTuple):
    """A line of the file. Columns count from 1, as in the standard."""

    number: int
    text: str

    def at(self, first: int, last: int | None = None) -> str:
        """Return the text between two columns, both in it, without the blanks around."""
        return self.text[first - 1 : first if last is None else last].strip()

    def error(self, column: int, reason: str) -> BadReportError:
        """Return the error to raise about that column."""
        return BadReportError(self.number, column, reason)

    def integer(self, first: int, last: int, *, most: int) -> int | None:
        """Return the whole number between two columns, or None when they are blank."""
        text = self.text[first - 1 : last].strip()
        if not text:
            return None
        if not (text.isascii() and text.isdigit()) or (number := int(text)) > most:
            raise self.error(first, f"{text[:20]!r} is no whole number up to {most}")
        return number

    def required(self, first: int, last: int, *, most: int, what: str) -> int:
        """Return the number in these columns. Blanks are an error."""
        number = self.integer(first, last, most=most)
        if number is None:
            raise self.error(first, f"{what} is missing")
        return number

    def halves(self, first: int, last: int) -> int | None:
        """Points between two columns, in half points, or None when they are blank."""
        text = self.at(first, last)
        return halves(self, first, text) if text else None

    def words(self, first: int) -> list[tuple[int, str]]:
        """Return the words from a column on, each with its own column."""
        words: list[tuple[int, str]] = []
        column = first
        for part in self.text[first - 1 :].split(" "):
            if part:
                words.append((column, part))
            column += len(part) + 1
        return words

    def require_blank(self, *columns: int) -> None:
        """Refuse text in these columns, between two fields: digits there belong to one of them."""
        for column in columns:
            if self.at(column):
                raise self.error(column, f"{self.at(column)!r} stands between two fields")

    def ids(self, first: int) -> tuple[int, ...]:
        """Player ids in fields of four columns with one blank between, from a column on."""
        ids = []
        for column in range(first, len(self.text) + 1, 5):
            self.require_blank(column + 4)
            number = self.integer(column, column + 3, most=MAX_ID)
            if number is not None:
                ids.append(number)
        return tuple(ids)

    def free_ids(self, first: int) -> tuple[int, ...]:
        """Player ids as words."""
        return tuple(word_integer(self, column, word) for column, word in self.words(first))


def word_integer(line: Line, column: int, word: str, *, most: int = MAX_ID) -> int:
    """Return a word as a whole number."""
    if not (word.isascii() and word.isdigit() and len(word) < 9) or int(word) > most:
        raise line.error(column, f"{word[:20]!r} is no whole number up to {most}")
    return int(word)


def halves(line: Line, column: int, text: str) -> int:
    """Decimal points as half points: `1.5` is 3. A comma serves too."""
    whole, point, fraction = text.replace(",", ".").partition(".")
    digits = (whole or "0") + (fraction or "0")
    if not (digits.isascii() and digits.isdigit() and len(text) < 9) or not (whole or fraction):
        raise line.error(column, f"{text[:20]!r} is no number of points")
    if (fraction or "0").rstrip("0") not in ("", "5"):
        raise line.error(column, f"{text!r} is no multiple of half a point")
    result = 2 * int(whole or "0") + (1 if fraction.rstrip("0") == "5" and point else 0)
    if result > _MAX_HALVES:
        raise line.error(column, f"{text!r} points are too many")
    return result
