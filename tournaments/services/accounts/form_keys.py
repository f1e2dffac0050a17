"""Forms and requests that are sent twice, by a double click or because the first answer was lost, act once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction

from tournaments.models import FormKey
from tournaments.services import database_time
from tournaments.services.errors import StaleError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

_LASTS = timedelta(days=1)


def once(
    *,
    owner: str,
    key: str,
    digest: str,
    act: Callable[[], str | None],
    is_patient: bool = True,
) -> str | None:
    """Where the form of this key led: by `act` the first time, as it is remembered afterwards.

    `act` runs in the transaction that keeps the key: both are there, or neither. It returns an
    address, empty for an answer without one, or None when nothing was done, which is not kept. A
    program's request keeps its whole answer in the place of an address. Of forms at one moment one
    acts and the others wait for it, unless they are not `is_patient`.

    Returns the address that was remembered, None when `act` has run.

    Raises:
        StaleError: `form-sent`, the key was used for something else; `key-busy` for who does not
            wait, on PostgreSQL (SQLite has one writer, for whom all wait).
        Exception: whatever `act` raises; nothing is kept then.
    """
    with transaction.atomic():
        if not is_patient:
            _require_idle(f"{owner} {key}")
        # The insertion waits for another of the same key until that is committed or rolled back.
        FormKey.objects.bulk_create(
            [FormKey(owner=owner, key=key, digest="", made_at=database_time.now())],
            ignore_conflicts=True,
        )
        row = FormKey.objects.select_for_update(no_key=True).get(owner=owner, key=key)
        if row.digest:
            if row.digest != digest:
                raise StaleError("form-sent")
            return row.location
        location = act()
        if location is None:
            row.delete()
        else:
            row.digest, row.location = digest, location
            row.save(update_fields=["digest", "location"])
        return None


def _require_idle(name: str) -> None:
    """Hold the name until the transaction ends. Raises StaleError `key-busy`."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        row = cursor.fetchone()
    assert row is not None, "a SELECT of one value"
    if not row[0]:
        raise StaleError("key-busy")


def forget_old(now: datetime) -> None:
    """Remove keys of forms that nobody sends again."""
    FormKey.objects.filter(made_at__lte=now - _LASTS).delete()
