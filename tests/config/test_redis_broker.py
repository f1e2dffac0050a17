"""The transport for Redis when an acknowledgement has no answer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from kombu import Connection, Message, Queue
from redis.exceptions import TimeoutError as RedisTimeoutError

import config.broker  # noqa: F401 - registers the transport

pytestmark = pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs Redis")
_QUEUE = "acknowledged-late"
_PATIENCE_S = 10


@pytest.fixture
def connection() -> Iterator[Connection]:
    with Connection(os.environ["REDIS_URL"]) as connection:
        yield connection
        channel: Any = connection.default_channel
        channel.queue_delete(_QUEUE)


def test_a_consumer_of_one_message_takes_the_next_after_a_silent_acknowledgement(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.SimpleQueue(_QUEUE) as queue:
        for number in range(2):
            queue.put(number)
    channel: Any = connection.channel()
    taken: list[Message] = []
    consumer = connection.Consumer(
        Queue(_QUEUE), channel=channel, on_message=taken.append, prefetch_count=1
    )

    def silent(*_: Any) -> None:
        raise RedisTimeoutError("Timeout reading from socket")

    with consumer:
        connection.drain_events(timeout=_PATIENCE_S)
        with monkeypatch.context() as patch:
            patch.setattr(channel.qos, "_remove_from_indices", silent)
            with pytest.raises(RedisTimeoutError):
                taken[0].ack()
        connection.drain_events(timeout=_PATIENCE_S)
    assert [message.payload for message in taken] == [0, 1]
    taken[1].ack()
