"""Confirmations to people, compared with the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tests import processes
from tests.faults.installation import Installation
from tests.faults.people import Table

_GOES_ON_WITHIN_S = 60.0


def assert_nothing_lost(installation: Installation, tables: Sequence[Table]) -> None:
    """Assert `assert_moves_stored`, and that the people's games have only ended by the rules."""
    assert_moves_stored(installation, tables)
    query = "SELECT id, ending FROM tournaments_game WHERE result IS NOT NULL"
    own = {table.pk for table in tables}
    over = {pk: ending for pk, ending in installation.rows(query) if pk in own}
    assert over == {table.pk: "rules" for table in tables if table.is_over}


def assert_moves_stored(installation: Installation, tables: Sequence[Table]) -> None:
    """Each confirmed move is a row once, and no row is without one."""
    stored: dict[object, list[object]] = defaultdict(list)
    query = "SELECT game_id, number, move FROM tournaments_ply ORDER BY game_id, attempt, number"
    for game, number, move in installation.rows(query):
        stored[game].append((number, move))
    for table in tables:
        assert not table.refusals, table.refusals
        assert stored[table.pk] == list(enumerate(table.acknowledged, 1)), table.pk


def assert_games_go_on(tables: Sequence[Table], since: float) -> None:
    """Every game that is not over has had a confirmed move since `since`, within a minute of it."""
    processes.until(
        lambda: all(table.is_over or table.refusals or table.moved_at > since for table in tables),
        patience_s=_GOES_ON_WITHIN_S,
    )


def assert_anybody_goes_on(tables: Sequence[Table], since: float) -> None:
    """Some move has been confirmed after `since`, within a minute of it."""
    processes.until(
        lambda: (
            any(table.moved_at > since for table in tables)
            or all(table.is_over or table.refusals for table in tables)
        ),
        patience_s=_GOES_ON_WITHIN_S,
    )


def assert_data_holds(installation: Installation) -> None:
    """Assert everything that `check_data` proves."""
    installation.manage("check_data", "--all")
