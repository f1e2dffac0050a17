"""Pages of a site with many games: `python -m tests.bench.million [GAMES [SKEW]]` (a million, 2).

It runs on its own PostgreSQL. One rated game is played by the services, and copied in SQL between
20,000 players, some of whom play much more than others, over three years. Ledger and ratings have
the true number of rows, though not the right figures. Django's test client asks for each page as a
guest, many times with other players, days and words, without the caches of processes. The table has
the 50th and 95th hundredth in seconds on the clock and of the processor (without PostgreSQL's), and
queries. Finally a backup of the site is made, and restored into an empty database.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GAMES = 1_000_000
_PLAYERS = 20_000
_TIMES = 20
# The numbers of the two players of each game are a power of a random number. With 2 the first has
# every 70th game, with 10 three fifths: of 90,000 games more than 50,000, as a bot has.
_SKEW = int(sys.argv[2]) if len(sys.argv) > 2 else 2

_PEOPLE = """
INSERT INTO tournaments_user (id, {user_columns})
SELECT {base} + n, {user_values} FROM tournaments_user AS t, generate_series(1, {players}) AS n WHERE t.id = {user};
INSERT INTO tournaments_player (id, {player_columns})
SELECT {base} + n, {player_values} FROM tournaments_player AS t, generate_series(1, {players}) AS n
WHERE t.id = {player};
"""
_PLAYED = """
CREATE TEMP TABLE drawn AS
SELECT n, {base} + 1 + floor({players} * random() ^ {skew})::int AS one,
       {base} + 1 + floor({players} * random() ^ {skew})::int AS two,
       (ARRAY['first', 'second', 'draw'])[1 + floor(random() * 3)::int] AS won,
       now() - random() * interval '1000 days' AS at
FROM generate_series(1, {games}) AS n;
UPDATE drawn SET two = {base} + 1 + (two - {base}) % {players} WHERE one = two;
INSERT INTO tournaments_game (id, {game_columns})
SELECT {base} + n, {game_values} FROM tournaments_game AS t, drawn WHERE t.id = {game};
"""
_RATED = """
CREATE TEMP TABLE sat AS
SELECT n, one AS player, 'first' AS sat_as, won, at FROM drawn
UNION ALL SELECT n, two, 'second', won, at FROM drawn;
INSERT INTO tournaments_ledgerentry ({ledger_columns})
SELECT {ledger_values} FROM (
    SELECT *, 10 + row_number() OVER (PARTITION BY player ORDER BY at) AS seq_of FROM sat
) AS s, tournaments_ledgerentry AS t WHERE t.id = {entry};
INSERT INTO tournaments_pairtally (pool_id, first_id, second_id, wins, draws, losses)
SELECT t.pool_id, one, two, count(*) FILTER (WHERE won = 'first'), count(*) FILTER (WHERE won = 'draw'),
       count(*) FILTER (WHERE won = 'second')
FROM drawn, tournaments_rating AS t WHERE t.id = {rating} GROUP BY t.pool_id, one, two;
INSERT INTO tournaments_rating ({rating_columns})
SELECT {rating_values} FROM (
    SELECT player, count(*) AS played, count(*) FILTER (WHERE won = sat_as) AS won_by,
           count(*) FILTER (WHERE won = 'draw') AS drawn_by, max(at) AS latest
    FROM sat GROUP BY player
) AS s, tournaments_rating AS t WHERE t.id = {rating};
"""


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else _GAMES
    with contextlib.ExitStack() as stack:
        os.environ["RAYUELA_HOME"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", LIMITS_FACTOR="0")
        os.environ["DATABASE_URL"] = stack.enter_context(servers.postgresql())
        os.environ.pop("REDIS_URL", None)

        import django

        django.setup()

        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0)
        start = time.perf_counter()
        _fill(count)
        print(f"{count:,} games in {time.perf_counter() - start:.0f} s")
        _measure()
        _restore(Path(os.environ["RAYUELA_HOME"]) / "backup.zip")
        connection.close()


def _fill(count: int) -> None:
    from django.db import connection

    from tests.tournaments import pages
    from tournaments.models import Game, LedgerEntry, Player, Rating, User
    from tournaments.services.accounts import players

    one, two = (players.sign_up(name=n, password="hopscotch at noon") for n in ("Ana", "Ben"))
    game = pages.new_game(one.player, two.player, "morelli(size=9)")
    pages.play_out(game)
    game.refresh_from_db()
    base = 1_000
    names = {"base": base, "players": _PLAYERS, "games": count, "skew": _SKEW}
    entry = LedgerEntry.objects.get(game=game, side="first")
    templates = {
        "user": (User, one.pk, {"username": "'player ' || n"}),
        "player": (
            Player,
            one.player.pk,
            {"name": "'Player ' || n", "canonical": "'player ' || n", "user_id": f"{base} + n"},
        ),
        "game": (
            Game,
            game.pk,
            {"first_id": "one", "second_id": "two", "result": "won", "ended_at": "at",
             "created_at": "at - interval '20 minutes'"},
        ),
        "entry": (
            LedgerEntry,
            entry.pk,
            {"player_id": "s.player", "game_id": f"{base} + s.n", "side": "sat_as", "seq": "seq_of",
             "entered_at": "s.at", "inputs": "t.inputs || '{\"deviation_after\": 5000}'", "digest": "md5(s.n::text || sat_as)"},
        ),
        "rating": (
            Rating,
            Rating.objects.get(player=one.player).pk,
            {"player_id": "s.player", "games": "played", "wins": "won_by", "draws": "drawn_by",
             "last_at": "latest", "centielo": "100000 + floor(random() * 100000)::int",
             "deviation_centielo": "5000"},
        ),
    }  # fmt: skip
    for name, (model, pk, values) in templates.items():
        columns = [str(field.column) for field in model._meta.concrete_fields]
        columns.remove("id")
        prefix = {"entry": "ledger"}.get(name, name)
        names[name] = pk
        names[f"{prefix}_columns"] = ", ".join(f'"{column}"' for column in columns)  # type: ignore[assignment]
        names[f"{prefix}_values"] = ", ".join(  # type: ignore[assignment]
            values.get(column, f't."{column}"') for column in columns
        )
    with connection.cursor() as cursor:
        # Neither triggers nor foreign keys, which would take most of the time.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET statement_timeout = 0")
        for text in (_PEOPLE, _PLAYED, _RATED):
            cursor.execute(text.format(**names))
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("ANALYZE")
        cursor.execute("RESET statement_timeout")


def _addresses() -> Iterator[tuple[str, Callable[[random.Random], str]]]:
    from tournaments.models import Pool

    (key,) = Pool.objects.filter(ratings__isnull=False).values_list("key", flat=True).distinct()

    def anybody(lots: random.Random) -> int:
        return 1_001 + int(_PLAYERS * lots.random() ** _SKEW)

    yield "front page", lambda _: "/"
    yield "lobby", lambda _: "/play/"
    yield "finished games", lambda _: "/archive/"
    yield "of a player", lambda lots: f"/archive/?player=Player+{anybody(lots) - 1_000}"
    yield (
        "of a player, game, result",
        lambda lots: f"/archive/?player=Player+{anybody(lots) - 1_000}&family=morelli&result=first",
    )
    yield "of some days", lambda lots: f"/archive/?since=2025-{lots.randint(1, 12):02}-01"
    yield "players", lambda lots: f"/players/?name=Player+{lots.randint(1, 999)}"
    yield "player", lambda lots: f"/players/{anybody(lots)}/"
    yield "the busiest player", lambda _: "/players/1001/"
    yield "its statistics", lambda _: "/players/1001/statistics/"
    yield "its rating history as CSV", lambda _: f"/players/1001/ledger.csv?pool={key}"
    yield "two players", lambda lots: f"/players/{anybody(lots)}/against/{anybody(lots)}/"
    yield "leaderboard", lambda _: f"/leaderboard/{key}/"
    yield "game", lambda lots: f"/game/{1_000 + lots.randint(1, 1_000)}/"


def _measure() -> None:
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    print(f"{'page':<28}{'p50 s':>9}{'p95 s':>9}{'CPU p95':>9}{'queries':>9}")
    for name, address in _addresses():
        lots = random.Random(name)
        clock, cpu, queries = [], [], 0
        for number in range(_TIMES + 1):
            cache.clear()
            start, start_cpu = time.perf_counter(), time.process_time()
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(address(lots))
                b"".join(answer) if answer.streaming else answer.content
            assert answer.status_code in {200, 302}, (name, answer.status_code)
            if number:  # the first one loads modules and templates
                clock.append(time.perf_counter() - start)
                cpu.append(time.process_time() - start_cpu)
                queries = max(queries, len(captured))
        clock.sort()
        cpu.sort()
        print(
            f"{name:<28}{clock[_TIMES // 2]:>9.3f}{clock[-2]:>9.3f}{cpu[-2]:>9.3f}{queries:>9}",
            flush=True,
        )


def _restore(path: Path) -> None:
    """Back the site up, restore it into another database of the server, and print how long both take."""
    from django.db import connection

    from tournaments.services.operations import backups

    start = time.perf_counter()
    rows = sum(backups.backup(path).counts.values())
    print(
        f"backup: {rows:,} rows in {time.perf_counter() - start:.0f} s,"
        f" {path.stat().st_size / 1e6:.0f} MB"
    )
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE restored")
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path="/restored")
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "manage.py", "restore", str(path)],
        env={**os.environ, "DATABASE_URL": urlunsplit(address)},
        check=True,
    )
    print(f"restored in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
