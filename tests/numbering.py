"""Numbers of rows in tests: each table starts at another number, drawn from the order's seed.

Otherwise all tables count from 1, so that a test passes that confuses two tables, or that depends on which tests came
before it.
"""

from __future__ import annotations

import random

from django.apps import apps
from django.db import connection
from django.db.models import AutoField, Model

_HIGHEST = 30_000


def scatter(seed: int) -> None:
    """Let each table of the test database continue from a number below 30,000 that `seed` and its name give."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            key = model._meta.pk
            if not isinstance(key, AutoField) or not model._meta.managed or _has_rows(model):
                continue
            table = model._meta.db_table
            start = random.Random(f"{seed} {table}").randrange(1, _HIGHEST)
            if connection.vendor == "sqlite":
                cursor.execute(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, start]
                )
            else:
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, key.column, start]
                )


def _has_rows(model: type[Model]) -> bool:
    return model._default_manager.exists()
