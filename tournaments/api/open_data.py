"""The files of open data."""

from __future__ import annotations

from datetime import date, datetime

from django.conf import settings
from django.http.response import HttpResponseBase
from ninja import Query

from tournaments.api import paging, routes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.api.shapes import Shape
from tournaments.models import DataFile
from tournaments.queries import open_data

operations = Operations("Open data")


class OpenFile(Shape):
    """A file of a month. `sha256` and `size_bytes` are of the file as it is sent."""

    name: str
    url: str
    dataset: str
    month: date
    format: str
    rows: int
    size_bytes: int
    sha256: str
    built_at: datetime


@operations.get("/open-data", "open-data", routes.OPEN, answer=Page[OpenFile])
def files(request: ApiRequest, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the files of open data, the latest month first.

    A file is read at its address, or a range of it. The page of open data explains the columns.
    """
    return paging.answer_all(request, [_shape(file) for file in open_data.files()], query)


def _shape(file: DataFile) -> OpenFile:
    url = f"{settings.SITE_URL}{file.get_absolute_url()}"
    return OpenFile.of(file, url=url, format=file.suffix, size_bytes=file.size)
