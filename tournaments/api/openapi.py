"""The OpenAPI 3.1 document: Ninja's output from the code, with the additions of `operations`."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.utils import translation
from ninja import NinjaAPI

from tournaments.api import callers, uploads
from tournaments.api.operations import ROUTES
from tournaments.api.paging import NDJSON
from tournaments.api.problems import CONTENT_TYPE, STATUSES
from tournaments.models import Scope
from tournaments.text import problems as words
from tournaments.text import refusals

ROOT: Final = "/api/v1"
# The parameters of an address. In examples `{game_id}` is `$GAME`, as a shell has it.
_PART: Final = re.compile(r"\{([a-z]+)(?:_id)?\}")
_VARIABLE: Final = re.compile(r"\$[A-Z]+")
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_CHANGING: Final = {"patch"}
# Files that are answered in their stored form.
_FILES: Final = {"bot-program": uploads.FILE, "bot-transcripts": NDJSON}
_PROBLEM: Final = {
    "type": "object",
    "description": "A problem of RFC 9457.",
    "required": ["type", "title", "status", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string", "description": "The refusal in a sentence for people."},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Code for programs."},
        "detail": {"type": "string"},
        "rule": {"type": "string", "description": "The paragraph that refuses a move."},
        "rule_url": {"type": "string", "format": "uri-reference"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["detail"],
                "properties": {
                    "detail": {"type": "string"},
                    "pointer": {"type": "string", "description": "RFC 6901, into the body."},
                    "parameter": {"type": "string"},
                },
            },
        },
        "policy": {"type": "string", "description": "The limit that is reached."},
        "retry_after_s": {"type": "integer"},
        "request_id": {"type": "string"},
    },
}


@cache
def document(api: NinjaAPI) -> dict[str, Any]:
    """The whole document, in English, made once a process."""
    with translation.override("en"):
        return _whole(api)


def _whole(api: NinjaAPI) -> dict[str, Any]:
    schema: dict[str, Any] = api.get_openapi_schema(path_prefix=f"{ROOT}/")
    schema["info"] |= {
        "description": "Games, players, ratings and events of this site. See /api/.",
        "license": {"name": "MIT", "identifier": "MIT"},
    }
    schema["servers"] = [{"url": settings.SITE_URL}]
    components = schema.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = _PROBLEM
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "An access token. Scopes: "
            + "; ".join(f"`{scope.value}`: {scope.label}" for scope in Scope)
            + ".",
        }
    }
    components["responses"] = {
        f"Problem{status}": _problem(status) for status in (*_STATUSES_OF_ALL, *_MORE_STATUSES)
    }
    for method, path, operation in operations(schema):
        _complete(method, path, operation)
    return schema


def operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each operation of a document: method, path, and the rest."""
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield method, path, methods[method]


def curl(method: str, operation: Mapping[str, Any]) -> str:
    """The example of an operation as a line for a shell, for this site."""
    example = operation["x-example"]
    words = ["curl", "-sS"]
    if method != "get":
        words += ["-X", method.upper()]
    if ROUTES[operation["operationId"]].scope is not None:
        words += ["-H", "Authorization: Bearer $TOKEN"]
    if method in _CHANGING:
        words += ["-H", "If-Match: *"]
    if example["body"].startswith("@"):
        words += ["-H", f"Content-Type: {uploads.FILE}", "--data-binary", example["body"]]
    elif example["body"]:
        words += ["-H", "Content-Type: application/json", "-d", example["body"]]
    words.append(f"{settings.SITE_URL}{ROOT}{example['path']}")
    return " ".join(_quoted(word) for word in words)


_STREAMS: Final = {"stream", "game-stream"}
_MEDIA_TYPES: Final = ("application/x-ndjson", "text/event-stream")
_STATUSES_OF_ALL: Final = (400, 401, 404, 405, 422, 429, 500, 503)
_MORE_STATUSES: Final = (403, 409, 412, 413, 415, 428)


def _complete(method: str, path: str, operation: dict[str, Any]) -> None:
    """Add the common parts of all operations, and the data of the operation's route."""
    route = ROUTES[operation["operationId"]]
    plain = _PART.sub(lambda part: f"${part[1].upper()}", path.removeprefix(ROOT))
    operation["x-example"]["path"] = operation["x-example"]["path"] or plain
    operation["x-limits"] = [limit.name for limit in route.limits]
    token = [{"token": [scope.value]} for scope in route.scopes]
    operation["security"] = token or [{}, {"token": []}]
    _name_headers(method, path, operation)
    content = operation.get("requestBody", {}).get("content", {})
    for each in content.values():
        # The members have their defaults. Generators of clients leave out a body with its own.
        each["schema"].pop("default", None)
    statuses = {*_STATUSES_OF_ALL}
    if route.scope:
        statuses |= {403}
    if method != "get":
        statuses |= {403, 409, 413, 415}
    if method in _CHANGING:
        statuses |= {412, 428}
    for status in sorted(statuses):
        reference = {"$ref": f"#/components/responses/Problem{status}"}
        operation["responses"].setdefault(str(status), reference)
    if method == "get":
        operation["responses"]["304"] = {"description": "You have it already (`If-None-Match`)."}
    operation["responses"] = {str(key): value for key, value in operation["responses"].items()}
    if operation["operationId"] in _STREAMS:
        [content] = operation["responses"]["200"]["content"].values()
        operation["responses"]["200"]["content"] = dict.fromkeys(_MEDIA_TYPES, content)
    _show_examples(operation)
    operation["x-codeSamples"] = [{"lang": "Shell", "source": curl(method, operation)}]


def _show_examples(operation: dict[str, Any]) -> None:
    """Write down the body of the example, and in which other forms an answer comes."""
    body = operation["x-example"]["body"]
    if body and not body.startswith("@"):
        operation["requestBody"]["content"]["application/json"]["example"] = json.loads(
            _VARIABLE.sub("1", body)
        )
    for answer in operation["responses"].values():
        content = answer.get("content", {})
        reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        if reference.startswith("#/components/schemas/Page_"):
            content[NDJSON] = {"schema": {"type": "string", "description": "An item a line."}}
    kind = _FILES.get(operation["operationId"])
    if kind:
        operation["responses"]["200"]["content"] = {kind: {"schema": {"type": "string"}}}
    if operation["operationId"] == "game-record":
        operation["responses"]["200"]["content"]["text/plain"] = {"schema": {"type": "string"}}


def _name_headers(method: str, path: str, operation: dict[str, Any]) -> None:
    parameters = operation.setdefault("parameters", [])
    for parameter in parameters:
        if parameter["in"] == "path" and parameter["schema"].get("type") == "integer":
            # Addresses have digits only.
            parameter["schema"].setdefault("minimum", 0)
    if method == "get":
        parameters.append(_header("If-None-Match", "The ETag of what you have: 304 if it is that."))
    if method == "post":
        parameters.append(_header("Idempotency-Key", "One key has one effect, for a day."))
    if callers.may_be_private(path.removeprefix(ROOT)):
        words = "The access code of a private event."
        parameters.append(_header(callers.CODE_HEADER, words))
        parameters.append(_parameter("query", callers.CODE_PARAMETER, words))
    if method in _CHANGING:
        parameters.append(_header("If-Match", "The ETag of what you have read.", is_required=True))


def _header(name: str, description: str, *, is_required: bool = False) -> dict[str, Any]:
    return _parameter("header", name, description, is_required=is_required)


def _parameter(
    place: str, name: str, description: str, *, is_required: bool = False
) -> dict[str, Any]:
    return {
        "in": place,
        "name": name,
        "required": is_required,
        "description": description,
        "schema": {"type": "string"},
    }


def _problem(status: int) -> dict[str, Any]:
    # For 409 there are only refusals of services.
    code = next((code for code, each in STATUSES.items() if each == status), "moved-on")
    example = {
        "type": f"/api/problems/{code}/",
        "title": refusals.sentence_of(code) if status == 409 else str(words.SENTENCES[code]),
        "status": status,
        "code": code,
        "request_id": "4f4d961e2aba427c8163f281f653affb",
    }
    schema = {"$ref": "#/components/schemas/Problem"}
    answer: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {CONTENT_TYPE: {"schema": schema, "example": example}},
    }
    if status in {429, 503}:
        answer["headers"] = {
            "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}
        }
    return answer


def _quoted(word: str) -> str:
    """Return the word for a shell, which expands words that begin with `$`."""
    if "$" not in word:
        return shlex.quote(word)
    quoted = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
