"""Forms and requests that are sent twice, by a double click or because the first answer was lost, act once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction

from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import FormKey

_LASTS = timedelta(days=1)
# A key whose act has a transaction of its own is held so long; its process is lost if it takes longer.
_HELD = timedelta(minutes=2)


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
        row = _held_row(owner, key, digest)
        if row.digest:
            return row.location
        location = act()
        if location is None:
            row.delete()
        else:
            row.digest, row.location = digest, location
            row.save(update_fields=["digest", "location"])
        return None


def once_apart(*, owner: str, key: str, digest: str, act: Callable[[], str]) -> str | None:
    """The same as `once` for an act that takes long: no transaction is open while `act` runs.

    The key is held before and filled in afterwards; nobody waits for it. A process that is lost in
    between leaves it held for two minutes, and a repetition acts again then: `act` has to be
    something that the database lets happen once.

    Raises:
        StaleError: `form-sent`, `key-busy`.
        Exception: whatever `act` raises; the key is free then.
    """
    with transaction.atomic():
        _require_idle(f"{owner} {key}")
        row = _held_row(owner, key, digest)
    if row.digest:
        return row.location
    # Who took the key over from us has another moment in it.
    own = FormKey.objects.filter(pk=row.pk, digest="", made_at=row.made_at)
    try:
        location = act()
    except BaseException:
        own.delete()
        raise
    own.update(digest=digest, location=location)
    return None


def _held_row(owner: str, key: str, digest: str) -> FormKey:
    """The row of the key, locked: without a digest it is the caller's to act.

    Raises StaleError `form-sent` for a key of something else, `key-busy` while another acts apart.
    """
    now = database_time.now()
    FormKey.objects.bulk_create(
        [FormKey(owner=owner, key=key, digest="", made_at=now)], ignore_conflicts=True
    )
    row = FormKey.objects.select_for_update(no_key=True).get(owner=owner, key=key)
    if row.digest and row.digest != digest:
        raise StaleError("form-sent")
    if not row.digest and row.made_at != now:
        if row.made_at > now - _HELD:
            raise StaleError("key-busy")
        row.made_at = now
        row.save(update_fields=["made_at"])
    return row


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
