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

RULESET = "morelli(size=9)"
PASSWORD = "hopscotch at noon"
# The edge takes 600 connections and 400 streams of one address.
_BY_ADDRESS = 150


@dataclass(frozen=True, slots=True)
class Service:
    """The address of a service, its programs, and its games, ready to be played.

    Attributes:
        web_pid: the first process of the web.
        database_pid: the first process of PostgreSQL, or None embedded.
    """

    port: int
    web_pid: int
    database_pid: int | None
    tables: list[tuple[int, str, tuple[str, str]]]


@contextlib.contextmanager
def running(tables: int, *, embedded: bool, webs: int) -> Iterator[Service]:
    """Yield a service with a number of games of two people each, which ends with the context."""
    _allow_files()
    with contextlib.ExitStack() as stack:
        stack.enter_context(database(embedded=embedded))
        if not embedded:
            os.environ["REDIS_URL"] = stack.enter_context(servers.redis())

        from django.db import connection

        from tests import processes

        rows = games_of_two(tables)
        database_pid = None if embedded else _parent(connection.connection.info.backend_pid)
        connection.close()
        clock = [
            "-m",
            "celery",
            "-A",
            "config.celery",
            "worker",
            "--beat",
            "-Q",
            "ticks,default,builtin-replies,post",
        ]
        stack.enter_context(processes.program([*clock, "-c", "1", "--loglevel", "ERROR"]))
        port = servers.free_port()
        command = ["manage.py", "serve", "--port", str(port), "--processes", str(webs)]
        web = stack.enter_context(processes.program(command))
        processes.until(lambda: processes.answers(f"http://127.0.0.1:{port}/healthz"))
        yield Service(port, web.pid, database_pid, rows)


@contextlib.contextmanager
def database(*, embedded: bool, has_limits: bool = False) -> Iterator[None]:
    """Yield Django on its own empty database: PostgreSQL, or the embedded file."""
    with contextlib.ExitStack() as stack:
        os.environ["RAYUELA_HOME"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", LIMITS_FACTOR=str(int(has_limits))
        )
        os.environ.pop("DATABASE_URL", None)
        os.environ.pop("REDIS_URL", None)
        if not embedded:
            os.environ["DATABASE_URL"] = stack.enter_context(servers.postgresql())

        import django

        django.setup()

        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield


def games_of_two(count: int) -> list[tuple[int, str, tuple[str, str]]]:
    from django.db import transaction

    from tournaments.models import Game
    from tournaments.services.accounts import players
    from tournaments.services.games import game_creation

    people = [
        players.sign_up(name=f"Player {n}", password=PASSWORD).player for n in range(2 * count)
    ]
    clock = game_creation.Clock(3_600_000, 10_000)
    setups = [game_creation.draw_setup(RULESET, seed) for seed in range(count)]
    new_games = [
        game_creation.new_game(
            game_creation.start_position(RULESET, setup),
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
    """Return the moves of every game as the database has them, in order."""
    from tournaments.models import Ply

    moves: dict[int, list[str]] = {}
    for game_id, move in Ply.objects.order_by("game_id", "number").values_list("game_id", "move"):
        moves.setdefault(game_id, []).append(move)
    return moves


def memory_kb(pid: int) -> int:
    """Return the memory of the process and its descendants, each shared page by its share (PSS)."""
    total = 0
    for each in _family(pid):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total


def processor_s(pid: int) -> float:
    """Return the processor time of the process and its descendants, with those that have ended apart."""
    ticks = 0
    for each in _family(pid):
        with contextlib.suppress(OSError):
            ticks += sum(map(int, _stat(each)[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> Iterator[int]:
    """Yield the process and all it has started."""
    pids = [pid]
    while pids:
        pid = pids.pop()
        yield pid
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += map(int, (task / "children").read_text().split())


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on: the name before may have blanks in it."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def address(number: int) -> str:
    """Return a loopback address for the browser of that number."""
    return f"127.0.{1 + number // _BY_ADDRESS // 250}.{1 + number // _BY_ADDRESS % 250}"


def _allow_files() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
