"""kombu's transport for Redis, whose consumers survive an acknowledgement without an answer.

kombu 5.7 forgets a message locally only after Redis has answered its acknowledgement. If Redis does not, the
message occupies its place in the prefetch count for ever: a worker of one process takes no message again,
although Redis is back (`tests/faults/test_redis.py`).
"""

from __future__ import annotations

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """The messages that a consumer has taken and not yet acknowledged."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge the message, and free its place even without an answer.

        Such a message may come again after the visibility timeout. Messages are wake-ups, which may
        come twice.
        """
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class Channel(redis.Channel):
    """A channel with these acknowledgements."""

    QoS = QoS


class Transport(redis.Transport):
    """The transport kombu looks up for `redis://` and `rediss://`."""

    Channel = Channel
