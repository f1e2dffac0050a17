"""Wake-ups are sent by a thread: a broker that never answers does not delay the sender."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.processes import until
from tournaments.courier import Courier
from tournaments.redis_bus import RedisBus

TOPICS = 200


@pytest.fixture(autouse=True)
def in_background(settings: LazySettings) -> None:
    settings.SENDS_IN_BACKGROUND = True


@pytest.fixture
def hole() -> Iterator[str]:
    """The address of a Redis that takes connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def test_a_black_hole_costs_the_sender_nothing(hole: str) -> None:
    bus = RedisBus(hole)
    before = time.thread_time(), time.monotonic()
    for number in range(TOPICS):
        bus.publish({f"game:{number}": 1})
    # One try alone waits for half a second.
    assert time.monotonic() - before[1] < TOPICS * 0.5 / 4


def test_errands_run_in_order_and_a_failure_drops_what_waits_behind_it() -> None:
    courier, go_on = Courier(), threading.Event()
    done: list[int] = []
    drops: list[int] = []
    courier.on_drop = lambda: drops.append(1)

    def fail() -> None:
        raise ConnectionError

    def wait() -> None:
        go_on.wait(10)
        done.append(1)

    courier.send(wait)
    courier.send(lambda: done.append(2))
    courier.send(fail)
    courier.send(lambda: done.append(3))
    assert not courier.flush(0.05)
    go_on.set()
    assert courier.flush(10)
    assert done == [1, 2]
    assert len(drops) == 2

    def is_sent() -> bool:
        courier.send(lambda: done.append(4))
        return courier.flush(10) and 4 in done

    until(is_sent)


def test_a_fork_sends_by_a_thread_of_its_own() -> None:
    courier = Courier()
    courier.send(lambda: None)
    assert courier.flush(10)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:  # pragma: no cover - the child
        courier.send(lambda: os.write(writing, b"sent"))
        courier.flush(10)
        os._exit(0)
    os.close(writing)
    assert os.waitpid(pid, 0)[1] == 0
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"sent"


def test_without_redis_it_is_sent_at_once(settings: LazySettings) -> None:
    settings.SENDS_IN_BACKGROUND = False
    done: list[int] = []
    Courier().send(lambda: done.append(1))
    assert done == [1]
