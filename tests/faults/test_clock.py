"""The clock of one host jumps ten minutes ahead, then twenty back, while people and bots play on several nodes.

Games, deadlines and sessions follow the time of the database. Beats and messages follow no clock that can be set.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests import processes
from tests.faults import audit, installation, parts, people, scenes
from tests.faults.host_clock import HostClock
from tests.faults.installation import Installation
from tests.faults.parts import Part
from tests.faults.people import Table

pytestmark = pytest.mark.slow

_JUMPS_S = {"ahead": 600, "behind": -600}
_WATCHED_S = 25.0
_TICK_S = 10.0
_SENT = "Sending due task tick "
# A flag falls at the next tick, which may be late on a busy machine.
_FLAG_WITHIN_S = 15.0


@pytest.fixture(scope="module")
def site() -> Iterator[Installation]:
    """Two web processes, all workers and a second beat."""
    with installation.running(webs=2, is_small=False) as site, ExitStack() as stack:
        second = parts.beat(site.folder, site.variables, name="beat-2")
        second.start()
        stack.callback(second.stop)
        site.workers.append(second)
        yield site


@pytest.fixture(scope="module")
def clock(site: Installation) -> HostClock:
    return HostClock(site.folder)


@pytest.fixture(scope="module")
def pair(site: Installation) -> list[people.Person]:
    return people.pair(site.ports)


def _beats(site: Installation) -> list[Part]:
    return [part for part in site.workers if part.name.startswith("beat")]


def _ticks(site: Installation) -> int:
    """Return how many ticks all beats have sent."""
    return sum(beat.log().count(_SENT) for beat in _beats(site))


def _part(site: Installation, name: str) -> list[Part]:
    """Return the parts of that name. Both beats are on the host, so that the one with the lease is."""
    return [part for part in (*site.webs, *site.workers) if part.name.startswith(name)]


@pytest.mark.parametrize("name", ["web-2", "ticks", "beat", "builtin"])
def test_a_site_goes_on_when_the_clock_of_a_host_jumps(
    site: Installation, clock: HostClock, pair: list[people.Person], name: str
) -> None:
    clock.shift(0)
    affected = _part(site, name)
    for part in affected:
        part.variables |= clock.variables
        part.kill()
    tables = [people.sit_down(*pair) for _ in range(4)]
    with people.playing(tables, pace_s=0.5):
        audit.assert_games_go_on(tables, time.monotonic())
        _await_tick(site)
        for word, shift_s in _JUMPS_S.items():
            clock.shift(shift_s)
            _assert_the_site_is_right(site, pair, f"{name} {word}")
            audit.assert_games_go_on(tables, time.monotonic())
    clock.shift(0)
    audit.assert_nothing_lost(site, tables)
    for part in affected:
        for variable in clock.variables:
            del part.variables[variable]
        part.kill()
    audit.assert_data_holds(site)


def _await_tick(site: Installation) -> None:
    """Return when a beat has the lease again."""
    before = _ticks(site)
    processes.until(lambda: _ticks(site) > before, otherwise=site.logs)


def _assert_the_site_is_right(site: Installation, pair: list[people.Person], scene: str) -> None:
    """Assert that ticks come, a flag falls at its time, bots play, and a new account stays signed in."""
    before, since_s = _ticks(site), time.monotonic()
    sleepers = people.sit_down(*pair)
    for _ in range(2):
        sleepers.move(random.Random(scene))
    newcomer = people.Person(f"New {scene}", site.ports)
    newcomer.sign_up()
    slug = scenes.event_of_house_bots(site, scene)
    _assert_flag_falls(site, sleepers)
    processes.until(lambda: scenes.is_over(site, slug), patience_s=90, otherwise=site.logs)
    scenes.assert_standings_follow_results(site, slug)
    for _ in range(4):  # from either web process
        assert newcomer.name in newcomer.get("/account/")
    time.sleep(max(0.0, since_s + _WATCHED_S - time.monotonic()))
    watched_s, ticks = time.monotonic() - since_s, _ticks(site) - before
    assert abs(watched_s / _TICK_S - ticks) <= 2, (scene, watched_s, ticks)


def _assert_flag_falls(site: Installation, sleepers: Table) -> None:
    ((deadline_s,),) = site.rows(
        "UPDATE tournaments_game SET deadline_at = clock_timestamp() + interval '8 seconds'"
        f" WHERE id = {sleepers.pk} RETURNING extract(epoch FROM deadline_at)::float"
    )
    query = f"SELECT extract(epoch FROM ended_at)::float, ending FROM tournaments_game WHERE id = {sleepers.pk}"
    processes.until(
        lambda: site.rows(query)[0][1], patience_s=_FLAG_WITHIN_S + 30, otherwise=site.logs
    )
    ((ended_s, ending),) = site.rows(query)
    assert ending == "time"
    assert 0 <= float(str(ended_s)) - float(str(deadline_s)) <= _FLAG_WITHIN_S
