"""Values that a process keeps until there is news of any topic, such as the front page of visitors."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.conf import settings
from django.core.cache import cache

from tournaments.services.notifications import news

T = TypeVar("T")

# Facts without news, such as the time since a game ended, are right after this number of seconds.
_LASTS_S = 10


@dataclass(frozen=True, slots=True)
class _Earlier(Generic[T]):
    """A value, the last news before it, and when it was made by this process's clock."""

    last_news: int
    made_at_s: float
    value: T


def recall(key: str, make: Callable[[], T], *, keeps: Callable[[], bool] = lambda: True) -> T:
    """Return the value of the key if there is no news since, or make it.

    Values are made once in `NEWS_LAG_S` at most, and every ten seconds at least. `keeps` is called after
    `make` and says whether the process keeps the new value. The value must be one that pickle copies.
    """
    earlier: _Earlier[T] | None = cache.get(key)
    age_s = 0.0 if earlier is None else time.monotonic() - earlier.made_at_s
    if earlier is not None and age_s < settings.NEWS_LAG_S:
        return earlier.value
    last_news = news.latest()
    if earlier is not None and earlier.last_news == last_news and age_s < _LASTS_S:
        return earlier.value
    value = make()
    if keeps():
        cache.set(key, _Earlier(last_news, time.monotonic(), value), _LASTS_S)
    return value
