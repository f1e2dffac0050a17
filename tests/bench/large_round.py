"""A large round from its last result to the next pairing: `python -m tests.bench.large_round [PLAYERS]`.

A Swiss by the Dutch system on a PostgreSQL of its own (or that of DATABASE_URL), without Redis. Four
rounds are played by lots; of each the table has the seconds on the clock and of the processor that
closing it, pairing the next round and publishing that take.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Event

_PLAYERS = 2000
_ROUNDS = 5


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
    from tournaments.services.rounds import lifecycle, publication, rounds

    event = event_of(players)
    print(f"{players} players: seconds on the clock (of this process)")
    print("round   close        pair         publish      close and pair")
    for number in range(1, _ROUNDS):
        decide(event, number)
        close = _timed(partial(lifecycle.advance_event, event.pk))
        pair = _timed(partial(rounds.draft_round, event_id=event.pk))
        publish = _timed(partial(publication.publish_round, event_id=event.pk))
        times = "  ".join(f"{wall:5.2f} ({cpu:4.2f})" for wall, cpu in (close, pair, publish))
        print(f"{number:5}   {times}  {close[0] + pair[0]:5.2f}")


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - wall, time.process_time() - cpu


def event_of(players: int) -> Event:
    """A published first round of so many people, whose ratings fall from the first to the last."""
    from django.utils import timezone

    from tournaments.models import Entry, Event, Player
    from tournaments.services.accounts import players as accounts
    from tournaments.services.clocks import game_clocks
    from tournaments.services.events import plans, registration
    from tournaments.services.rounds import lifecycle, publication, rounds

    organiser = accounts.sign_up(name="Organiser", password="rayuela-73")
    plan = plans.EventPlan(
        name="Large",
        ruleset="morelli(size=5)",
        rounds_total=_ROUNDS + 4,
        clock=game_clocks.Clock(600_000, 5_000),
        max_entries=players,
        is_automatic=False,
        is_rated=False,
        seed=7,
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    now = timezone.now()
    people = Player.objects.bulk_create(
        Player(kind=Player.Kind.LISTED, name=f"Player {n}", canonical=f"player {n}", created_at=now)
        for n in range(players)
    )
    Entry.objects.bulk_create(
        Entry(
            event=event,
            player=player,
            entered_at=now,
            listed_centielo=240_000 - 120_000 * n // players,
        )
        for n, player in enumerate(people)
    )
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    rounds.draft_round(event_id=event.pk)
    publication.publish_round(event_id=event.pk)
    return Event.objects.get(pk=event.pk)


def decide(event: Event, number: int, most: int | None = None) -> None:
    """Give the games of the round, or the first `most`, a result by lot, as if they had been played."""
    from django.utils import timezone

    from tournaments.models import Game

    chance = random.Random(number)
    results = [Game.Result.FIRST, Game.Result.DRAW, Game.Result.SECOND]
    going_on = list(Game.objects.ongoing().filter(pairing__event=event).order_by("pk")[:most])
    for game in going_on:
        game.stop_turn()
        game.result, game.ending = chance.choice(results), Game.Ending.RULES
        game.ended_at = timezone.now()
    columns = [*Game.RESULT_COLUMNS, *Game.TURN_COLUMNS]
    Game.objects.bulk_update(going_on, columns, batch_size=500)


if __name__ == "__main__":
    main()
