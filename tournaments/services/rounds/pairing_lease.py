"""The right to pair an event's next round: one worker at a time, without a lock while it thinks."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from tournaments import database_time
from tournaments.errors import StaleError
from tournaments.models import Event
from tournaments.services.notifications import news

# A worker without a sign of life for this time is lost, and another may pair the round.
LEASE = timedelta(seconds=60)
# Progress is written and published no more often.
_STEP = timedelta(milliseconds=500)


class Claim:
    """One worker's right to pair the next round of an event."""

    def __init__(self, event_id: int, number: int) -> None:
        self._event_id = event_id
        self._number = number
        self._told_at: datetime = database_time.now()

    def held(self) -> QuerySet[Event]:
        """The event, as long as no other worker has claimed it since."""
        return Event.objects.filter(pk=self._event_id, pairing_claims=self._number)

    def progress(self, done: int, of: int) -> None:
        """Publish that `done` of `of` players have their place, at most twice a second."""
        now = database_time.now()
        if now - self._told_at < _STEP:
            return
        self._told_at = now
        percent = min(99, 100 * done // max(1, of))
        with transaction.atomic():
            self.held().update(pairing_until=now + LEASE, pairing_percent=percent)
            news.announce(news.of_event(self._event_id), "pairing", {"percent": percent})

    def release(self) -> None:
        """Release the claim after success or failure."""
        self.held().update(pairing_until=None, pairing_percent=0)


def is_being_paired(event: Event, now: datetime) -> bool:
    """Return whether a worker has claimed the next round or is about to."""
    is_claimed = event.pairing_until is not None and event.pairing_until > now
    return is_claimed or event.is_draft_requested


def claim(event_id: int) -> Claim:
    """Return the right to pair the event's next round.

    Raises StaleError `being-paired` while another process has it.
    """
    now = database_time.now()
    is_free = Q(pairing_until__isnull=True) | Q(pairing_until__lt=now)
    with transaction.atomic():
        updated_rows = Event.objects.filter(is_free, pk=event_id).update(
            pairing_until=now + LEASE, pairing_percent=0, pairing_claims=F("pairing_claims") + 1
        )
        if updated_rows != 1:
            raise StaleError("being-paired")
        number = Event.objects.values_list("pairing_claims", flat=True).get(pk=event_id)
    return Claim(event_id, number)
