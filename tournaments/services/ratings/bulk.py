"""Writing of ledger rows and ratings, one game's or thousands, for which `bulk_create` takes twice as long."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, cast

from django.db import connection

from tournaments.models import LedgerEntry, Rating
from tournaments.queries.ratings.ledger_rows import Row
from tournaments.ratings.systems import RatingStanding

_INPUTS, _ENTERED_AT = Row._fields.index("inputs"), Row._fields.index("entered_at")
_PERIOD = Row._fields.index("period")


def insert(rows: Iterable[Row]) -> int:
    """Store the rows in their order, in the caller's transaction, and return their number."""
    table = connection.ops.quote_name(LedgerEntry._meta.db_table)
    columns = ", ".join(connection.ops.quote_name(name) for name in Row._fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A third of the time of INSERT. Django does not translate the errors of a copy.
            copying = cursor.copy(f"COPY {table} ({columns}) FROM STDIN")
            with connection.wrap_database_errors, copying as copy:
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
