"""Messages as a worker receives them."""

from __future__ import annotations

from datetime import datetime

from celery.worker import request

from config import broker_time


class Request(request.Request):
    """A message whose moments, which are of Redis' clock, are translated to the clock of this host."""

    @property
    def eta(self) -> datetime | None:
        """The moment before which the task does not begin."""
        return _here(super().eta)

    @property  # type: ignore[misc]  # Celery has a setter, which it does not call
    def expires(self) -> datetime | None:  # type: ignore[override]  # wrong in its stubs
        """The moment after which the task is dropped."""
        return _here(super().expires)


def _here(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment + broker_time.lead_of_host()
