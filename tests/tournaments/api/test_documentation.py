"""The documentation: a whole OpenAPI document, and examples that work as documented."""

from __future__ import annotations

import functools
import html
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from string import Template
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pydantic import BaseModel

from tests.tournaments.api.conftest import program_of, run
from tournaments.api import openapi
from tournaments.api.operations import ROUTES
from tournaments.api.v1 import v1
from tournaments.models import Scope, User

_EXAMPLE = re.compile(r'<code class="example" data-operation="([a-z-]+)">(.*?)</code>', re.S)


@functools.cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = Client().get("/api/v1/openapi.json").json()
    return document


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref":
                yield inner
            else:
                yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def test_the_document_is_openapi_3_1_and_whole(db: None) -> None:
    document = _document()
    assert document["openapi"].startswith("3.1")
    assert {"title", "version"} <= set(document["info"])
    for reference in set(_references(document)):
        target = document
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]


@pytest.mark.parametrize("name", sorted(ROUTES))
def test_every_operation_says_what_it_is(db: None, name: str) -> None:
    rows = {op["operationId"]: (m, p, op) for m, p, op in openapi.operations(_document())}
    method, path, operation = rows[name]
    assert operation["summary"].endswith(".")
    assert operation["tags"]
    assert operation["security"]
    assert operation["x-codeSamples"]
    parts = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
    assert parts == set(re.findall(r"\{(\w+)\}", path))
    statuses = set(operation["responses"])
    assert {"400", "401", "404", "405", "422", "429", "500", "503"} <= statuses
    for status, answer in operation["responses"].items():
        assert "$ref" in answer or status.startswith("2") or status == "304"
    if "application/json" in operation.get("requestBody", {}).get("content", {}):
        body = operation["requestBody"]["content"]["application/json"]
        assert "example" in body
        assert "default" not in body["schema"], "openapi-python-client leaves it out"
    assert sum(status.startswith("2") for status in statuses - {"202"}) == 1
    if method != "get":
        assert {"403", "409", "413", "415"} <= statuses
    if ROUTES[name].scope is not None:
        assert operation["security"] == [{"token": [str(scope)]} for scope in ROUTES[name].scopes]
    assert operation["description"] or operation["summary"]


def test_every_scope_is_explained(db: None) -> None:
    words = _document()["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{scope.value}`" in words for scope in Scope)


@pytest.mark.long
def test_the_examples_of_the_page_do_what_they_say(
    ana: User, values_of: Callable[[str], dict[str, str]]
) -> None:
    page = Client().get("/api/").content.decode()
    examples = dict(_EXAMPLE.findall(page))
    assert set(examples) == set(ROUTES)
    program = program_of(ana)
    statuses = {op["operationId"]: op["responses"] for _, _, op in openapi.operations(_document())}
    for name, example in examples.items():
        words = shlex.split(
            Template(html.unescape(example)).substitute({**values_of(name), "TOKEN": program.token})
        )
        with transaction.atomic():
            response = run(words)
            transaction.set_rollback(True)
        assert str(response.status_code) in statuses[name], (name, words, response.content)
        assert response.status_code < 300, (name, words, response.content)


def test_the_page_has_no_foreign_script(db: None) -> None:
    page = Client().get("/api/")
    assert page.status_code == 200
    assert "//cdn" not in page.content.decode()
    assert re.findall(r"<script[^>]*src=\"([^\"]+)", page.content.decode())[0].startswith(
        "/static/"
    )


def test_the_document_is_that_of_the_code(db: None) -> None:
    assert set(_document()["paths"]) == set(openapi.document(v1)["paths"])


def test_no_two_shapes_have_one_name() -> None:
    """The document would describe one of them by the other."""
    shapes = [
        each
        for module in list(sys.modules.values())
        if module.__name__.startswith("tournaments.api.")
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, BaseModel)
    ]
    ours = {(each.__module__, each.__name__) for each in shapes if "api" in each.__module__}
    names = Counter(name for _module, name in ours)
    assert [name for name, count in names.items() if count > 1] == []


def test_the_document_tells_which_numbers_and_cursors_are_refused(db: None) -> None:
    parameters = [
        parameter
        for _method, _path, operation in openapi.operations(_document())
        for parameter in operation["parameters"]
    ]
    numbers = [
        each
        for each in parameters
        if each["in"] == "path" and each["schema"].get("type") == "integer"
    ]
    assert numbers
    assert [each["name"] for each in numbers if each["schema"]["minimum"] < 0] == []
    cursors = [each["schema"] for each in parameters if each["name"] == "cursor"]
    assert {each["pattern"] for each in cursors} == {"^[A-Za-z0-9_-]*$"}
