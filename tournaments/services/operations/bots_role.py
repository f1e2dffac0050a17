"""The database role of workers that run uploaded programs: it cannot read accounts.

A program that left its sandbox would have the rights of its worker. Tables with secrets and private
texts are closed to the role. In the place of accounts it sees a view without passwords and
addresses: its schema comes first in the role's search path.
"""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

from tournaments.models import (
    AccessToken,
    Application,
    Authorization,
    ChatLine,
    ChatReport,
    Email,
    FormKey,
    Grant,
    Guest,
    Introduction,
    Invitation,
    Note,
    PlayerReport,
    PushDevice,
    PushMessage,
    SecurityEvent,
    Session,
    Study,
    Throttle,
    User,
    Webhook,
    WebhookDelivery,
)

# Also the name of the schema with the view.
ROLE: Final = "rayuela_bots"
_CLOSED_MODELS = (
    *(AccessToken, Application, Authorization, Grant, Session, Throttle, FormKey, Guest),
    SecurityEvent,
    *(Webhook, WebhookDelivery, PushDevice, PushMessage, Email),
    *(ChatLine, ChatReport, PlayerReport, Note, Study, Introduction, Invitation),
)
# Tables of Django and django-otp.
_CLOSED_APPS = ("otp_", "auth_", "django_admin_log", "tournaments_user_")
_HIDDEN = ("password", "email")


def renew() -> bool:
    """Give the role its rights on the present tables, and return whether there is such a role.

    To be called by the owner of the tables, after migrations.
    """
    if connection.vendor != "postgresql":
        return False
    accounts = User._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE])
        if cursor.fetchone() is None:
            return False
        columns = [
            each.name for each in connection.introspection.get_table_description(cursor, accounts)
        ]
        tables = ", ".join(map(_quoted, _open_tables()))
        columns_of_view = ", ".join(
            f"''::varchar AS {_quoted(name)}" if name in _HIDDEN else _quoted(name)
            for name in columns
        )
        for statement in (
            f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {ROLE}",
            f"GRANT USAGE ON SCHEMA public TO {ROLE}",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {ROLE}",
            f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {ROLE}",
            f"CREATE SCHEMA IF NOT EXISTS {ROLE}",
            f"DROP VIEW IF EXISTS {ROLE}.{accounts}",
            f"CREATE VIEW {ROLE}.{accounts} AS SELECT {columns_of_view} FROM public.{accounts}",  # noqa: S608 - names of our own
            f"GRANT USAGE ON SCHEMA {ROLE} TO {ROLE}",
            # Not UPDATE: PostgreSQL would write through the view, `is_superuser` among the columns.
            f"GRANT SELECT ON {ROLE}.{accounts} TO {ROLE}",
        ):
            cursor.execute(statement)
    return True


def _open_tables() -> list[str]:
    closed = {model._meta.db_table for model in (*_CLOSED_MODELS, User)}
    return [
        name
        for name in connection.introspection.table_names()
        if name not in closed and not name.startswith(_CLOSED_APPS)
    ]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
