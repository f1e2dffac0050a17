"""All services are away for longer than the clocks last: no player has lost by it, and the games continue."""

from __future__ import annotations

import time

import pytest

from tests import processes
from tests.faults import audit, installation, people

pytestmark = pytest.mark.slow

_DOWN_S = 80.0  # of games with a minute for all moves
_WITH_ROOM_S = 20.0


def test_nobody_loses_on_time_while_everything_is_away() -> None:
    with installation.running() as site:
        ana, ben = (people.Person(name, site.ports) for name in ("Ana", "Ben"))
        for person in (ana, ben):
            person.sign_up()
        clock: dict[str, object] = {"clock": "custom", "minutes": 1, "increment_s": 0}
        tables = [people.sit_down(ana, ben, **clock) for _ in range(4)]
        with people.playing(tables, pace_s=0.5):
            audit.assert_games_go_on(tables, time.monotonic() + 2)
        parts = [*site.webs, *site.workers, site.redis, site.postgresql]
        for part in parts:
            part.stop()
        time.sleep(_DOWN_S)
        for part in reversed(parts):
            part.start()
        processes.until(
            lambda: processes.answers(f"http://127.0.0.1:{site.ports[0]}/healthz"),
            patience_s=_WITH_ROOM_S,
        )
        with people.playing(tables, pace_s=0.5):
            audit.assert_games_go_on(tables, time.monotonic())
        audit.assert_nothing_lost(site, tables)
