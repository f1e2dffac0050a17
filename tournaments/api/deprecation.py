"""Deprecated operations: their declaration, and the headers that tell programs (RFC 9745, RFC 8594)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import http_date

LEAST: Final = timedelta(days=183)


@dataclass(frozen=True, slots=True)
class Deprecated:
    """The end of an operation: it works until the day `sunset`, at least six months after `since`.

    Attributes:
        instead: the operation that replaces it, as a method and a path.
    """

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        assert self.sunset - self.since >= LEAST, "programs have half a year to change"

    @property
    def sentence(self) -> str:
        """Return the deprecation in words, for the document and its page."""
        return f"Deprecated since {self.since}. It ends on {self.sunset}. Use `{self.instead}` instead."


def add_headers(response: HttpResponseBase, deprecated: Deprecated) -> None:
    """Tell programs since when the operation is deprecated and when it ends, with the page about it."""
    response["Deprecation"] = f"@{_timestamp(deprecated.since)}"
    response["Sunset"] = http_date(_timestamp(deprecated.sunset))
    link = f'<{reverse("api-changes", urlconf="config.api_urls")}>; rel="deprecation"; type="text/html"'
    response["Link"] = ", ".join(filter(None, [response.get("Link", ""), link]))


def _timestamp(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
