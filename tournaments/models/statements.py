"""Statements whose SQL Django writes once in a thread, however often they are sent.

    @statements.query
    def _locked(pk: int) -> QuerySet[Game]:
        return Game.objects.select_for_update(no_key=True).filter(pk=pk)

    game = _locked.one(pk=12)

They are for statements that are sent often, such as those of every move, every pair of bots, every
tick and the usual pages: Django took 0.3 to 0.9 ms of CPU to write one of them, and sending it takes
0.1 (`python -m tests.bench.moves`). The query is still Django's, with its columns, types and models.
The text is kept, so it has to be equal for all values: no `if` on them, no value None, no list of
unknown length.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import BooleanField, Expression, Func, Model, Q, QuerySet
from django.db.models.fields import Field
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")


class _Place(Expression):
    """The place of a value in a statement, and its name. Meanwhile it is its own parameter."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, *_: object) -> Any:  # noqa: ANN401 - it stands among texts and numbers
        return "%s", [self]


class _Text:
    """A statement of one thread's connection, and the use of its values."""

    def __init__(self, compiler: SQLCompiler) -> None:
        self.compiler = compiler
        self.sql, params = compiler.as_sql()
        self._params: list[Any] = [*params]

    def parameters(self, values: Mapping[str, Any]) -> list[Any]:
        adapt = self.compiler.connection.ops.adapt_datetimefield_value
        given = [values[each.name] if isinstance(each, _Place) else each for each in self._params]
        return [adapt(each) if isinstance(each, datetime) else each for each in given]


class _Reading(_Text):
    """A SELECT, and the conversion of its rows to the results of its query set."""

    def __init__(self, query_set: QuerySet[Any], connection: BaseDatabaseWrapper) -> None:
        super().__init__(query_set.query.get_compiler(connection=connection))
        self.is_locking = query_set.query.select_for_update
        select = self.compiler.select
        self._converters = self.compiler.get_converters([each[0] for each in select])
        self._model: type[Model] | None = None
        if query_set._iterable_class is ModelIterable:
            info = self.compiler.klass_info
            first, last = info["select_fields"][0], info["select_fields"][-1] + 1
            self._model, self._columns = info["model"], slice(first, last)
            self._names = [each[0].target.attname for each in select[first:last]]
            self._related = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]  # of Django 6
            self._annotations = self.compiler.annotation_col_map or {}

    def rows(self, rows: Sequence[Any]) -> list[Any]:
        """Return the rows of the cursor as models, or as tuples if the query set has `values_list`."""
        if self._converters:
            rows = [*self.compiler.apply_converters(rows, self._converters)]
        if self._model is None:
            return [tuple(row) for row in rows]
        return [self._instance(row) for row in rows]

    def _instance(self, row: Sequence[Any]) -> Model:
        assert self._model is not None, "see rows"
        alias = self.compiler.connection.alias
        instance = self._model.from_db(alias, self._names, row[self._columns])
        for populator in self._related:
            populator.populate(row, instance)
        for name, column in self._annotations.items():
            setattr(instance, name, row[column])
        return instance


class Query(Generic[Row]):
    """A query whose text is kept: rows are read by `one` and `all`, and changed by `update`."""

    def __init__(self, write: Callable[..., QuerySet[Any]]) -> None:
        self.__doc__ = write.__doc__
        self._write = write
        self._places = {name: _Place(name) for name in inspect.signature(write).parameters}
        # One for each thread, like its connection.
        self._texts = threading.local()

    def one(self, **values: object) -> Row | None:
        """Return the only row, or None. The query selects by a unique key."""
        rows = self.all(**values)
        assert len(rows) <= 1, "by a unique key"
        return rows[0] if rows else None

    def all(self, **values: object) -> list[Row]:
        """All rows."""
        connection = connections[DEFAULT_DB_ALIAS]
        text = cast("_Reading", self._text((), connection))
        # Django makes this check when it writes the statement.
        assert connection.in_atomic_block or not text.is_locking, "a lock needs a transaction"
        with cursor() as reading:
            reading.execute(text.sql, text.parameters(values))
            rows = reading.fetchall()
        return text.rows(rows)

    def update(self, columns: Mapping[str, object], **values: object) -> int:
        """Set the columns to these values, and return the number of rows."""
        connection = connections[DEFAULT_DB_ALIAS]
        text = self._text(tuple(columns), connection)
        new = {f"to {name}": value for name, value in columns.items()}
        with cursor() as writing:
            writing.execute(text.sql, text.parameters({**values, **new}))
            return cast("int", writing.rowcount)

    def _text(self, columns: tuple[str, ...], connection: BaseDatabaseWrapper) -> _Text:
        texts: dict[tuple[str, ...], _Text] = self._texts.__dict__.setdefault("by_columns", {})
        text = texts.get(columns)
        if text is None or text.compiler.connection is not connection:
            text = texts[columns] = self._written(columns, connection)
        return text

    def _written(self, columns: Sequence[str], connection: BaseDatabaseWrapper) -> _Text:
        query_set = self._write(**self._places)
        if not columns:
            return _Reading(query_set, connection)
        query = cast("UpdateQuery", query_set.query.chain(UpdateQuery))
        query.add_update_values({name: _Place(f"to {name}") for name in columns})
        return _Text(query.get_compiler(connection=connection))


def cursor() -> CursorWrapper:
    """Return a cursor for a statement of constant text. PostgreSQL keeps its plan."""
    connection = connections[DEFAULT_DB_ALIAS]
    keeping: Callable[[], CursorWrapper] = getattr(connection, "keeping_cursor", connection.cursor)
    return keeping()


def query(write: Callable[..., QuerySet[Any, Row]]) -> Query[Row]:
    """The query that `write` makes, whose arguments are given by their names when it is sent."""
    return Query(write)


def among(column: str, numbers: Collection[int]) -> Q:
    """Return whether `column` is one of the numbers, which on PostgreSQL are one value.

    A query for 300 rows by their numbers takes 0.7 ms of a processor in place of 1.35, and half of
    the server's time.
    """
    if connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        return Q(**{f"{column}__in": numbers})
    return Q(_AnyOf(column, list(numbers)))


class _AnyOf(Func):
    """The condition that a column is one of the numbers of an array, by PostgreSQL's `ANY`."""

    arity = 1
    output_field = BooleanField()

    def __init__(self, column: str, numbers: list[int]) -> None:
        super().__init__(column)
        self.numbers = numbers

    def as_sql(  # type: ignore[override]  # an array among texts and numbers
        self, compiler: SQLCompiler, *_: object
    ) -> Any:  # noqa: ANN401
        column, _params = compiler.compile(self.source_expressions[0])
        return f"{column} = ANY(%s::bigint[])", [self.numbers]


def insert(rows: Sequence[Model]) -> None:
    """Add one or more rows of one model by one statement. The objects do not get their keys.

    Django took 0.2 to 0.35 ms of CPU to write such a statement.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    model = type(rows[0])
    fields = _fields(model)
    values = [
        field.get_db_prep_save(getattr(row, field.attname), connection)
        for row in rows
        for field in fields
    ]
    with cursor() as writing:
        writing.execute(_insertion(model, len(rows)), values)


@lru_cache
def _fields(model: type[Model]) -> Sequence[Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@lru_cache
def _insertion(model: type[Model], count: int) -> str:
    quoted = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = [quoted(field.column or "") for field in _fields(model)]
    row = f"({', '.join(['%s'] * len(columns))})"
    return (
        f"INSERT INTO {quoted(model._meta.db_table)} ({', '.join(columns)})"  # noqa: S608 - names of models
        f" VALUES {', '.join([row] * count)}"
    )
