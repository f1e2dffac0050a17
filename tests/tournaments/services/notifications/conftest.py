"""The receiver of webhooks that the tests of deliveries share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.tournaments import webhook_server
from tests.tournaments.webhook_server import Receiver


@pytest.fixture(scope="module")
def running() -> Iterator[Receiver]:
    with webhook_server.serving() as receiver:
        yield receiver


@pytest.fixture
def receiver(db: None, running: Receiver, settings: LazySettings) -> Receiver:
    settings.PUSH_TEST_HOSTS = [running.netloc]
    vars(running).update(vars(Receiver(netloc=running.netloc)))
    return running
