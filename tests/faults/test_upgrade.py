"""An installation of the last release, upgraded under play to this code, and taken back."""

from __future__ import annotations

import json
import signal
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import processes
from tests.faults import audit, installation, people
from tests.faults.installation import Installation
from tests.faults.parts import Part
from tests.faults.people import Table

pytestmark = pytest.mark.slow

# For the code of that release.
_EVENT = """
from tournaments.models import User
from tournaments.services.events import entries, plans, registration
from tournaments.services.games import game_creation
ana, ben = User.objects.get(username="ana"), User.objects.get(username="ben")
plan = plans.EventPlan(
    name="Of the release before", ruleset="morelli(size=5)", clock=game_creation.Clock(600_000, 5_000)
)
event = registration.create_event(organiser=ana, plan=plan)
for user in (ana, ben):
    entries.enter(event_id=event.pk, player=user.player, actor=user)
"""
_GAMES, _PACE_S = 12, 3.0


def _restart(site: Installation, code: Path, tables: Sequence[Table]) -> None:
    """Restart the web processes one after the other, then the workers, with that code."""
    for part, port in zip(site.webs, site.ports, strict=True):
        _restart_part(part, code)
        processes.until(
            lambda port=port: processes.answers(f"http://127.0.0.1:{port}/healthz"),  # type: ignore[misc]
            otherwise=site.logs,
        )
        audit.assert_games_go_on(tables, time.monotonic())
    for part in site.workers:
        _restart_part(part, code)
    audit.assert_games_go_on(tables, time.monotonic())


def _restart_part(part: Part, code: Path) -> None:
    part.code, starts = code, part.starts
    part.signal(signal.SIGTERM)
    processes.until(lambda: part.starts > starts)


def _migrations(port: int) -> str:
    """Return the verdict of the probe of migrations."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
        verdict = json.load(answer)["probes"]["migrations"]["status"]
    return str(verdict)


def test_a_release_is_upgraded_under_play_and_taken_back(former: Path) -> None:
    with installation.running(webs=2, code=former) as site:
        pair = people.pair(site.ports)
        tables = [people.sit_down(*pair) for _ in range(_GAMES)]
        with people.playing(tables, pace_s=_PACE_S):
            site.manage("migrate", "-v", "0")
            # All parts are of the release before, on the new tables.
            audit.assert_games_go_on(tables, time.monotonic())
            site.manage("shell", "-c", _EVENT, code=former)
            late = people.sit_down(*pair)
            _restart(site, processes.ROOT, tables)
            assert _migrations(site.ports[0]) == "ok"
            _restart(site, former, tables)
            another = people.sit_down(*pair)
            _restart(site, processes.ROOT, tables)
        everything = [*tables, late, another]
        audit.assert_nothing_lost(site, everything)
        audit.assert_data_holds(site)
