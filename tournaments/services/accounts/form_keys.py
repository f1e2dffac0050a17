"""Forms and requests that are sent twice, by a double click or because the first answer was lost, act once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction

from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import FormKey

_LASTS = timedelta(days=1)
# The time for which a key is reserved whose act has its own transaction. A process that takes
# longer is lost.
_HELD = timedelta(minutes=2)


def once(
    *,
    owner: str,
    key: str,
    digest: str,
    act: Callable[[], str | None],
    is_patient: bool = True,
) -> str | None:
    """Return the address to which the form of this key led: by `act` the first time, from memory afterwards.

    `act` runs in the transaction that stores the key: both take effect or neither does. It returns
    an address, empty for an answer without one, or None if it did no work, which is not stored. A
    program's request stores its whole answer instead of an address. One of simultaneous forms acts
    and the others wait for it, unless they are not `is_patient`.

    Returns the stored address, or None when `act` has run.

    Raises:
        StaleError: `form-sent`, the key was used for another request, or `key-busy` for a caller
            that does not wait, on PostgreSQL (SQLite has one writer, for whom all wait).
        Exception: errors of `act`. No key is stored then.
    """
    with transaction.atomic():
        if not is_patient:
            _require_idle(f"{owner} {key}")
        # The insertion waits for another with this key until that is committed or rolled back.
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
    """Do as `once`, for an act that takes long: no transaction is open while `act` runs.

    The key is reserved before and completed afterwards. Others do not wait for it. A process that
    is lost in between leaves it reserved for two minutes, and a repetition acts again then: `act`
    must be an act that the database allows once.

    Raises:
        StaleError: `form-sent`, `key-busy`.
        Exception: errors of `act`. The key is free then.
    """
    with transaction.atomic():
        _require_idle(f"{owner} {key}")
        row = _held_row(owner, key, digest)
    if row.digest:
        return row.location
    # A process that took the key over from us has written another moment.
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
    """Remove keys of forms that will not be sent again."""
    FormKey.objects.filter(made_at__lte=now - _LASTS).delete()
