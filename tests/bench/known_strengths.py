"""A ladder of bots with known strengths, on a separate site: `python -m tests.bench.known_strengths [GAMES]`.

Twelve uploaded programs of four authors play Morlox 5x5 on a ladder, through `manage.py up` with
its front, its tick and its worker in the sandbox. Each plays the move to the best evaluation, or
any move with its own probability. The truth is 7,920 games of these players outside the service,
120 for each two, in this process. The table has both strengths, the interval that the site shows,
and below it the agreement of the two orders.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import games
from engine.players.core import Budget
from engine.players.simple import Careless
from games.core import Outcome, Side
from tournaments.ratings.bradley_terry import PairCount, fit_pairs, pair_table

if TYPE_CHECKING:
    from games.core import Position

_ROOT = Path(__file__).resolve().parents[2]
_RULESET = "morlox(size=5)"
# Percentage of random moves of each.
_CARELESS = {f"Lot {percent:02}": percent for percent in (*range(90, 0, -9), 99, 1)}
_TRUE_GAMES = 120
_BUDGET = Budget(deadline_ns=1 << 62, nodes=1 << 62)
_PROGRAM = """
import random
from rayuela_sdk import run

def choose(position, clock):
    moves = position.legal_moves()
    random.shuffle(moves)
    if random.randrange(100) < {percent}:
        return moves[0]
    side = position.side_to_move
    return max(moves, key=lambda move: value(position.play(move), side))

def value(position, side):
    outcome = position.outcome()
    if outcome is not None:
        return 2 if outcome.value == side.value else -2
    own = position.evaluation()
    return own if position.side_to_move == side else -own

run(choose)
"""
_MAKE = """
import json, sys
import django; django.setup()
from tests.tournaments import authors
from tournaments.models import Event
from tournaments.services.accounts import players
from tournaments.queries.events import plans
from tournaments.services.events import entries, registration
from tournaments.services.games import game_creation
from tournaments.services.rounds import lifecycle
programs = json.load(sys.stdin)
owners = [players.sign_up(name=f"Author {n}", password="rayuela-1963") for n in range(4)]
plan = plans.EventPlan(
    name="Known strengths", ruleset="morlox(size=5)", rounds_total=1, clock=game_creation.Clock(60_000),
    format=Event.Format.LADDER, admits=Event.Admits.BOTS, duration_s=36_000,
)
event = registration.create_event(organiser=owners[0], plan=plan)
for n, (name, program) in enumerate(programs.items()):
    player = authors.version(owners[n % 4], name, program.encode())
    entries.enter(event_id=event.pk, player=player, actor=owners[n % 4])
lifecycle.start_event(event_id=event.pk, actor=owners[0])
"""
_READ = """
import json
import django; django.setup()
from tournaments.models import Event, Game
from tournaments.queries.ratings import bradley_terry_table
event = Event.objects.get(name="Known strengths")
games = Game.objects.filter(pairing__event=event)
ended = games.exclude(result="").exclude(result=None)
table = bradley_terry_table.of_event(event)
names = bradley_terry_table.name_players(table.rows) if table else {}
print(json.dumps({
    "games": table.games if table else 0, "void": ended.filter(result="void").count(),
    "faults": ended.exclude(ending="rules").exclude(result="void").count(),
    "rows": {names[r.player].name: [r.centielo / 100, r.error_centielo / 100, r.games] for r in table.rows} if table else {},
}))
"""


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_260
    ladder = _play_on_site(count)
    rows = ladder["rows"]
    # A bot without a game has no strength on the site.
    truth = {name: value for name, value in _truth().items() if name in rows}
    shift = sum(value for value, _, _ in rows.values()) / len(rows)
    print(f"{'bot':8} {'games':>5} {'true':>6} {'site':>6} {'95 %':>6}")
    inside, misses = 0, []
    for name, value in sorted(truth.items(), key=lambda item: -item[1]):
        on_site, error, played = rows[name]
        misses.append(abs(on_site - shift - value))
        inside += misses[-1] <= error
        print(f"{name:8} {played:5} {value:+6.0f} {on_site - shift:+6.0f} {error:6.0f}")
    pairs = list(itertools.combinations(truth, 2))
    agree = sum((truth[a] > truth[b]) == (rows[a][0] > rows[b][0]) for a, b in pairs)
    print(
        f"{ladder['games']} games, {ladder['void']} void, {ladder['faults']} ended otherwise than on the board; {agree} of {len(pairs)} pairs in order,"
        f" Kendall's tau {2 * agree / len(pairs) - 1:.2f}; {inside} of {len(truth)} true strengths in"
        f" their interval; mean error {sum(misses) / len(misses):.0f} Elo"
    )


def _truth() -> dict[str, float]:
    """Return the strengths by games outside the service, in Elo around their mean."""
    rng = random.Random(1)
    counts = []
    for first, second in itertools.permutations(_CARELESS, 2):
        results = Counter(
            _result(_CARELESS[first], _CARELESS[second], rng) for _ in range(_TRUE_GAMES // 2)
        )
        counts.append(
            PairCount(
                first,
                second,
                wins=results[Outcome.FIRST],
                draws=results[Outcome.DRAW],
                losses=results[Outcome.SECOND],
            )
        )
    table = pair_table(counts)
    strengths = {row.player: row.rating_centielo / 100 for row in fit_pairs(table).ratings()}
    mean = sum(strengths.values()) / len(strengths)
    return {name: value - mean for name, value in strengths.items()}


def _result(first: int, second: int, rng: random.Random) -> Outcome:
    players = {Side.FIRST: Careless(first), Side.SECOND: Careless(second)}
    position: Position = games.load(_RULESET).initial()
    while (outcome := position.outcome()) is None:
        choice = players[position.side_to_move].choose(position, budget=_BUDGET, rng=rng)
        position = position.play(choice.move)
    return outcome


class _State(TypedDict):
    """The ladder as the site shows it, its rows with strength, half of the interval and games."""

    games: int
    void: int
    faults: int
    rows: dict[str, tuple[float, float, int]]


def _play_on_site(count: int) -> _State:
    with tempfile.TemporaryDirectory(prefix="rayuela-bench-") as home, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(_ROOT),
        }
        site = subprocess.Popen(
            [sys.executable, str(_ROOT / "manage.py"), "up", "--no-demo", "--port", str(port)],
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait_for(port)
            programs = {n: _PROGRAM.format(percent=p) for n, p in _CARELESS.items()}
            _run(_MAKE, environment, json.dumps(programs))
            state: _State = json.loads(_run(_READ, environment))
            while state["games"] < count:
                time.sleep(10)
                state = json.loads(_run(_READ, environment))
            return state
        finally:
            site.send_signal(signal.SIGTERM)
            site.wait()


def _wait_for(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return


def _run(program: str, environment: dict[str, str], text: str = "") -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        input=text,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


if __name__ == "__main__":
    main()
