"""Work whose process has died: it waits before it is tried again, and is given up after three times.

A match, a reply, a check and a forecast count in rows of their own. This is for the rest.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction

from tournaments import database_time
from tournaments.models import LostWork
from tournaments.models.lost_work import MAX_LOSSES

log = logging.getLogger(__name__)

# Before the next try, after the first loss and each that follows. Work that is given up gets a try a
# day: the release of that day may have repaired it.
_PAUSES = (timedelta(seconds=5), timedelta(minutes=1), timedelta(days=1))


def find(kind: LostWork.Kind, key: int | str) -> LostWork | None:
    """Return the losses of this work, or None for work that no process has died of."""
    return LostWork.objects.filter(kind=kind, key=str(key)).first()


def note(kind: LostWork.Kind, key: int | str) -> None:
    """Count the death of a process at this work."""
    now = database_time.now()
    with transaction.atomic():
        row, is_first = LostWork.objects.select_for_update(no_key=True).get_or_create(
            kind=kind, key=str(key), defaults={"losses": 1, "lost_at": now, "due_at": now}
        )
        row.losses += 0 if is_first else 1
        row.lost_at = now
        row.due_at = now + _PAUSES[min(row.losses, len(_PAUSES)) - 1]
        row.save()
    log.error(
        "work.%s kind=%s key=%s losses=%s",
        "given-up" if row.losses >= MAX_LOSSES else "lost",
        kind,
        key,
        row.losses,
    )
