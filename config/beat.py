"""Celery's beat: one of several that are started sends the ticks, and another takes over when its host fails."""

from __future__ import annotations

from typing import Any

from celery.beat import Scheduler
from django.conf import settings

# Period in which a beat without a lease asks for it, and the period in which a beat with a lease
# prolongs it.
_ASK_AGAIN_S, _PROLONG_S = 2.0, 5.0


class ForgetfulScheduler(Scheduler):
    """A beat scheduler without a file: ticks look for due rows, so a restart loses no work.

    With Redis it sends only while it has the lease. Without Redis, there is one machine and one
    beat.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Celery's
        super().__init__(*args, **kwargs)
        self._lease = None
        if settings.REDIS_URL:
            # The client of Redis takes 0.1 s to import, which every start without Redis saves.
            from config.lease import Lease

            self._lease = Lease(settings.REDIS_URL)

    def tick(self, *args: Any, **kwargs: Any) -> float:  # noqa: ANN401 - as Celery's
        """Send the due tasks, and return the seconds until the next call."""
        if self._lease is not None and not self._lease.hold():
            return _ASK_AGAIN_S
        return min(float(super().tick(*args, **kwargs)), _PROLONG_S)
