"""Common rows of all tests of a file, created once for the file.

A file with such rows has a fixture `rows_of_file` of module scope that asks for
`transaction_of_file` and creates them, such as `of_bots` makes. A test gets its own copy of them (`rows`), or a part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tournaments.models import Event, Player, User
from tournaments.services.accounts import players


@dataclass
class EventRows:
    """An organiser, players, and their event."""

    ana: User
    entrants: list[Player]
    event: Event


def of_bots(names: Sequence[str], make: Callable[[User, list[Player]], Event]) -> Any:
    """A fixture `rows_of_file`: the event that `make` returns for Ana and bots without an author with these names."""
    return _fixture(make, lambda: [players.add_bot(name=name, engine="random") for name in names])


def of_people(names: Sequence[str], make: Callable[[User, list[Player]], Event]) -> Any:
    """A fixture `rows_of_file`: the event that `make` returns for Ana and people with these names."""
    return _fixture(make, lambda: [_user(name).player for name in names])


def _fixture(
    make: Callable[[User, list[Player]], Event], entrants: Callable[[], list[Player]]
) -> Any:
    @pytest.fixture(scope="module")
    def rows_of_file(transaction_of_file: None) -> EventRows:
        ana = _user("Ana")
        others = entrants()
        return EventRows(ana, others, make(ana, others))

    return rows_of_file


def _user(name: str) -> User:
    return players.sign_up(name=name, password="rayuela-1963")


def part(attribute: str = "") -> Any:
    """A fixture: this attribute of the test's copy of the rows, or the copy itself."""

    @pytest.fixture
    def of_rows(rows: object) -> object:
        return getattr(rows, attribute) if attribute else rows

    return of_rows
