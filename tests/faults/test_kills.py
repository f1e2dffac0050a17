"""Processes are killed at random while people play: no confirmed move is lost or doubled, and the games continue."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

import pytest

from tests.faults import audit, installation, people
from tests.faults.installation import Installation
from tests.faults.people import Table

# The killed processes, and the number of kills. A start of Python takes a second of the processor.
_DOZEN = {"web": 1, "worker": 1, "redis": 4, "backend": 4, "postmaster": 1, "postgresql": 1}
_TWO_HUNDRED = {
    "web": 80, "worker": 40, "redis": 30, "backend": 30, "postmaster": 10, "postgresql": 10,
}  # fmt: skip


def _kill(site: Installation, what: str, draw: random.Random) -> None:
    acts: dict[str, Callable[[], object]] = {
        "web": lambda: draw.choice(site.webs).kill(),
        "worker": lambda: draw.choice(site.workers).kill(),
        "redis": site.redis.kill,
        "backend": site.postgresql.kill_backend,
        "postmaster": site.postgresql.kill_postmaster,
        "postgresql": site.postgresql.kill,
    }
    acts[what]()


def _schedule(counts: Mapping[str, int], draw: random.Random) -> list[str]:
    """Return the victims, in any order."""
    schedule = [name for name, count in counts.items() for _ in range(count)]
    draw.shuffle(schedule)
    return schedule


def _sit_down(site: Installation, count: int) -> list[Table]:
    pair = tuple(people.Person(name, site.ports) for name in ("Ana", "Ben"))
    for person in pair:
        person.sign_up()
    return [people.sit_down(*pair) for _ in range(count)]


def _play_through(
    site: Installation,
    tables: list[Table],
    *,
    kills: Mapping[str, int],
    pause_s: float,
    pace_s: float,
) -> None:
    """Kill a process occasionally, and assert that a player's move is confirmed after each time."""
    draw = random.Random()
    with people.playing(tables, pace_s=pace_s):
        for what in _schedule(kills, draw):
            time.sleep(draw.uniform(0.1, 2 * pause_s))
            _kill(site, what, draw)
            audit.assert_anybody_goes_on(tables, time.monotonic())
        audit.assert_games_go_on(tables, time.monotonic())
    audit.assert_nothing_lost(site, tables)


@pytest.mark.long
def test_a_dozen_kills() -> None:
    with installation.running() as site:
        _play_through(site, _sit_down(site, 4), kills=_DOZEN, pause_s=0.3, pace_s=0.3)


@pytest.mark.slow
def test_two_hundred_kills() -> None:
    with installation.running(webs=2, is_small=False) as site:
        _play_through(site, _sit_down(site, 40), kills=_TWO_HUNDRED, pause_s=0.8, pace_s=2.0)
        audit.assert_data_holds(site)
