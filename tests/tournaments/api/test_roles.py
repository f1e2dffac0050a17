"""Answers of each operation to each role, as in `tests/data/roles_api.txt`.

An operation that is not there fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from django.db import transaction

from tests.extent import drawn
from tests.tournaments.api.conftest import EXAMPLE_FILES, Program, program_of
from tournaments.api import openapi
from tournaments.api.operations import ROUTES
from tournaments.api.uploads import FILE
from tournaments.api.v1 import v1
from tournaments.models import User
from tournaments.services.accounts import players

TABLE = Path(__file__).parents[2] / "data" / "roles_api.txt"
# Callers without a token, with an unknown token, without a scope, with a stranger's token, and with
# the player's token.
ROLES = ("anybody", "liar", "reader", "stranger", "player")


def _rows() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, *statuses = line.split()
            assert name not in rows, f"{name} stands there twice"
            assert len(statuses) == len(ROLES), line
            rows[name] = statuses
    return rows


@pytest.fixture
def programs(ana: User) -> Mapping[str, Program]:
    stranger = players.sign_up(name="Stranger", password="rayuela-1963")
    return {
        "anybody": Program(),
        "liar": Program("rayuela_of-nobody"),
        "reader": program_of(ana, "read"),
        "stranger": program_of(stranger),
        "player": program_of(ana),
    }


def _with_values(text: str, values: Mapping[str, str]) -> str:
    for variable, value in values.items():
        text = text.replace(f"${variable}", value)
    return text


def test_every_operation_is_in_the_table_and_no_other() -> None:
    assert set(_rows()) == set(ROUTES)


def test_every_role_gets_what_the_table_says(
    programs: Mapping[str, Program], values_of: Callable[[str], dict[str, str]]
) -> None:
    differences = []
    for method, _path, operation in openapi.operations(openapi.document(v1)):
        name, example = operation["operationId"], operation["x-example"]
        path = _with_values(example["path"], values_of(name))
        headers, raw, body = {"If-Match": "*"}, None, None
        if example["body"].startswith("@"):
            headers["Content-Type"], raw = FILE, EXAMPLE_FILES[example["body"]]
        elif example["body"]:
            body = json.loads(_with_values(example["body"], values_of(name)))
        statuses = zip(ROLES, _rows().get(name, [""] * len(ROLES)), strict=True)
        for role, status in drawn(list(statuses), 0.2):
            with transaction.atomic():
                response = programs[role](method.upper(), path, body, raw, **headers)
                transaction.set_rollback(True)
            if str(response.status_code) != status:
                differences.append(f"{name}: {role} gets {response.status_code}")
    assert not differences, "\n".join(differences)
