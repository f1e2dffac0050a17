"""Where dear answers are kept for all processes: in Redis, or without it in files of this machine.

Both are Django's caches, with two changes. What is kept is bytes, which Redis gets as they are: no program but this one
can make a process load an object. And what does not answer is taken for empty: a page is computed again, and nobody
waits for a Redis that is away (`_PAUSE_S` long it is not even asked).
"""

from __future__ import annotations

import pickle
import time
import zlib
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.cache.backends import filebased
from django.core.cache.backends import redis as django_redis
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_PAUSE_S = 5.0


class Bytes:
    """The serializer of what is bytes already."""

    def dumps(self, value: bytes) -> bytes:
        """The value."""
        return value

    def loads(self, value: bytes) -> bytes:
        """The value."""
        return value


class RedisCache(django_redis.RedisCache):
    """Django's, empty while Redis is away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # Once: what Redis does not say at the first try is computed.
        params["OPTIONS"] = {**params["OPTIONS"], "retry": Retry(NoBackoff(), 0)}
        super().__init__(server, params)
        self._silent_until = 0.0

    def _ask(self, act: Callable[[], T], otherwise: T) -> T:
        if time.monotonic() < self._silent_until:
            return otherwise
        try:
            return act()
        except (RedisError, OSError):
            self._silent_until = time.monotonic() + _PAUSE_S
            return otherwise

    def get(self, key: object, default: object = None, version: int | None = None) -> object:
        """What is kept under the key, else `default`."""
        return self._ask(lambda: super(RedisCache, self).get(key, default, version), default)

    def add(
        self, key: object, value: object, timeout: float | None = 300, version: int | None = None
    ) -> bool:
        """Whether nothing was kept, and now this is."""
        return self._ask(lambda: super(RedisCache, self).add(key, value, timeout, version), False)

    def set(
        self, key: object, value: object, timeout: float | None = 300, version: int | None = None
    ) -> None:
        """Keep it."""
        self._ask(lambda: super(RedisCache, self).set(key, value, timeout, version), None)

    def delete(self, key: object, version: int | None = None) -> bool:
        """Whether something was kept, and now nothing is."""
        return self._ask(lambda: super(RedisCache, self).delete(key, version), False)


class FileCache(filebased.FileBasedCache):
    """Django's, empty where a file cannot be read or written."""

    def get(self, key: object, default: object = None, version: int | None = None) -> object:
        """What is kept under the key, else `default`."""
        try:
            return super().get(key, default, version)
        except (OSError, EOFError, zlib.error, pickle.UnpicklingError):
            return default

    def add(
        self, key: object, value: object, timeout: float | None = 300, version: int | None = None
    ) -> bool:
        """Whether nothing was kept, and now this is."""
        try:
            return super().add(key, value, timeout, version)
        except (OSError, EOFError, zlib.error, pickle.UnpicklingError):
            return False

    def set(
        self, key: object, value: object, timeout: float | None = 300, version: int | None = None
    ) -> None:
        """Keep it."""
        try:
            super().set(key, value, timeout, version)
        except OSError:
            return
