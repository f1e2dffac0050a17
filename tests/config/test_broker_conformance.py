"""The embedded broker by the cases of kombu's own tests of transports (t/integration/common.py of 5.7.0, BSD).

Left out is what no task uses: priorities, expiry inside the broker (Celery's own is in a header),
fanout, and an event loop. Two tests say that the transport does not pretend to have them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue

from config.broker import Channel  # registers the transport

_HELLO = {"hello": "world"}


def _publish(
    connection: Connection, *queues: Queue, key: str = "", body: object = _HELLO, **options: Any
) -> None:
    """Publish to the exchange of the queues, which are declared first."""
    with connection.channel() as channel:
        producer = Producer(channel, exchange=queues[0].exchange)
        producer.publish(
            body, declare=list(queues), routing_key=key or queues[0].routing_key, **options
        )


def _consumed(connection: Connection, *queues: Queue) -> list[tuple[str, object]]:
    """Return the queue and the body of all messages that come, each acknowledged."""
    got: list[tuple[str, object]] = []

    def take(queue: str) -> Callable[[object, Message], None]:
        def callback(body: object, message: Message) -> None:
            got.append((queue, body))
            message.ack()

        return callback

    consumers = [Consumer(connection, [queue], callbacks=[take(queue.name)]) for queue in queues]
    for consumer in consumers:
        consumer.consume()
    with contextlib.suppress(TimeoutError):
        while True:
            connection.drain_events(timeout=0.05)
    for consumer in consumers:
        consumer.cancel()
    return got


def test_a_connection_opens_again_after_it_was_closed(connection: Connection) -> None:
    for _ in range(2):
        connection.connect()
        assert connection.connection
        assert isinstance(connection.default_channel, Channel)
        connection.close()
        assert connection.connection is None


def test_a_file_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "missing" / "queue.sqlite3")
    with (
        Connection("sqlitefile://embedded", transport_options={"path": path}) as broken,
        pytest.raises(Exception, match="unable to open"),
    ):
        broken.channel()


def test_a_message_brings_its_body_its_type_and_its_headers(connection: Connection) -> None:
    with closing(connection.SimpleQueue("simple")) as queue:
        queue.put(_HELLO, headers={"k1": "v1"})
        message = queue.get(timeout=1)
        assert message.payload == _HELLO
        assert (message.content_type, message.content_encoding) == ("application/json", "utf-8")
        assert message.headers == {"k1": "v1"}
        message.ack()


def test_a_buffer_gives_and_forgets(connection: Connection) -> None:
    with closing(connection.SimpleBuffer("buffer")) as buffer:
        buffer.put(_HELLO)
        assert buffer.get(timeout=1).payload == _HELLO
        with pytest.raises(buffer.Empty):
            buffer.get_nowait()


def test_consumers_of_an_empty_queue_time_out(connection: Connection) -> None:
    assert _consumed(connection, Queue("empty", routing_key="empty")) == []


@pytest.mark.parametrize(
    ("answer", "is_given_again"),
    [
        pytest.param(Message.ack, False, id="acknowledged"),
        pytest.param(Message.reject, False, id="rejected"),
        pytest.param(lambda message: message.reject(requeue=True), True, id="rejected-again"),
        pytest.param(Message.requeue, True, id="requeued"),
    ],
)
def test_the_answer_decides_whether_a_message_comes_again(
    connection: Connection, answer: Callable[[Message], object], is_given_again: bool
) -> None:
    with closing(connection.SimpleQueue("answers")) as queue:
        queue.put(_HELLO)
        answer(queue.get_nowait())
        if is_given_again:
            message = queue.get_nowait()
            assert message.payload == _HELLO
            message.ack()
        with pytest.raises(queue.Empty):
            queue.get_nowait()


def test_a_direct_exchange_delivers_by_the_routing_key(connection: Connection) -> None:
    exchange = Exchange("direct", type="direct")
    first = Queue("first", exchange, routing_key="d1")
    second = Queue("second", exchange, routing_key="d2")
    _publish(connection, first, second, key="d1")
    _publish(connection, first, second, key="d3")  # of no queue: discarded
    assert _consumed(connection, first, second) == [("first", _HELLO)]


def test_a_topic_gives_every_matching_queue_a_message_of_its_own(connection: Connection) -> None:
    exchange = Exchange("topic", type="topic")
    queues = [Queue(f"topic-{key}", exchange, routing_key=key) for key in ("t.*", "#", "t")]
    _publish(connection, *queues, key="t.1")
    got = [_consumed(connection, queue) for queue in queues]
    assert got == [[("topic-t.*", _HELLO)], [("topic-#", _HELLO)], []]


def test_an_exchange_without_queues_loses_the_message(connection: Connection) -> None:
    with connection.channel() as channel:
        Producer(channel, exchange=Exchange("nowhere", type="topic")).publish(_HELLO)
    assert _consumed(connection, Queue("nowhere", routing_key="nowhere")) == []


def test_a_consumer_of_several_queues_takes_them_in_turn(connection: Connection) -> None:
    """A worker of two queues does not work through the first before it begins with the second."""
    queues = [Queue(name, routing_key=name) for name in ("slow", "quick")]
    for number in range(3):
        for queue in queues:
            _publish(connection, queue, body=number)
    names = [name for name, _ in _consumed(connection, *queues)]
    assert sorted(names) == ["quick"] * 3 + ["slow"] * 3
    assert all(len(list(run)) <= 2 for _, run in itertools.groupby(names))


def test_a_purge_empties_one_queue_and_counts(connection: Connection) -> None:
    other, purged = (Queue(name, routing_key=name) for name in ("other", "purged"))
    for queue in (other, purged, purged):
        _publish(connection, queue)
    assert purged(connection.default_channel).purge() == 2
    assert _consumed(connection, purged, other) == [("other", _HELLO)]


def test_a_deleted_queue_has_no_messages(connection: Connection) -> None:
    queue = Queue("deleted", Exchange("deletions", type="direct"), routing_key="deleted")
    _publish(connection, queue)
    queue(connection.default_channel).delete()
    assert _consumed(connection, queue) == []


def test_messages_of_all_priorities_come_in_the_order_of_their_sending(
    connection: Connection,
) -> None:
    queue = Queue("priorities", routing_key="priorities", max_priority=10)
    for body, priority in (("low", 3), ("high", 6)):
        _publish(connection, queue, body=body, priority=priority)
    assert [body for _, body in _consumed(connection, queue)] == ["low", "high"]


def test_the_transport_does_not_claim_fanout_or_an_event_loop(connection: Connection) -> None:
    """Celery leaves out remote control and gossip for such a transport."""
    assert not connection.transport.implements.asynchronous
    channel = connection.default_channel
    assert isinstance(channel, Channel)
    assert not channel.supports_fanout
