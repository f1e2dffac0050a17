"""The bus of a site with Redis; `tournaments.live` says what a bus is for."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import redis
import redis.asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry

from tournaments.courier import courier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

log = logging.getLogger(__name__)

_CHANNEL = "rayuela:live"


class RedisBus:
    """Redis pub/sub, for several web processes and hosts.

    Redis may vanish and come back at any moment.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        # Without these a publish into a vanished Redis would hold the courier for many seconds.
        self._client = redis.Redis.from_url(
            url, socket_timeout=0.5, socket_connect_timeout=0.5, retry=Retry(NoBackoff(), 0)
        )

    def publish(self, seqs: Mapping[str, int]) -> None:
        """Have it published soon; an unreachable Redis is logged and forgotten."""
        courier.send(partial(self._client.publish, _CHANNEL, json.dumps(dict(seqs))))

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Subscribe and read until cancelled.

        Connects again after a second whenever Redis is lost.
        """
        while True:
            try:
                await self._listen_once(callback)
            except (redis.RedisError, OSError) as error:
                log.warning("live.listen error=%s", error)
                await asyncio.sleep(1)

    async def _listen_once(self, callback: Callable[[str, int], None]) -> None:
        client = redis.asyncio.Redis.from_url(self._url, health_check_interval=10)
        async with client, client.pubsub() as pubsub:
            await pubsub.subscribe(_CHANNEL)
            async for message in pubsub.listen():
                if message["type"] == "message":
                    for topic, seq in json.loads(message["data"]).items():
                        callback(topic, seq)


def is_reachable(url: str) -> bool:
    """Return whether the Redis at `url` answers within half a second."""
    try:
        with _asking(url) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def time_of(url: str) -> datetime | None:
    """Return the present moment by the clock of the Redis at `url`, or None if it is away."""
    try:
        with _asking(url) as client:
            seconds, microseconds = client.time()
    except (redis.RedisError, OSError):
        return None
    return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=microseconds)


def queue_lengths(url: str, queues: Sequence[str]) -> Mapping[str, int]:
    """Return how many messages wait in each queue of Celery in the Redis at `url`, or nothing if it is away."""
    try:
        with _asking(url) as client:
            pipeline = client.pipeline(transaction=False)
            for queue in queues:
                pipeline.llen(queue)
            return dict(zip(queues, pipeline.execute(), strict=True))
    except (redis.RedisError, OSError):
        return {}


def eviction_policy(url: str) -> str | None:
    """Return the policy of the Redis at `url` for a full memory (`maxmemory-policy`), or None if it is unknown."""
    try:
        with _asking(url) as client:
            return str(client.config_get("maxmemory-policy")["maxmemory-policy"])
    except (redis.RedisError, OSError, LookupError, TypeError):
        return None


def _asking(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url,
        socket_timeout=0.5,
        socket_connect_timeout=0.5,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
