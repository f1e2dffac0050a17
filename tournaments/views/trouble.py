"""Answers when a view fails: for temporary trouble, for faulty requests, and for all other faults."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from django.core.exceptions import RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

# The database is away, a lock did not come, the disk is full.
_PASSING = (OperationalError, InterfaceError)
# A number beyond all columns, a character that no text can hold.
_OF_THE_REQUEST = (DataError, OverflowError, UnicodeEncodeError)
_RETRY_AFTER_S = 2
_MAX_FIELDS, _MAX_LENGTH = 200, 20_000


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the answer to a request that has failed (Django's `handler500`).

    503 with Retry-After for temporary trouble. The page contains the form that was sent, and sends
    it again automatically. 400 for a value that no database can hold. 500 for a fault of the site.
    No answer queries the database.
    """
    error = sys.exc_info()[1]
    if isinstance(error, _PASSING):
        context = {
            "address": request.get_full_path(),
            "is_form": request.method == "POST",
            "fields": list(_fields(request)),
            "retry_after_s": _RETRY_AFTER_S,
        }
        response = HttpResponse(render_to_string("503.html", context), status=503)
        response["Retry-After"] = str(_RETRY_AFTER_S)
        response["Cache-Control"] = "no-store"
        return response
    if isinstance(error, _OF_THE_REQUEST):
        return unreadable()
    return HttpResponse(render_to_string("500.html"), status=500)


def refused_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the answer to a request that Django refuses before any view (its `handler400`).

    413 for a form that is too large, 400 for an unknown host and all other refusals. The pages are
    rendered without the request, because it may have neither account nor session yet.
    """
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("400.html", {"is_too_large": True}), status=413)
    return unreadable()


def unreadable() -> HttpResponse:
    """Return 400: the request contains data that no page can have sent."""
    return HttpResponse(render_to_string("400.html"), status=400)


def _has_secret(request: HttpRequest) -> bool:
    """Return whether a password or a code was sent, which no page repeats."""
    return any("password" in name or name == "code" for name in request.POST)


def _fields(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the form's fields, for its repetition.

    Yield no field of a form with files or secrets, or one too large.
    """
    if request.method != "POST" or request.FILES or _has_secret(request):
        return
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    if len(fields) > _MAX_FIELDS or sum(len(value) for _, value in fields) > _MAX_LENGTH:
        return
    yield from fields
