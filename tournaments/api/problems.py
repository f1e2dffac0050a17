"""Answers to failed requests: problems of RFC 9457, for refusals of services and all other failures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from tournaments.edges import answers
from tournaments.errors import RefusedError, TooManyError, TournamentError
from tournaments.services.accounts import throttles
from tournaments.text import limits as limit_text
from tournaments.text import problems as words
from tournaments.text import refusals

CONTENT_TYPE: Final = "application/problem+json"
STATUSES: Final[Mapping[str, int]] = {
    "malformed": 400,
    "cursor-bad": 400,
    "token-needed": 401,
    "token-refused": 401,
    "scope-needed": 403,
    "forbidden": 403,
    "not-found": 404,
    "method-refused": 405,
    "outdated": 412,
    "too-large": 413,
    "type-refused": 415,
    "invalid": 422,
    "if-match-needed": 428,
    "too-many": 429,
    "failed": 500,
    "away": 503,
}
# For answers that come from below the API: the first code of each status, and `malformed` for the rest.
_CODES = {status: code for code, status in reversed([*STATUSES.items()])}
_RETRY_AFTER_S = 2
V1_ROOT: Final = "/api/v1/"


class ProblemError(Exception):
    """A request that no service has seen. `code` is of `STATUSES`."""

    def __init__(
        self, code: str, detail: str = "", *, errors: Sequence[Mapping[str, str]] = ()
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.errors = errors


class PointedError(Exception):
    """A refusal of a service with the values of the request that it is about, as `errors` of the problem."""

    def __init__(self, refusal: TournamentError, errors: Sequence[Mapping[str, str]]) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.errors = errors


@dataclass(frozen=True, slots=True)
class _Problem:
    status: int
    code: str
    title: str
    detail: str = ""
    more: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def pointer(place: Sequence[object]) -> str:
    """Return the JSON pointer (RFC 6901) into the body."""
    return "#" + "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def of_exception(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the answer to a request that ended with `error`.

    Raise `error` again for a fault of the site.
    """
    return _answer(request, _problem_of(error))


def of_code(request: HttpRequest, code: str) -> HttpResponse:
    """The answer of a code of `STATUSES`."""
    return of_exception(request, ProblemError(code))


def instead_of_page(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, or a problem if a layer below the API has answered with a page."""
    status = response.status_code
    is_ours = response.get("Content-Type", "").startswith(("application/", "text/event-stream"))
    if status < 400 or is_ours:
        return response
    problem = of_code(request, _CODES.get(status, "failed" if status >= 500 else "malformed"))
    for name in ("Allow", "Retry-After"):
        if name in response:
            problem[name] = response[name]
    if not isinstance(response, HttpResponse):
        return problem
    # In place: Django logs each answer of 400 and above once, and would log a second one again.
    response.content = problem.content
    response.status_code = problem.status_code
    response.headers = problem.headers
    response.cookies.clear()
    return response


def in_short(status: int) -> bytes:
    """The body of a problem for an answer from before Django, which knows its status alone."""
    code = _CODES[status]
    body = {
        "type": f"/api/problems/{code}/",
        "title": str(words.SENTENCES[code]),
        "status": status,
        "code": code,
    }
    return json.dumps(body).encode()


def _problem_of(error: Exception) -> _Problem:
    match error:
        case TournamentError():
            return _refusal(error)
        case PointedError():
            return _refusal(error.refusal, error.errors)
        case TooManyError():
            return _too_many(error)
        case ProblemError():
            more = {"errors": list(error.errors)} if error.errors else {}
            return _plain(error.code, error.detail, more)
        case Http404():
            return _plain("not-found")
        case RequestDataTooBig():
            return _plain("too-large")
        case OperationalError() | InterfaceError():
            return _plain("away")
        case DataError() | OverflowError() | UnicodeEncodeError():
            # A number beyond all columns, a character that no text can hold.
            return _plain("malformed")
        case _:
            raise error


def _plain(code: str, detail: str = "", more: Mapping[str, object] | None = None) -> _Problem:
    headers = {}
    if code == "away":
        headers["Retry-After"] = str(_RETRY_AFTER_S)
    if STATUSES[code] == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="rayuela"'
    return _Problem(STATUSES[code], code, str(words.SENTENCES[code]), detail, more or {}, headers)


def _refusal(refusal: TournamentError, errors: Sequence[Mapping[str, str]] = ()) -> _Problem:
    more: dict[str, object] = {"errors": list(errors)} if errors else {}
    if isinstance(refusal, RefusedError) and refusal.rule:
        more |= {"rule": refusal.rule, "rule_url": answers.rule_url(refusal.rule)}
    title, detail = refusals.sentence(refusal), refusals.particulars(refusal)
    return _Problem(answers.status(refusal), refusal.code, title, detail, more)


def _too_many(error: TooManyError) -> _Problem:
    limit = error.limit
    more = {
        "policy": limit.name,
        "quota": throttles.most_of(limit) or limit.most,
        "window_s": int(limit.window.total_seconds()),
        "retry_after_s": error.retry_after_s,
    }
    headers = {"Retry-After": str(error.retry_after_s)}
    detail = str(limit_text.SENTENCES[limit.subject])
    return _Problem(429, "too-many", str(words.SENTENCES["too-many"]), detail, more, headers)


def _answer(request: HttpRequest, problem: _Problem) -> HttpResponse:
    body: dict[str, object] = {
        "type": f"/api/problems/{problem.code}/",
        "title": problem.title,
        "status": problem.status,
        "code": problem.code,
        **({"detail": problem.detail} if problem.detail else {}),
        **problem.more,
        "request_id": request.META.get("REQUEST_ID", ""),
    }
    return HttpResponse(
        json.dumps(body, ensure_ascii=False).encode(errors="replace"),
        status=problem.status,
        content_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store", **problem.headers},
    )
