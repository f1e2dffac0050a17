"""A correction of the first of many games of a pool: `python -m tests.bench.recomputation [GAMES] [--sqlite]`.

200 bots, on its own PostgreSQL (or that of DATABASE_URL), or on SQLite. The games are rows without
plies, entered by a replay. The table has the arbiter's wait, the worker's time, its longest step,
and the most memory.
"""

from __future__ import annotations

import contextlib
import copy
import os
import random
import resource
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tournaments.models import Pool

_GAMES, _BOTS = 50_000, 200


def main() -> None:
    """Print the table."""
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    games = int(arguments[0]) if arguments else _GAMES
    with contextlib.ExitStack() as stack:
        os.environ["RAYUELA_HOME"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        if "--sqlite" in sys.argv:
            os.environ.pop("DATABASE_URL", None)
        elif "DATABASE_URL" not in os.environ:
            os.environ["DATABASE_URL"] = stack.enter_context(servers.postgresql())
        os.environ.pop("REDIS_URL", None)

        import django

        django.setup()

        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        pool = _fill(games)
        # The next step is a separate process, whose memory is not that of the filling.
        connection.close()
        if os.fork() == 0:
            _measure(pool)
            os._exit(0)
        os.wait()


def _fill(games: int) -> Pool:
    from django.db import connection, transaction

    from tests.tournaments import pages
    from tournaments import database_time
    from tournaments.models import Game, Pool
    from tournaments.services.accounts import players
    from tournaments.services.games import game_creation
    from tournaments.services.ratings import recompute

    bots = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(_BOTS)]
    pool = pages.pool_of(Pool.Kind.BOTS)
    key = "morelli(size=5)"
    start = game_creation.start_position(key, game_creation.draw_setup(key, 1))
    rng = random.Random(1)
    one, two = bots[:2]
    like = game_creation.new_game(start, first=one, second=two, clock=pages.CLOCK, is_rated=True)
    like.pool, like.ending, like.ended_at = pool, "rules", database_time.now()
    like.stop_turn()
    for at in range(0, games, 1000):
        rows = [copy.copy(like) for _ in range(min(1000, games - at))]
        for game in rows:
            game.first, game.second = rng.sample(bots, 2)
            game.result = rng.choice(["first", "second", "draw"])
        Game.objects.bulk_create(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        with transaction.atomic():
            recompute.reconcile(pool)
        cursor.execute("ANALYZE")
    return pool


def _measure(pool: Pool) -> None:
    from tournaments.models import Game, LedgerEntry, User
    from tournaments.services.arbiter import corrections
    from tournaments.services.ratings import recompute

    arbiter = User.objects.create(is_superuser=True)
    print("correction of          request        worker, CPU    longest step   rows      memory")
    count = Game.objects.count()
    for name, at in (
        ("the first game", 0),
        ("the middle one", count // 2),
        ("the last one", count - 1),
    ):
        game = Game.objects.order_by("pk")[at]
        rows = LedgerEntry.objects.count()
        result = "second" if game.result == "first" else "first"
        correct = partial(corrections.correct, game_id=game.pk, actor=arbiter, result=result)
        request = _timed(partial(correct, reason="x"))
        with _longest_transaction() as longest:
            worker = _timed(lambda: _work(pool))
        added = LedgerEntry.objects.count() - rows
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{name:15} {request[0]:6.2f} ({request[1]:.2f})  {worker[0]:6.2f} ({worker[1]:5.2f})"
            f"  {1000 * max(longest):6.0f} ms   {added:7}   {memory:5.0f} MB",
            flush=True,
        )
    if "--verify" in sys.argv:
        print(f"faults: {len(list(recompute.verify(pool)))}")


def _work(pool: Pool) -> None:
    from tournaments.services.ratings import recomputations

    # A small pool is computed again in the arbiter's request.
    while recomputations.is_going_on(pool):
        recomputations.work(pool.pk)


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    clock, processor = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - clock, time.process_time() - processor


@contextlib.contextmanager
def _longest_transaction() -> Iterator[list[float]]:
    """Yield the seconds that each transaction of the worker's took."""
    from django.db import transaction
    from django.db.transaction import Atomic

    spans: list[float] = [0.0]
    begin, end = Atomic.__enter__, Atomic.__exit__
    since: list[float] = []

    def enter(atomic: Atomic) -> None:
        since.append(time.perf_counter())
        begin(atomic)

    def leave(atomic: Atomic, *error: object) -> None:
        end(atomic, *error)  # type: ignore[arg-type]
        spans.append(time.perf_counter() - since.pop())

    Atomic.__enter__, Atomic.__exit__ = enter, leave  # type: ignore[method-assign]
    try:
        yield spans
    finally:
        Atomic.__enter__, Atomic.__exit__ = begin, end  # type: ignore[method-assign]
    assert transaction.get_connection().in_atomic_block is False


if __name__ == "__main__":
    main()
