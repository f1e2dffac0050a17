"""Versions of answers: `ETag`, `If-None-Match` and `If-Match` (RFC 9110 section 13)."""

from __future__ import annotations

import hashlib
import json

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from pydantic import BaseModel

from tournaments.api.problems import ProblemError

# The part of an answer that depends on its moment, and not on its object.
_OF_THE_MOMENT = "server_time"


def of_body(body: object) -> str:
    """The strong ETag of a JSON value."""
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name != _OF_THE_MOMENT}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the answer with its ETag, or 304 if the caller has it already."""
    etag = of_body(json.loads(response.content))
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    if "*" in tags or etag in [tag.removeprefix("W/") for tag in tags]:
        response = HttpResponse(status=304)
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Authorization", "Accept"])
    return response


def require(request: HttpRequest, current: BaseModel) -> None:
    """Accept only a change of the version that the caller has read.

    `current` is the present answer for it.

    Raises ProblemError `if-match-needed`, `outdated`.
    """
    header = request.headers.get("If-Match", "")
    if not header:
        raise ProblemError("if-match-needed")
    # Compression turns a strong ETag into a weak one.
    tags = [tag.removeprefix("W/") for tag in parse_etags(header)]
    if "*" not in tags and of_body(current.model_dump(mode="json")) not in tags:
        raise ProblemError("outdated")
