"""The audit log: actions of organisers and of the service on an event."""

from __future__ import annotations

from django.db.models import Max

from tournaments import database_time
from tournaments.models import AuditEntry, Event, User
from tournaments.text.audit_log import KINDS


def note(
    action: str,
    *,
    event: Event | None = None,
    actor: User | None = None,
    reason: str = "",
    undoes: AuditEntry | None = None,
    **detail: object,
) -> AuditEntry:
    """Add one entry, in the transaction of the change it tells of.

    An action in an event is of a kind that its log has a sentence for.
    """
    assert event is None or action in KINDS, f"the log has no sentence for {action}"
    return AuditEntry.objects.create(
        event=event,
        actor=actor,
        action=action,
        reason=reason,
        undoes=undoes,
        detail=detail,
        done_at=database_time.now(),
    )


def mark(event: Event) -> int:
    """Return the number of the event's last entry, 0 before the first.

    Equal marks mean that no action happened in between.

    All changes of an event lock its row first, so that entries of one event follow one another.
    """
    return AuditEntry.objects.filter(event=event).aggregate(last=Max("pk"))["last"] or 0
