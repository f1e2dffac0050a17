"""Requests that are sent twice act once: `Idempotency-Key` over the keys of the site's forms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from enum import Enum
from typing import Final

from django.http import HttpRequest, HttpResponse

from tournaments.api.problems import ProblemError
from tournaments.errors import RefusedError, StaleError
from tournaments.services.accounts import form_keys

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
MAX_LENGTH: Final = 200
_KEPT_HEADERS = ("Content-Type", "Location")


class Repeats(Enum):
    """The place where the answer to a key is kept.

    Attributes:
        TOGETHER: in the transaction of the request.
        APART: before and after it, since it takes long, in separate transactions, each of which the
            database permits once.
        BY_SERVICE: by the operation itself, or not at all.
    """

    TOGETHER = "together"
    APART = "apart"
    BY_SERVICE = "by-service"


class _FailedError(Exception):
    """An error that carries the answer to a request without effect past the transaction, which is rolled back."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


def key_of(request: HttpRequest) -> str:
    """Return a digest of the request's key in 40 characters, or an empty text without a key.

    Raises ProblemError `malformed`.
    """
    key = request.headers.get(HEADER, "")
    if len(key) > MAX_LENGTH:
        raise ProblemError("malformed", f"{HEADER}: {MAX_LENGTH} characters at most")
    return hashlib.sha256(key.encode()).hexdigest()[:40] if key else ""


def once(
    request: HttpRequest,
    *,
    owner: str,
    content: bytes,
    act: Callable[[], HttpResponse],
    is_apart: bool = False,
) -> HttpResponse:
    """Return the answer of `act` the first time, and the stored one afterwards.

    A problem leaves the key unused.

    `content` is the body of the request. A request that `is_apart` has separate transactions.

    Raises:
        StaleError: `key-busy`, the first request has no answer yet.
        RefusedError: `key-used`, the key came with another request before.
    """
    key = key_of(request)
    if not key:
        return act()
    answers: list[HttpResponse] = []

    def act_once() -> str:
        response = act()
        if response.status_code >= 400:
            raise _FailedError(response)
        answers.append(response)
        return _stored(response)

    words = f"{request.method} {request.get_full_path()} ".encode() + content
    digest = hashlib.sha256(words).hexdigest()
    try:
        if is_apart:
            stored = form_keys.once_apart(owner=owner, key=key, digest=digest, act=act_once)
        else:
            stored = form_keys.once(
                owner=owner, key=key, digest=digest, act=act_once, is_patient=False
            )
    except _FailedError as failure:
        return failure.response
    except StaleError as error:
        if error.code == "form-sent":
            raise RefusedError("key-used") from error
        raise
    return answers[0] if stored is None else _replayed(stored)


def _stored(response: HttpResponse) -> str:
    headers = {name: response[name] for name in _KEPT_HEADERS if name in response}
    return json.dumps([response.status_code, headers, response.content.decode()])


def _replayed(stored: str) -> HttpResponse:
    status, headers, content = json.loads(stored)
    return HttpResponse(content, status=status, headers={**headers, REPLAYED: "true"})
