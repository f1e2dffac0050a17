"""For any request, the answer is no fault of the site."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.extent import is_whole
from tests.tournaments.api.conftest import program_of
from tournaments.api import openapi
from tournaments.api.v1 import v1

if TYPE_CHECKING:
    from tests.tournaments.api.conftest import Program
    from tournaments.models import Game, User

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**31, 2**63, 10**400, -1, 0, 1])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["morlox(size=5)", "300+5", "a1", "end", "\x00", "first", "9" * 400]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
_ROWS = list(openapi.operations(openapi.document(v1)))
_READING = [
    row["x-example"]["path"].partition("?")[0] for method, _, row in _ROWS if method == "get"
]
_ACTING = [(method.upper(), row) for method, _, row in _ROWS if method != "get"]
_VARIABLES = (
    "GAME",
    "PLAYER",
    "OPPONENT",
    "CHALLENGE",
    "POOL",
    "LINE",
    "VERSION",
    "BEFORE",
    "SPRT",
    "SUITE",
    "GAUNTLET",
    "REQUEST",
    "BOT",
    "MESSAGE",
    "REPORT",
    "INVITATION",
    "STUDY",
)
# For each of a hundred operations. Each run draws others.
_EXAMPLES = 50 if is_whole() else 3
_LAX = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def program(ana: User) -> Program:
    return program_of(ana)


def names_of(row: Any) -> list[str]:
    """The members that the body of an operation has."""
    if "application/json" not in row.get("requestBody", {}).get("content", {}):
        return []
    schema = row["requestBody"]["content"]["application/json"]["schema"]
    [reference] = schema.get("allOf", [schema])
    shape = reference["$ref"].rpartition("/")[2]
    return list(openapi.document(v1)["components"]["schemas"][shape]["properties"])


def _path(template: str, number: int) -> str:
    for variable in (*_VARIABLES, "EVENT"):
        template = template.replace(f"${variable}", str(number))
    return template


@pytest.mark.parametrize(
    ("method", "row"), _ACTING, ids=lambda v: "" if isinstance(v, str) else v["operationId"]
)
@given(data=st.data())
@_LAX
@pytest.mark.part(0.3)
def test_no_body_breaks_an_operation(
    program: Program, game: Game, method: str, row: Any, data: Any
) -> None:
    members = {name: data.draw(ANYTHING) for name in names_of(row) if data.draw(st.booleans())}
    body = data.draw(st.sampled_from([members, data.draw(ANYTHING)]))
    number = data.draw(st.sampled_from([game.pk, 0, 2**31, 2**63, 10**30]))
    with transaction.atomic():
        response = program(
            method,
            _path(row["x-example"]["path"], number),
            body,
            **{"If-Match": "*", "Idempotency-Key": str(number)},
        )
        transaction.set_rollback(True)
    assert response.status_code < 500, (members, response.content)


@pytest.mark.parametrize("path", _READING)
@given(data=st.data())
@_LAX
@pytest.mark.part(0.3)
def test_no_query_breaks_an_operation(program: Program, game: Game, path: str, data: Any) -> None:
    names = ["limit", "cursor", "family", "size", "player", "since", "q", "pool", "result"]
    query = "&".join(
        f"{name}={quote(str(data.draw(ANYTHING)).encode('utf-8', 'surrogatepass'))}"
        for name in names
        if data.draw(st.booleans())
    )
    number = data.draw(st.sampled_from([game.pk, 0, 2**31, 2**63, 10**30]))
    with transaction.atomic():
        response = program("GET", f"{_path(path, number)}?{query}")
        transaction.set_rollback(True)
    assert response.status_code < 500, (query, response.content)


@pytest.mark.parametrize("key", ["k" * 201, "\udcff", "日本", "\x01"])
def test_no_key_breaks_an_operation(program: Program, game: Game, key: str) -> None:
    text = key.encode("utf-8", "surrogatepass").decode("latin-1")
    response = program("POST", f"/games/{game.pk}/resign", **{"Idempotency-Key": text})
    assert response.status_code in {200, 400}


@pytest.mark.long
def test_large_libraries_are_loaded_by_those_who_use_them_alone() -> None:
    """A worker, a command and a server without Redis, before a request of the API and a forecast, do without."""
    code = (
        "import os, sys, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings';"
        "django.setup(); import config.urls, config.celery, tournaments.tasks, config.middleware;"
        "print({'ninja', 'numpy', 'pydantic', 'redis'} & set(sys.modules))"
    )
    embedded = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=embedded
    )
    assert done.stdout.strip() == "set()"
