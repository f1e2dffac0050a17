"""Fees of entries: paid, not paid, or waived. The public log does not have them."""

from __future__ import annotations

from django.db import transaction

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, User
from tournaments.queries.events import fees
from tournaments.queries.events.staff import Task
from tournaments.services.events import acts


def set_state(*, event_id: int, actor: User, entry_id: int, state: str) -> Entry:
    """Note whether an entry has paid the fee of the event.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `fee-none` without a fee, `fee-state`.
    """
    if state not in Entry.FeeState.values:
        raise RefusedError("fee-state", state[:20])
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.ENTRIES)
        if fees.read(event.fee) is None:
            raise RefusedError("fee-none", event.slug)
        entry = event.entries.contestants().filter(pk=entry_id).first()
        if entry is None:
            raise StaleError("no-such-entry")
        entry.fee_state = state
        entry.save(update_fields=["fee_state"])
        return entry
