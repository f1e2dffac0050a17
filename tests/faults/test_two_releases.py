"""The last release and this code serve one database and one Redis, while people and bots play."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import processes
from tests.faults import audit, installation, parts, people, scenes
from tests.faults.installation import Installation
from tests.faults.parts import Part
from tests.faults.people import Table

pytestmark = pytest.mark.slow

_GAMES, _PACE_S = 12, 2.0
# New games after this time, so that an hour of play does not run out of moves.
_SITTING_S = 300.0
_FAULT = re.compile(r"\b(WARNING|ERROR|CRITICAL)\b\S*\s+(\S+ \S+)")
# One event of bots is over within this time, also on a busy machine.
_EVENT_S = 240.0


@pytest.fixture
def site(former: Path) -> Iterator[Installation]:
    """One web process, all workers and a beat of each of the two releases."""
    with installation.running(webs=2, is_small=False, code=former) as site, ExitStack() as stack:
        site.manage("migrate", "-v", "0")
        site.webs[1].code = processes.ROOT
        site.webs[1].kill()
        current = _current_workers(site)
        for part in current:
            part.start()
            stack.callback(part.stop)
        site.workers.extend(current)
        yield site


def _current_workers(site: Installation) -> list[Part]:
    queues = ("ticks", "default,builtin-replies,post", "builtin")
    workers = [
        parts.worker(site.folder, each, site.variables, "-c", "1", name=f"current-{number}")
        for number, each in enumerate(queues)
    ]
    return [*workers, parts.beat(site.folder, site.variables, name="current-beat")]


def test_two_releases_serve_one_site(site: Installation, pytestconfig: pytest.Config) -> None:
    pair = people.pair(site.ports)
    until_s = time.monotonic() + pytestconfig.getoption("side_by_side")
    tables: list[Table] = []
    slugs: list[str] = []
    while time.monotonic() < until_s:
        sitting = [people.sit_down(*pair) for _ in range(_GAMES)]
        tables += sitting
        sitting_until_s = min(until_s, time.monotonic() + _SITTING_S)
        with people.playing(sitting, pace_s=_PACE_S):
            while time.monotonic() < sitting_until_s:
                slugs.append(_play_event(site, f"Bots {len(slugs)}"))
            audit.assert_games_go_on(sitting, time.monotonic())
    print(_figures(site, pair, tables, slugs))  # noqa: T201 - for the page of guarantees
    # Each look is a process of its own.
    for slug in slugs[:: 1 + len(slugs) // 5]:
        scenes.assert_standings_follow_results(site, slug)
    audit.assert_nothing_lost(site, tables)
    audit.assert_data_holds(site)
    assert all(part.starts == 1 for part in site.workers), "a worker ended"


def _play_event(site: Installation, name: str) -> str:
    slug = scenes.event_of_house_bots(site, name)
    processes.until(lambda: scenes.is_over(site, slug), patience_s=_EVENT_S, otherwise=site.logs)
    return slug


def _figures(
    site: Installation, pair: list[people.Person], tables: list[Table], slugs: list[str]
) -> str:
    """Return moves, pairs of bots and kinds of lines in the logs, for the page of guarantees."""
    waits_s = sorted(wait for table in tables for wait in table.waits_s)
    ((pairs,),) = site.rows("SELECT count(*) FROM tournaments_match WHERE state = 'done'")
    kinds: Counter[tuple[str, ...]] = Counter()
    for part in (*site.webs, *site.workers):
        kinds.update((part.name, *words) for words in _FAULT.findall(part.log()))
    return "\n".join(
        [
            f"moves of people {len(waits_s)}, p95 {waits_s[int(len(waits_s) * 0.95)]:.3f} s,"
            f" longest {waits_s[-1]:.2f} s, asked again {sum(each.retries for each in pair)}",
            f"events of bots {len(slugs)}, pairs {pairs}",
            *(f"{count} x {' '.join(kind)}" for kind, count in kinds.most_common()),
        ]
    )
