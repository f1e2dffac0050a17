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
    """Where the answer to a key is kept.

    Attributes:
        TOGETHER: in the transaction of what the request does.
        APART: before and after it, since it takes long, in transactions of its own, each of which the
            database lets happen once.
        BY_SERVICE: by the operation itself, or nowhere.
    """

    TOGETHER = "together"
    APART = "apart"
    BY_SERVICE = "by-service"


class _FailedError(Exception):
    """Carries the answer to a request that did nothing past the transaction, which is rolled back."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


def key_of(request: HttpRequest) -> str:
    """What stands for the key of the request in 40 characters; empty without one. Raises ProblemError `malformed`."""
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
    """The answer of `act` the first time, and the stored one afterwards. A problem leaves the key to be used.

    `content` is the body of the request. One that `is_apart` has transactions of its own.

    Raises:
        StaleError: `key-busy`, the first one is not answered yet.
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
