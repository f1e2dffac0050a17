"""Open data: the list of files with their columns, each file or a range of it, and the digests."""

from __future__ import annotations

import re
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import condition, require_safe

from tournaments.models import DataFile
from tournaments.queries import open_data as datasets
from tournaments.services import open_data

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
# A month can be built again by an operator.
_KEPT_S = 3600


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All files, the latest month first, and the meaning of each column."""
    files = datasets.files()
    context = {
        "months": [(month, list(some)) for month, some in groupby(files, lambda file: file.month)],
        "datasets": datasets.DATASETS.values(),
        "licence": datasets.LICENCE,
    }
    return render(request, "bots/open_data.html", context)


@require_safe
def digests(request: HttpRequest) -> HttpResponse:
    """The digest of each file, as `sha256sum --check` reads them."""
    lines = "".join(f"{file.sha256}  {file.name}\n" for file in datasets.files())
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


def _etag(_request: HttpRequest, name: str) -> str:
    return f'"{_file(name).sha256}"'


@require_safe
@condition(etag_func=_etag)
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file, or the range of it that is asked for (RFC 9110 14)."""
    stored = _file(name)
    span = _span(request, stored)
    start, end = span or (0, stored.size)
    if start >= end > 0:
        response = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{stored.size}"
        return response
    content = open_data.content(stored, start, end) if request.method == "GET" else ()
    answer = StreamingHttpResponse(
        content, status=206 if span else 200, content_type=open_data.FORMATS[stored.suffix].type
    )
    if span:
        answer["Content-Range"] = f"bytes {start}-{end - 1}/{stored.size}"
    answer["Content-Length"] = str(end - start)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Accept-Ranges"] = "bytes"
    answer["Cache-Control"] = f"public, max-age={_KEPT_S}"
    return answer


def _file(name: str) -> DataFile:
    for each in datasets.files():
        if each.name == name:
            return each
    raise Http404


def _span(request: HttpRequest, file: DataFile) -> tuple[int, int] | None:
    """Return the first byte of the range that is asked for and the one behind it, or None for the whole.

    The first is not before the other if the file has no such range.
    """
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    tag = f'"{file.sha256}"'
    if match is None or request.headers.get("If-Range", tag) != tag:
        return None
    first, last = match.groups()
    if first and last:
        return (int(first), min(int(last) + 1, file.size)) if int(first) <= int(last) else None
    if first:
        return int(first), file.size
    return (max(file.size - int(last), 0), file.size) if last else None
