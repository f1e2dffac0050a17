"""A large round from its last result to the next pairing: `python -m tests.bench.large_round [PLAYERS]`.

A Swiss by the Dutch system on its own PostgreSQL (or that of DATABASE_URL), without Redis. Four
rounds are played at random. For each the table has the seconds on the clock and of the processor
for closing it, pairing the next round and publishing that.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Callable

_PLAYERS = 2000
_ROUNDS = 4


def main() -> None:
    """Print the table."""
    players = int(sys.argv[1]) if len(sys.argv) > 1 else _PLAYERS
    with contextlib.ExitStack() as stack:
        os.environ["RAYUELA_HOME"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        if "DATABASE_URL" not in os.environ:
            os.environ["DATABASE_URL"] = stack.enter_context(servers.postgresql())
        os.environ.pop("REDIS_URL", None)

        import django

        django.setup()

        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        _measure(players)
        connection.close()


def _measure(players: int) -> None:
    from tests.tournaments import large_events
    from tournaments.services.rounds import lifecycle, publication, rounds

    event = large_events.published(players, "Large")
    print(f"{players} players: seconds on the clock (of this process)")
    print("round   close        pair         publish      close and pair")
    for number in range(1, _ROUNDS + 1):
        large_events.decide(event, number)
        close = _timed(partial(lifecycle.advance_event, event.pk))
        pair = _timed(partial(rounds.draft_round, event_id=event.pk))
        publish = _timed(
            partial(publication.publish_round, event_id=event.pk, actor=event.organiser)
        )
        times = "  ".join(f"{wall:5.2f} ({cpu:4.2f})" for wall, cpu in (close, pair, publish))
        print(f"{number:5}   {times}  {close[0] + pair[0]:5.2f}")


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
