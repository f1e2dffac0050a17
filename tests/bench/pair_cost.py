"""The price of a pair of uploaded bots: `python -m tests.bench.pair_cost [PAIRS]`.

CPU milliseconds of a pair of games of the shortest bot at Morelli 5x5, on a separate site on
SQLite, by `getrusage`. The figures are for the bots with their starts, under the isolator whose
bots are children of the worker. They are also for the worker, which schedules, referees, records
and rates, and for the part of a pair in a ladder's rounds.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.idle import IdleBots
    from tournaments.models import Event, Player

_RULESET = "morelli(size=5)"
_BOTS = 6


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory(prefix="rayuela-bench-") as home:
        _make_site(Path(home))
        from engine.idle import IdleBots, IdleLimits
        from tests.tournaments import authors
        from tournaments.services.accounts import players

        owners = [
            players.sign_up(name=f"Author {n}", password="rayuela-1963") for n in range(_BOTS)
        ]
        bots = [authors.version(owner, f"Bot {n}") for n, owner in enumerate(owners)]
        print(f"{'CPU ms a pair':24} {'bots':>6} {'worker':>7} {'both':>6}")
        for name, limits in (("started for each pair", IdleLimits(bots=0)), ("kept", IdleLimits())):
            print(_row(name, bots[:2], IdleBots(limits), count), flush=True)
        print(
            f"its part of a ladder's rounds ({_BOTS} bots): {_rounds_ms(_ladder(bots), count):.1f}"
        )


def _make_site(home: Path) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {
        "RAYUELA_HOME": str(home),
        "RAYUELA_NO_BOOTSTRAP": "1",
        "BOTS_ISOLATOR": "landlock",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    _send_nothing()


def _send_nothing() -> None:
    from tournaments.services import enqueue

    enqueue._send = lambda *_, **__: None


def _row(name: str, pair: Sequence[Player], idle: IdleBots, count: int) -> str:
    from tournaments.services.games import game_creation
    from tournaments.services.matches import matches

    matches._idle = idle
    own_ms = bots_ms = 0.0
    for number in range(count + 1):
        if number == 1:  # the first one of all copies files for the sandbox
            own_ms, bots_ms = _cpu_ms(resource.RUSAGE_SELF), _cpu_ms(resource.RUSAGE_CHILDREN)
        match = matches.schedule(
            ruleset=_RULESET,
            setup=game_creation.draw_setup(_RULESET, number),
            players=(pair[0], pair[1]),
            clock=game_creation.Clock(60_000),
            games_count=2,
        )
        assert matches.play_match(match.pk)
    own_ms = (_cpu_ms(resource.RUSAGE_SELF) - own_ms) / count
    idle.close()
    bots_ms = (_cpu_ms(resource.RUSAGE_CHILDREN) - bots_ms) / count
    return f"{name:24} {bots_ms:6.0f} {own_ms:7.0f} {bots_ms + own_ms:6.0f}"


def _ladder(bots: Sequence[Player]) -> Event:
    from tournaments.models import Event
    from tournaments.queries.events import plans
    from tournaments.services.events import entries, registration
    from tournaments.services.games import game_creation
    from tournaments.services.rounds import lifecycle

    organiser = bots[0].bot.owner
    assert organiser is not None
    plan = plans.EventPlan(
        name="Ladder",
        ruleset=_RULESET,
        rounds_total=1,
        clock=game_creation.Clock(60_000),
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        duration_s=36_000,
    )
    event = registration.create_event(organiser=organiser, plan=plan)
    for player in bots:
        entries.enter(event_id=event.pk, player=player, actor=organiser)
    lifecycle.start_event(event_id=event.pk, actor=organiser)
    return event


def _rounds_ms(event: Event, count: int) -> float:
    """Return the time of the rounds of the ladder while `count` pairs and more end."""
    from tournaments.services.rounds import lifecycle

    pairs = spent_ms = 0.0
    while pairs < count:
        before_ms = _cpu_ms(resource.RUSAGE_SELF)
        lifecycle.advance_event(event.pk)
        spent_ms += _cpu_ms(resource.RUSAGE_SELF) - before_ms
        pairs += _end_all(event)
    return spent_ms / pairs


def _end_all(event: Event) -> int:
    """End the ladder's matches, half by either side, and return their number."""
    from django.db import transaction

    from tournaments.models import Game, Match
    from tournaments.services.games import game_end

    matches = Match.objects.filter(event=event, state=Match.State.QUEUED)
    for match in matches:
        with transaction.atomic():
            for game in match.games.ongoing().with_players():
                game_end.finish_game(game, result="first", ending=Game.Ending.RESIGNATION)
    return matches.update(state=Match.State.DONE)


def _cpu_ms(who: int) -> float:
    usage = resource.getrusage(who)
    return (usage.ru_utime + usage.ru_stime) * 1000


if __name__ == "__main__":
    main()
