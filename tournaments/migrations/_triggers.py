"""SQL of the triggers that keep facts as they are, for SQLite and PostgreSQL alike.

What is guarded, table by table and column by column, stands in the migration that guards it; here
is only how a guard is said to each database. Nothing of the app is imported, so that a migration
does the same for ever, whatever becomes of the models. Add kinds of guards here; never change what
one of them says.

SQLite drops the triggers of a table that Django replaces, which it does for every constraint and for
most changes of a column. A migration of such a table derives from `Migration`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.db import migrations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState

_REFUSED = "USING ERRCODE = 'integrity_constraint_violation'"


class Guard(Protocol):
    """A trigger or two on one table."""

    def sqlite(self) -> dict[str, str]:
        """The SQL that makes each trigger, by the trigger's name."""

    def postgresql(self) -> dict[str, str]:
        """The SQL that makes each trigger, by the trigger's name."""

    @property
    def table(self) -> str:
        """The table without the app's name."""

    @property
    def function(self) -> tuple[str, str]:
        """Name and body of the function that PostgreSQL's triggers call."""


@dataclass(frozen=True)
class AppendOnly:
    """Rows that are added, and neither changed nor removed."""

    table: str

    def sqlite(self) -> dict[str, str]:
        return {
            f"{self.table}_no_{action.lower()}": _sqlite(
                f"{self.table}_no_{action.lower()}",
                f"{action} ON tournaments_{self.table}",
                f"{self.table} is append-only",
            )
            for action in ("UPDATE", "DELETE")
        }

    def postgresql(self) -> dict[str, str]:
        name = f"{self.table}_append_only"
        return {name: _postgresql(name, f"UPDATE OR DELETE ON tournaments_{self.table}", self)}

    @property
    def function(self) -> tuple[str, str]:
        return _APPEND_ONLY


@dataclass(frozen=True)
class Perishable:
    """Rows that are added and not changed, and removed no sooner than `days` after the time in `column`."""

    table: str
    column: str
    days: int

    def sqlite(self) -> dict[str, str]:
        update, delete = (f"{self.table}_no_{action}" for action in ("update", "delete"))
        message = f"{self.table} is append-only"
        young = f"julianday(OLD.{self.column}) > julianday('now') - {self.days}"
        return {
            update: _sqlite(update, f"UPDATE ON tournaments_{self.table}", message),
            delete: _sqlite(delete, f"DELETE ON tournaments_{self.table} WHEN {young}", message),
        }

    def postgresql(self) -> dict[str, str]:
        update, delete = f"{self.table}_append_only", f"{self.table}_no_delete"
        young = f"OLD.{self.column} > clock_timestamp() - interval '{self.days} days'"
        return {
            update: _postgresql(update, f"UPDATE ON tournaments_{self.table}", self),
            delete: _postgresql(delete, f"DELETE ON tournaments_{self.table}", self, when=young),
        }

    @property
    def function(self) -> tuple[str, str]:
        return _APPEND_ONLY


@dataclass(frozen=True)
class Removable:
    """Rows that are added and not changed, and removed only where `permission` holds.

    `permission` is a condition in SQL on OLD. It may look at other tables. The triggers replace those
    of `AppendOnly`.
    """

    table: str
    permission: str
    function_name: str

    def sqlite(self) -> dict[str, str]:
        update, delete = (f"{self.table}_no_{action}" for action in ("update", "delete"))
        message = f"{self.table} is append-only"
        on = f"DELETE ON tournaments_{self.table} WHEN NOT ({self.permission})"
        return {
            update: _sqlite(update, f"UPDATE ON tournaments_{self.table}", message),
            delete: _sqlite(delete, on, message),
        }

    def postgresql(self) -> dict[str, str]:
        name = f"{self.table}_append_only"
        return {name: _postgresql(name, f"UPDATE OR DELETE ON tournaments_{self.table}", self)}

    @property
    def function(self) -> tuple[str, str]:
        # OLD belongs to the same table in both cases.
        return (
            self.function_name,
            f"IF TG_OP = 'DELETE' AND ({self.permission}) THEN RETURN OLD; END IF; {_APPEND_ONLY[1]}",
        )


@dataclass(frozen=True)
class Permanent:
    """Rows that are not removed."""

    table: str

    def sqlite(self) -> dict[str, str]:
        name = f"{self.table}_no_delete"
        on = f"DELETE ON tournaments_{self.table}"
        return {name: _sqlite(name, on, f"{self.table} is append-only")}

    def postgresql(self) -> dict[str, str]:
        name = f"{self.table}_no_delete"
        return {name: _postgresql(name, f"DELETE ON tournaments_{self.table}", self)}

    @property
    def function(self) -> tuple[str, str]:
        return _APPEND_ONLY


@dataclass(frozen=True)
class Fixed:
    """Columns that do not change, and what depends on the row's state.

    `once` is SQL: the columns are free until it holds. `over` is SQL: when it holds, the row does
    not change at all.
    """

    name: str
    table: str
    columns: Sequence[str]
    message: str
    once: str = ""
    over: str = ""
    # PostgreSQL's function of that name says the message; without one, that the table is
    # append-only.
    function_name: str = ""

    def sqlite(self) -> dict[str, str]:
        changed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in self.columns)
        return {
            self.name: _sqlite(
                self.name,
                f"UPDATE ON tournaments_{self.table} WHEN {self._condition(changed)}",
                self.message,
            )
        }

    def postgresql(self) -> dict[str, str]:
        condition = self._condition(_distinct(self.columns))
        return {
            self.name: _postgresql(
                self.name, f"UPDATE ON tournaments_{self.table}", self, when=condition
            )
        }

    def _condition(self, changed: str) -> str:
        if self.once:
            return f"{self.once} AND ({changed})"
        return f"{self.over} OR {changed}" if self.over else changed

    @property
    def function(self) -> tuple[str, str]:
        if not self.function_name:
            return _APPEND_ONLY
        return self.function_name, f"RAISE EXCEPTION '{self.message}' {_REFUSED};"


@dataclass(frozen=True)
class Correctable:
    """Columns that do not change once `once` holds, but for one.

    That one changes where `correction` holds.

    `correction` is a condition in SQL on OLD and NEW. It may look at other tables, which
    PostgreSQL's WHEN may not: there the function does.
    """

    name: str
    table: str
    columns: Sequence[str]
    message: str
    once: str
    column: str
    correction: str
    function_name: str

    def sqlite(self) -> dict[str, str]:
        changed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in self.columns)
        wrong = f"(NEW.{self.column} IS NOT OLD.{self.column} AND NOT {self.correction})"
        on = f"UPDATE ON tournaments_{self.table} WHEN {self.once} AND ({changed} OR {wrong})"
        return {self.name: _sqlite(self.name, on, self.message)}

    def postgresql(self) -> dict[str, str]:
        condition = f"{self.once} AND {_distinct([self.column, *self.columns])}"
        on = f"UPDATE ON tournaments_{self.table}"
        return {self.name: _postgresql(self.name, on, self, when=condition)}

    @property
    def function(self) -> tuple[str, str]:
        wrong = f"({_distinct([self.column])} AND NOT {self.correction})"
        return (
            self.function_name,
            f"IF {_distinct(self.columns)} OR {wrong} THEN "
            f"RAISE EXCEPTION '{self.message}' {_REFUSED}; END IF; RETURN NEW;",
        )


@dataclass(frozen=True)
class Transferable:
    """Columns that do not change once `once` holds, unless `permission` holds for each that does.

    `permission` is a condition in SQL on OLD and NEW, with `{column}` in the place of the column.
    It may look at other tables.
    """

    name: str
    table: str
    columns: Sequence[str]
    message: str
    once: str
    permission: str
    function_name: str

    def sqlite(self) -> dict[str, str]:
        wrong = " OR ".join(
            f"(NEW.{column} IS NOT OLD.{column} AND NOT {self.permission.format(column=column)})"
            for column in self.columns
        )
        on = f"UPDATE ON tournaments_{self.table} WHEN {self.once} AND ({wrong})"
        return {self.name: _sqlite(self.name, on, self.message)}

    def postgresql(self) -> dict[str, str]:
        condition = f"{self.once} AND {_distinct(self.columns)}"
        on = f"UPDATE ON tournaments_{self.table}"
        return {self.name: _postgresql(self.name, on, self, when=condition)}

    @property
    def function(self) -> tuple[str, str]:
        wrong = " OR ".join(
            f"({_distinct([column])} AND NOT {self.permission.format(column=column)})"
            for column in self.columns
        )
        return (
            self.function_name,
            f"IF {wrong} THEN RAISE EXCEPTION '{self.message}' {_REFUSED}; END IF; RETURN NEW;",
        )


_APPEND_ONLY = (
    "rayuela_append_only",
    f"RAISE EXCEPTION '% is append-only', TG_TABLE_NAME {_REFUSED};",
)


def _sqlite(name: str, on: str, message: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {on} BEGIN SELECT RAISE(ABORT, '{message}'); END"


def _postgresql(name: str, on: str, guard: Guard, *, when: str = "") -> str:
    condition = f"WHEN ({when}) " if when else ""
    function, _ = guard.function
    return (
        f"CREATE TRIGGER {name} BEFORE {on} FOR EACH ROW {condition}EXECUTE FUNCTION {function}()"
    )


def _distinct(columns: Sequence[str]) -> str:
    new, old = (", ".join(f"{row}.{column}" for column in columns) for row in ("NEW", "OLD"))
    if len(columns) == 1:
        return f"{new} IS DISTINCT FROM {old}"
    return f"({new}) IS DISTINCT FROM ({old})"


def names(guards: Sequence[Guard], vendor: str) -> set[str]:
    """The names of all triggers of `guards` on the database of that vendor."""
    return {name for guard in guards for name in _triggers(guard, vendor)}


class Migration(migrations.Migration):
    """A migration that restores the triggers of tables that SQLite has replaced."""

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, *rest: bool
    ) -> ProjectState:
        """Apply the operations, then restore the triggers that are gone."""
        with _kept(schema_editor):
            return super().apply(project_state, schema_editor, *rest)

    def unapply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, *rest: bool
    ) -> ProjectState:
        """Take the operations back, then restore the triggers that are gone."""
        with _kept(schema_editor):
            return super().unapply(project_state, schema_editor, *rest)


def _stored(editor: BaseDatabaseSchemaEditor) -> dict[str, str]:
    """The statement of each trigger by its name; on PostgreSQL none, for nothing drops them there."""
    if editor.connection.vendor != "sqlite":
        return {}
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(cursor.fetchall())


@contextmanager
def _kept(editor: BaseDatabaseSchemaEditor) -> Iterator[None]:
    before = _stored(editor)
    # SQLite renames no table while a trigger of another table reads it.
    for name in before:
        editor.execute(f"DROP TRIGGER {name}", params=None)
    yield
    now = _stored(editor)
    for name, statement in before.items():
        if name not in now:
            editor.execute(statement, params=None)


def recreate(editor: BaseDatabaseSchemaEditor, guards: Sequence[Guard]) -> None:
    """Make the triggers of `guards`, in place of those of the same names where there are any."""
    for statement in _statements(guards, editor.connection.vendor):
        editor.execute(statement, params=None)


def drop(editor: BaseDatabaseSchemaEditor, guards: Sequence[Guard]) -> None:
    """Remove the triggers of `guards`.

    A migration must do so before it removes a column that one of them reads.
    """
    vendor = editor.connection.vendor
    for guard in guards:
        for name in _triggers(guard, vendor):
            editor.execute(_drop(name, guard, vendor), params=None)


def _statements(guards: Sequence[Guard], vendor: str) -> Iterator[str]:
    if vendor == "postgresql":
        for function, body in dict(guard.function for guard in guards).items():
            yield (
                f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql "
                f"AS $$ BEGIN {body} END $$"
            )
    for guard in guards:
        for name, statement in _triggers(guard, vendor).items():
            yield _drop(name, guard, vendor)
            yield statement


def _triggers(guard: Guard, vendor: str) -> dict[str, str]:
    return {"sqlite": guard.sqlite, "postgresql": guard.postgresql}[vendor]()


def _drop(name: str, guard: Guard, vendor: str) -> str:
    on = f" ON tournaments_{guard.table}" if vendor == "postgresql" else ""
    return f"DROP TRIGGER IF EXISTS {name}{on}"
