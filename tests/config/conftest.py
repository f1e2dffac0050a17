"""The embedded broker on a file of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection

import config.broker  # noqa: F401 - registers the transport


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "queue.sqlite3")


@pytest.fixture
def connection(path: str) -> Iterator[Connection]:
    with Connection("sqlitefile://embedded", transport_options={"path": path}) as kombu_connection:
        yield kombu_connection
