"""The lease of the beat: a key in Redis that expires automatically."""

from __future__ import annotations

import logging

import redis
from redis.backoff import NoBackoff
from redis.exceptions import LockError
from redis.retry import Retry

log = logging.getLogger(__name__)

SECONDS = 15.0


class Lease:
    """The lease that one beat of a site has at a time."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        client = redis.Redis.from_url(
            url, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0)
        )
        self._lock = client.lock("rayuela:beat", timeout=seconds, thread_local=False)

    def hold(self) -> bool:
        """Take or prolong it.

        Return False if another has it, or if Redis is away, and with it the broker.
        """
        try:
            if self._lock.local.token is not None:
                try:
                    return bool(self._lock.reacquire())
                except LockError:  # it has ended, as after a long sleep of this machine
                    self._lock.local.token = None
            return bool(self._lock.acquire(blocking=False))
        except redis.RedisError as error:
            log.warning("beat.lease error=%s", error)
            return False
