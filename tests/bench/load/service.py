"""The service that is put under load: its web processes and its clock, on servers of their own or embedded."""

from __future__ import annotations

import contextlib
import os
import resource
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULESET = "morelli(size=9)"
PASSWORD = "hopscotch at noon"
# Of one address the edge takes 600 connections and 400 streams.
_BY_ADDRESS = 150


@dataclass(frozen=True, slots=True)
class Service:
    """Where it answers, the process group of its web processes, and its games, ready to be played."""

    port: int
    web_pid: int
    tables: list[tuple[int, str, tuple[str, str]]]


@contextlib.contextmanager
def running(tables: int, *, embedded: bool, webs: int) -> Iterator[Service]:
    """A service with so many games of two people each, which ends with the context."""
    _allow_files()
    with contextlib.ExitStack() as stack:
        os.environ["RAYUELA_HOME"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", LIMITS_FACTOR="0")
        os.environ.pop("DATABASE_URL", None)
        os.environ.pop("REDIS_URL", None)
        if not embedded:
            os.environ["DATABASE_URL"] = stack.enter_context(servers.postgresql())
            os.environ["REDIS_URL"] = stack.enter_context(servers.redis())

        import django

        django.setup()

        from django.core.management import call_command
        from django.db import connection

        from tests import processes

        call_command("migrate", verbosity=0)
        rows = _games(tables)
        connection.close()
        clock = ["-m", "celery", "-A", "config.celery", "worker", "--beat", "-Q", "ticks,default"]
        stack.enter_context(processes.program([*clock, "--pool", "solo", "--loglevel", "ERROR"]))
        port = servers.free_port()
        command = ["manage.py", "serve", "--port", str(port), "--processes", str(webs)]
        web = stack.enter_context(processes.program(command))
        processes.until(lambda: processes.answers(f"http://127.0.0.1:{port}/healthz"))
        yield Service(port, web.pid, rows)


def _games(count: int) -> list[tuple[int, str, tuple[str, str]]]:
    from django.db import transaction

    from tournaments.models import Game
    from tournaments.services.accounts import players
    from tournaments.services.games import game_creation

    people = [
        players.sign_up(name=f"Player {n}", password=PASSWORD).player for n in range(2 * count)
    ]
    clock = game_creation.Clock(3_600_000, 10_000)
    setups = [game_creation.draw_setup(_RULESET, seed) for seed in range(count)]
    new_games = [
        game_creation.new_game(
            game_creation.start_position(_RULESET, setup),
            first=people[2 * n],
            second=people[2 * n + 1],
            clock=clock,
            is_rated=True,
        )
        for n, setup in enumerate(setups)
    ]
    with transaction.atomic():
        game_creation.start_games(new_games)
    rows = Game.objects.order_by("pk").values_list("pk", "setup", "first__name", "second__name")
    return [(pk, setup, (first, second)) for pk, setup, first, second in rows]


def stored_moves() -> dict[int, list[str]]:
    """The moves of every game as the database has them, in order."""
    from tournaments.models import Ply

    moves: dict[int, list[str]] = {}
    for game_id, move in Ply.objects.order_by("game_id", "number").values_list("game_id", "move"):
        moves.setdefault(game_id, []).append(move)
    return moves


def memory_kb(pid: int) -> int:
    """What the process and all it has started hold, each shared page by its share (PSS)."""
    total, pids = 0, [pid]
    while pids:
        pid = pids.pop()
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += map(int, (task / "children").read_text().split())
    return total


def address(number: int) -> str:
    """A loopback address for the browser of that number."""
    return f"127.0.{1 + number // _BY_ADDRESS // 250}.{1 + number // _BY_ADDRESS % 250}"


def _allow_files() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
