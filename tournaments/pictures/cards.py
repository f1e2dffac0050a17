"""Previews of shared pages: a board with some words beside it."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from PIL import ImageFont

from tournaments.pictures import PREVIEW_HEIGHT, PREVIEW_WIDTH, raster

_MARGIN, _BOARD = 40, 550
_TEXT_X = _MARGIN + _BOARD + 44
_TEXT_WIDTH = PREVIEW_WIDTH - _TEXT_X - _MARGIN
_TITLE_PX, _LINE_PX, _BRAND_PX = 54, 34, 40
_TITLE_LINES, _LINES = 4, 5
_PAPER, _INK, _SOFT, _BRAND = "#fbf7ef", "#24232b", "#5f5a6b", "#5a529b"
# Characters that the font lacks.
_UNKNOWN = re.compile("[^ -~\u00a0-\u00ff\u2010-\u2015\u2018-\u201e\u2022\u2026\u2212]")


@dataclass(frozen=True, slots=True)
class Card:
    """A board as SVG, with headings and lines of text. Texts in other scripts than Latin are left out."""

    board: str
    headings: Sequence[str]
    lines: Sequence[str]


def png(card: Card) -> bytes:
    """Return the card as a PNG of its size."""
    return raster.png_bytes(raster.pixels(_svg(card), width=PREVIEW_WIDTH, height=PREVIEW_HEIGHT))


def latin(text: str) -> str:
    """Return `text` without marks that the font lacks, or an empty text if letters are missing too."""
    plain = "".join(
        letter
        if not _UNKNOWN.match(letter)
        else re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFKD", letter))
        for letter in text
    )
    return "" if _UNKNOWN.search(plain) else plain


def _svg(card: Card) -> str:
    place = f'<svg x="{_MARGIN}" y="{_MARGIN}" width="{_BOARD}" height="{_BOARD}" '
    y = _MARGIN + _TITLE_PX
    texts = []
    for size, colour, rows in (
        (_TITLE_PX, _INK, _rows(card.headings, _TITLE_PX)[:_TITLE_LINES]),
        (_LINE_PX, _SOFT, _rows(card.lines, _LINE_PX)[:_LINES]),
    ):
        for row in rows:
            texts.append(_text(row, y, size, colour))
            y += round(size * 1.2)
        y += 12
    brand = _text("Rayuela", PREVIEW_HEIGHT - _MARGIN - 8, _BRAND_PX, _BRAND)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PREVIEW_WIDTH} {PREVIEW_HEIGHT}">'
        f'<rect width="{PREVIEW_WIDTH}" height="{PREVIEW_HEIGHT}" fill="{_PAPER}"/>'
        f"{card.board.replace('<svg ', place, 1)}{''.join(texts)}{brand}</svg>"
    )


def _text(text: str, y: int, size: int, colour: str) -> str:
    return f'<text x="{_TEXT_X}" y="{y}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _rows(texts: Sequence[str], size: int) -> list[str]:
    return [row for text in texts for row in _wrapped(latin(text), size)]


def _wrapped(text: str, size: int) -> Iterator[str]:
    """The words of `text` in rows that fit. A word that is longer than a row is cut."""
    row = ""
    for word in text.split():
        longer = f"{row} {word}" if row else word
        if _width(longer, size) <= _TEXT_WIDTH:
            row = longer
            continue
        if row:
            yield row
        row = _cut(word, size)
    if row:
        yield row


def _cut(word: str, size: int) -> str:
    if _width(word, size) <= _TEXT_WIDTH:
        return word
    while _width(f"{word}…", size) > _TEXT_WIDTH:
        word = word[:-1]
    return f"{word}…"


def _width(text: str, size: int) -> float:
    return _font(size).getlength(text)


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(raster.FONT, size)
