"""Titles, sexes and birth dates as files write them, in the form in which entries have them."""

from __future__ import annotations

import re

from tournaments import trf
from tournaments.models.entries import TITLES

LONGEST_TITLE, LONGEST_NATIONAL_ID = 3, 20
# Titles of older reports.
_OLD_TITLES = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
_SEXES = {
    **dict.fromkeys(("m", "male", "männlich"), "m"),
    **dict.fromkeys(("w", "f", "female", "weiblich"), "w"),
}
# A year alone, also with a month and a day that are not known.
_YEAR = re.compile(r"(?P<y>[12]\d{3})(?:[-/.]00[-/.]00)?|00[-/.]00[-/.](?P<year>[12]\d{3})")


def title(text: str) -> str | None:
    """Return a title in capitals, empty without one, None if it is too long or no word."""
    known = _OLD_TITLES.get(text, text.upper())
    if text.strip("-") and not (
        len(known) <= LONGEST_TITLE and known.isascii() and known.isalpha()
    ):
        return None
    return known.strip("-")


def is_title(text: str) -> bool:
    """Return whether the text is a title of FIDE."""
    return title(text) in TITLES


def sex(text: str) -> str | None:
    """Return `m` or `w`, empty without an entry, None if it is neither."""
    return _SEXES.get(text.casefold()) if text.strip("-") else ""


def birth(text: str) -> str | None:
    """Return a birth date as `1990-05-17`, or a year as `1990`; empty without one, None if it cannot be read."""
    if not text.strip("0-/. "):
        return ""
    if match := _YEAR.fullmatch(text):
        return match["y"] or match["year"]
    day = trf.day_of(text)
    return day.isoformat() if day and day.year >= 1000 else None


def report_birth(birth: str, *, is_full: bool) -> str:
    """Return a birth date as report files have it, the year alone unless `is_full`: `1990/05/17`, `1990/00/00`."""
    if not birth:
        return ""
    return birth.replace("-", "/") if is_full and len(birth) > len("1990") else f"{birth[:4]}/00/00"
