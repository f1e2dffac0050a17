"""An event over the board, and its organiser's actions."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from tests.tournaments import over_board
from tournaments.models import Event, Round, User


@pytest.fixture
def board_event(ana: User) -> Callable[..., Event]:
    """Makes events of Ana's over the board, as `over_board.event_of` does."""
    return functools.partial(over_board.event_of, ana)


@pytest.fixture
def enter_listed() -> Callable[..., None]:
    return over_board.enter_listed


@pytest.fixture
def next_round() -> Callable[[Event], Round]:
    return over_board.next_round


@pytest.fixture
def type_results() -> Callable[..., None]:
    return over_board.type_results


@pytest.fixture
def type_games() -> Callable[..., None]:
    return over_board.type_games


@pytest.fixture
def close() -> Callable[[Event], Round]:
    return over_board.close
