"""Redis is emptied, gone, or silent while people and bots play: moves are still confirmed, and no request waits endlessly for it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
import redis

from tests import processes
from tests.faults import audit, installation, people, scenes
from tests.faults.installation import Installation

pytestmark = pytest.mark.slow

_FAULT_S = 12.0
# A move of a busy machine with the fault. A wait for Redis would take its time limits, 5 s and
# more.
_LONGEST_S = 3.0


@pytest.fixture(scope="module")
def site() -> Iterator[Installation]:
    with installation.running() as running:
        yield running


@pytest.fixture(scope="module")
def pair(site: Installation) -> list[people.Person]:
    return people.pair(site.ports)


def _fault(site: Installation, kind: str) -> None:
    """The fault and, but for an empty Redis, its end."""
    if kind == "emptied":
        client = redis.Redis.from_url(site.variables["REDIS_URL"])
        until = time.monotonic() + _FAULT_S
        while time.monotonic() < until:
            client.flushall()
            time.sleep(0.5)
    elif kind == "gone":
        site.redis.stop()
        time.sleep(_FAULT_S)
        site.redis.start()
    else:  # takes connections and answers nothing
        site.redis.signal(signal.SIGSTOP)
        time.sleep(_FAULT_S)
        site.redis.signal(signal.SIGCONT)


@pytest.mark.parametrize("kind", ["emptied", "gone", "silent"])
def test_moves_go_on_and_bots_come_to_their_end(
    site: Installation, pair: list[people.Person], kind: str
) -> None:
    slug = scenes.event_of_house_bots(site, kind.title())
    tables = [people.sit_down(*pair) for _ in range(4)]
    with people.playing(tables, pace_s=0.5):
        _fault(site, kind)
        audit.assert_games_go_on(tables, time.monotonic())
    assert max(wait for table in tables for wait in table.waits_s) < _LONGEST_S
    processes.until(lambda: scenes.is_over(site, slug), patience_s=90, otherwise=site.logs)
    scenes.assert_standings_follow_results(site, slug)
    audit.assert_moves_stored(site, tables)
    audit.assert_data_holds(site)
