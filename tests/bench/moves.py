"""The price of a confirmed move: `python -m tests.bench.moves [--sqlite] [--api] [--moves N] [--profile]`.

One process plays games of two people through the whole of Django, by the page's form or by the API,
on its own PostgreSQL or on SQLite, without a network and without streams. The first line has the
processor time of a move in this process and the moves a second that it confirms alone. The table
has each statement of one move: the time until it is sent since the one before (rules, forms, Django
writing it) and the time in the driver, in milliseconds of the processor.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import io
import json
import os
import pstats
import random
import sys
import time
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import games
from tests.bench import budgets
from tests.bench.load import service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_TABLES = 30
_WARM_UP = 100
_WIDTH = 76


@dataclass
class _Caller:
    """A user at a board: the cookies of a browser, or the token of a program."""

    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""

    def post(self, path: str, form: Mapping[str, object]) -> tuple[int, bytes]:
        """Return the status and the content of the answer."""
        fields = {**form, "csrfmiddlewaretoken": self.cookies.get("rayuela_csrf", "")}
        environ = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
        body = urlencode(fields).encode()
        if self.token:
            key = str(fields.pop("client_key"))
            environ = {
                "CONTENT_TYPE": "application/json",
                "HTTP_AUTHORIZATION": f"Bearer {self.token}",
                "HTTP_IDEMPOTENCY_KEY": key,
            }
            body = json.dumps({"move": form["move"], "ply": form["ply"]}).encode()
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        return self._answer("POST", path, body, {**environ, "HTTP_COOKIE": cookies})

    def sign_in(self) -> None:
        """Sign in by the form."""
        self._answer("GET", "/sign-in/", b"", {})
        status, _ = self.post("/sign-in/", {"username": self.name, "password": service.PASSWORD})
        assert status == 302, status

    def _answer(
        self, method: str, path: str, body: bytes, environ: Mapping[str, str]
    ) -> tuple[int, bytes]:
        from config.asgi import django_application

        started: list[Any] = []

        def start(
            status: str, headers: list[tuple[str, str]], _error: object = None, /
        ) -> Callable[[bytes], object]:
            started.extend((int(status[:3]), headers))
            return lambda _data: None  # Django never writes this way

        request = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "127.0.0.1",
            "HTTP_ACCEPT": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            **environ,
        }
        response = django_application(request, start)
        content = b"".join(response)
        response.close()
        for name, value in started[1]:
            if name.lower() == "set-cookie":
                self.cookies.update({k: m.value for k, m in SimpleCookie(value).items()})
        return started[0], content


@dataclass
class _Table:
    """A game of two, moves of which are chosen by its own rules."""

    pk: int
    sides: tuple[_Caller, _Caller]
    position: games.Position
    ply: int = 0

    def move(self, draw: random.Random) -> Callable[[], None]:
        """Return a call that sends the next move, which is chosen already: rules are no time of the site's."""
        move = draw.choice(self.position.legal_moves())
        caller = self.sides[0 if self.position.side_to_move is games.Side.FIRST else 1]
        path = f"/api/v1/games/{self.pk}/moves" if caller.token else f"/game/{self.pk}/move/"
        form = {"move": move, "ply": self.ply, "client_key": token_hex(7)}
        self.position, self.ply = self.position.play(move), self.ply + 1

        def send() -> None:
            status, content = caller.post(path, form)
            assert status in {201, 204}, (status, content[:300])

        return send


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.moves", description=__doc__)
    parser.add_argument("--sqlite", action="store_true", help="on the embedded default")
    parser.add_argument("--api", action="store_true", help="by the API in place of the page")
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--profile", action="store_true", help="with a profile of all moves")
    options = parser.parse_args()
    with service.database(embedded=options.sqlite, has_limits=True):
        tables = _tables(is_api=options.api)
        moves = _moves(tables, random.Random(1))
        for _ in range(_WARM_UP):
            next(moves)()
        log_bytes = _print_cost(moves, options.moves)
        count = _print_statements(next(moves))
        if options.profile:
            _print_profile(moves, options.moves)
        _hang_up()
    held = budgets.Held("moves")
    way = "API" if options.api else "form"
    held.hold(
        f"{way}, {'SQLite' if options.sqlite else 'PostgreSQL'}",
        statements=count,
        log_bytes=log_bytes,
    )
    held.end()


def _tables(*, is_api: bool) -> list[_Table]:
    tables = []
    for pk, setup, names in service.games_of_two(_TABLES):
        sides = (_Caller(names[0]), _Caller(names[1]))
        for caller in sides:
            if is_api:
                caller.token = _token(caller.name)
            else:
                caller.sign_in()
        position = games.starting_position(games.load(service.RULESET), setup)
        tables.append(_Table(pk, sides, position))
    return tables


def _token(name: str) -> str:
    from tournaments.models import Scope, User
    from tournaments.services.accounts import tokens

    user = User.objects.get(player__name=name)
    new = tokens.create(
        user=user, password=service.PASSWORD, name="bench", scopes=[Scope.GAMES_PLAY], days=30
    )
    return new.secret


def _moves(tables: list[_Table], draw: random.Random) -> Iterator[Callable[[], None]]:
    """Yield one move after the other, of each game in turn until all are over."""
    playing = tables
    while playing:
        playing = [
            each
            for each in playing
            if each.position.outcome() is None and any(each.position.legal_moves())
        ]
        for table in playing:
            yield table.move(draw)


def _print_cost(moves: Iterator[Callable[[], None]], count: int) -> float:
    """Print the cost of a move, and return the bytes that it adds to PostgreSQL's log."""
    from django.db import connection

    backend = None if connection.vendor == "sqlite" else connection.connection.info.backend_pid
    database_s = service.processor_s(backend) if backend else 0.0
    log_bytes = _log_bytes()
    processor, clock = 0.0, 0.0
    for _ in range(count):
        send = next(moves)
        before = time.process_time(), time.perf_counter()
        send()
        processor += time.process_time() - before[0]
        clock += time.perf_counter() - before[1]
    database_s = service.processor_s(backend) - database_s if backend else 0.0
    print(
        f"a move: {1e3 * processor / count:.2f} ms of the processor here,"
        f" {1e3 * database_s / count:.2f} in PostgreSQL;"
        f" {1e3 * clock / count:.2f} ms on the clock, {count / clock:.0f} a second"
    )
    log_bytes = (_log_bytes() - log_bytes) / count
    if backend:
        print(f"log of PostgreSQL: {log_bytes:,.0f} bytes a move")
    return log_bytes


def _log_bytes() -> float:
    """Return the length of PostgreSQL's write-ahead log; 0 on SQLite."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")
        return float(cursor.fetchone()[0])


def _print_statements(send: Callable[[], None]) -> int:
    """Print the statements of a move, and return their number."""
    from django.db import connection

    rows: list[tuple[float, float, str]] = []
    last = time.thread_time()

    def note(execute: Callable[..., object], sql: str, *rest: Any) -> object:
        nonlocal last
        began = time.thread_time()
        try:
            return execute(sql, *rest)
        finally:
            ended = time.thread_time()
            rows.append((began - last, ended - began, sql))
            last = ended

    with connection.execute_wrapper(note):
        last = time.thread_time()
        send()
    rest = time.thread_time() - last
    print("  until    in it  statement")
    for until, within, sql in rows:
        print(f"  {1e3 * until:5.2f}    {1e3 * within:5.2f}  {' '.join(sql.split())[:_WIDTH]}")
    print(
        f"  {1e3 * rest:5.2f}           the answer; {len(rows)} statements, BEGIN and COMMIT apart"
    )
    return len(rows)


def _print_profile(moves: Iterator[Callable[[], None]], count: int) -> None:
    profile = cProfile.Profile()
    for _ in range(count):
        send = next(moves)
        profile.enable()
        send()
        profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    pstats.Stats(profile).sort_stats("cumtime").print_stats(110)


def _hang_up() -> None:
    from django.db import connection

    with contextlib.suppress(Exception):
        connection.close()


if __name__ == "__main__":
    os.environ.setdefault("ALLOWED_HOSTS", "127.0.0.1")
    main()
