"""The head of a foreign report as settings of an event: place, days, arbiters and times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tournaments import trf
from tournaments.models.event_settings import SETTINGS
from tournaments.models.events import NumberRating
from tournaments.queries.results import report_records


@dataclass(frozen=True, slots=True)
class ForeignHead:
    """The head data of a report. The names are those of the settings.

    Attributes:
        place: `022`.
        federation: `032`, if it is a code of three letters.
        first_day: `042`.
        last_day: `052`, if it is not before the first day.
        chief_arbiter: `102`.
        arbiters: all records `112`, with semicolons between them.
        board_time: `122`.
        number_rating: `172`.
    """

    place: str = ""
    federation: str = ""
    first_day: date | None = None
    last_day: date | None = None
    chief_arbiter: str = ""
    arbiters: str = ""
    board_time: str = ""
    number_rating: str = NumberRating.LIST_FIRST.value


def head_of(report: trf.Report) -> ForeignHead:
    """Return the head of the report, each text as far as its column is long."""
    code = _text(report, "032").upper()
    is_code = len(code) == 3 and code.isascii() and code.isalpha()
    first, last = trf.start_date(report), trf.end_date(report)
    deputies = "; ".join(filter(None, _texts(report, "112")))
    return ForeignHead(
        place=_cut("place", _text(report, "022")),
        federation=code if is_code else "",
        first_day=first,
        last_day=None if first and last and last < first else last,
        chief_arbiter=_cut("chief_arbiter", _text(report, "102")),
        arbiters=_cut("arbiters", deputies),
        board_time=_cut("board_time", _text(report, "122")),
        number_rating=_method(report) or NumberRating.LIST_FIRST.value,
    )


def not_kept(report: trf.Report) -> Iterator[str]:
    """Return the codes of records of the head that have a text, of which nothing is kept."""
    head = head_of(report)
    stored = {
        "032": head.federation,
        "042": head.first_day,
        "052": head.last_day,
        "172": _method(report),
    }
    yield from (code for code, value in stored.items() if _text(report, code) and not value)


def _method(report: trf.Report) -> str:
    """Return the rating for numbers as the setting has it; empty if the file names none that we know."""
    codes = {code: method.value for method, code in report_records.RATING_CODES.items()}
    word = next(iter(_text(report, "172").split()[-1:]), "")
    return codes.get(word.upper(), "")


def _texts(report: trf.Report, code: str) -> list[str]:
    return [" ".join(each.text.split()) for each in report.headers if each.code == code]


def _text(report: trf.Report, code: str) -> str:
    return next(iter(_texts(report, code)), "")


def _cut(name: str, text: str) -> str:
    return text[: SETTINGS[name].longest].strip()
