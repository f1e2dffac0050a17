"""Celery's beat: one of several that are started sends the ticks, and another takes over when its host fails."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from celery.beat import Scheduler
from django.conf import settings

# Period in which a beat without a lease asks for it, and the period in which a beat with a lease
# prolongs it.
_ASK_AGAIN_S, _PROLONG_S = 2.0, 5.0
# Celery counts 10 ms less than remain, and calls without a pause until they are over.
_LEAST_S = 0.01


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

    def setup_schedule(self) -> None:
        """Read the schedule, with a clock that cannot be set.

        A host whose clock was set back by ten minutes sent no tick for as long, and kept the lease.
        """
        super().setup_schedule()
        for entry in self.schedule.values():
            assert entry.schedule is not None, "every entry of the settings has a period"
            entry.schedule.nowfun = _since_boot  # type: ignore[attr-defined]  # missing in its stubs
            entry.last_run_at = _since_boot()

    def tick(self, *args: Any, **kwargs: Any) -> float:  # noqa: ANN401 - as Celery's
        """Send the due tasks, and return the seconds until the next call."""
        if self._lease is not None and not self._lease.hold():
            return _ASK_AGAIN_S
        return min(max(float(super().tick(*args, **kwargs)), _LEAST_S), _PROLONG_S)


def _since_boot() -> datetime:
    return datetime.fromtimestamp(time.monotonic(), UTC)
