"""Rows of the ledger as plain values: thousands of them are made, chained and written together.

A model's instance costs more than all other parts of a row, and `bulk_create` as much again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import date, datetime
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, cast

from django.db import connection

from tournaments.models import LedgerEntry, Rating
from tournaments.ratings.systems import Line, RatingStanding

# A line's columns in a row.
_COLUMNS = {"player": "player_id", "game": "game_id"}
NAMES = {field.name: _COLUMNS.get(field.name, field.name) for field in fields(Line)}
# The facts of a row or a line as a tuple, in one order.
FACTS = tuple(NAMES.values())
facts_of = attrgetter(*NAMES)


class Row(NamedTuple):
    """A row that is not stored yet. The names are those of the columns."""

    pool_id: int
    player_id: int
    game_id: int | None
    side: str
    period: date | None
    seq: int
    kind: str
    revision: int
    reverses_id: int | None
    correction_id: int | None
    before_centielo: int
    delta_centielo: int
    after_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str
    inputs: dict[str, int | str]
    entered_at: datetime
    digest: str = ""


_INPUTS, _ENTERED_AT = Row._fields.index("inputs"), Row._fields.index("entered_at")
_PERIOD = Row._fields.index("period")


def insert(rows: Iterable[Row]) -> int:
    """Store the rows in their order, in the caller's transaction, and return their number."""
    table = connection.ops.quote_name(LedgerEntry._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(name) for name in Row._fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A third of the time of INSERT.
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for values in _values(rows):
                    copy.write_row(values)
            return cast("int", cursor.rowcount)
        places = ", ".join(["%s"] * len(Row._fields))
        statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608 - names of columns
        stored = list(_values(rows))
        cursor.executemany(statement, stored)
        return len(stored)


def write_ratings(pool_id: int, right: Mapping[int, RatingStanding]) -> None:
    """Write these ratings of the players, in the caller's transaction."""
    names = [each.name for each in fields(RatingStanding)]
    columns = ", ".join(f"{connection.ops.quote_name(name)} = %s" for name in names)
    table = connection.ops.quote_name(Rating._meta.db_table)
    statement = f"UPDATE {table} SET {columns} WHERE pool_id = %s AND player_id = %s"  # noqa: S608 - names of columns
    values = []
    for player in sorted(right):
        standing = right[player]
        moment = connection.ops.adapt_datetimefield_value(standing.last_at)
        facts = (moment if name == "last_at" else getattr(standing, name) for name in names)
        values.append((*facts, pool_id, player))
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def _values(rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Yield the rows in the form of the database.

    The rows of one step have one moment and few months.
    """
    moment_of = cache(connection.ops.adapt_datetimefield_value)
    day_of = cache(connection.ops.adapt_datefield_value)
    for row in rows:
        values: list[Any] = list(row)
        values[_INPUTS] = json.dumps(row.inputs) if row.inputs else "{}"
        values[_ENTERED_AT] = moment_of(row.entered_at)
        values[_PERIOD] = day_of(row.period)
        yield values
