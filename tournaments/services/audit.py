"""Notes what organisers and the service did to an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from tournaments.models import AuditEntry

if TYPE_CHECKING:
    from tournaments.models import Event, User


def note(
    action: str, *, event: Event | None = None, actor: User | None = None, **detail: object
) -> None:
    """Add one entry, in the transaction of the change it tells of."""
    AuditEntry.objects.create(
        event=event, actor=actor, action=action, detail=detail, done_at=timezone.now()
    )
