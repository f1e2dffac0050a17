"""The price of every page in a large event: `python -m tests.bench.cost [PLAYERS...]`.

For each size (1,000 and 5,000) a Swiss by the Dutch system on SQLite in a temporary folder. It has
a first round that is over, with all players in one score group, and a second one half of whose
games have ended. Then Django's test client walks the table of addresses as a guest, every address
that answers a GET.

The table has CPU milliseconds of these requests:

* the most expensive of the first requests of a process without a cache (those that were answered
  202, and the page after them)
* the worker that was sent for
* the quickest of three requests after it
* one for the head alone
* one whose tag still holds (304)

It also has kilobytes before compression. The command fails if a request costs more than the limit
of its size.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test import Client
    from django.urls import URLPattern

_ROOT = Path(__file__).resolve().parents[2]
_SIZES = (1000, 5000)
_TIMES = 3
_MOST_TRIES = 5
# Ids of the rows for which a worker was sent.
_pks: list[int] = []
# CPU milliseconds: the largest field, and the limit of a page there.
_LIMITS_MS = {1000: 100, 5000: 500}
_PROGRAM = """
import django; django.setup()
from tests.bench import cost
cost.measure({players})
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one address, in CPU milliseconds, and its kilobytes.

    `unchanged_ms` is None without a tag.
    """

    first_ms: float
    worker_ms: float
    again_ms: float
    head_ms: float
    unchanged_ms: float | None
    kilobytes: float


def main() -> None:
    """Print a table for each size."""
    sizes = [int(word) for word in sys.argv[1:]] or list(_SIZES)
    for players in sizes:
        with tempfile.TemporaryDirectory(prefix="rayuela-cost-") as home:
            environment = {
                **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
                "RAYUELA_HOME": home,
                "RAYUELA_NO_BOOTSTRAP": "1",
                "LOG_LEVEL": "CRITICAL",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            }
            program = [sys.executable, "-c", _PROGRAM.format(players=players)]
            subprocess.run(program, cwd=_ROOT, env=environment, check=True)


def measure(players: int) -> None:
    """Print the table of one size for the empty site of this process's settings.

    A row that passes the limit is marked.
    """
    import django.conf
    from django.core.management import call_command
    from django.test import Client

    from tournaments.services import enqueue

    django.conf.settings.ALLOWED_HOSTS = ["testserver"]
    logging.getLogger("django.request").setLevel(logging.CRITICAL)
    call_command("migrate", verbosity=0)
    _build(players)
    limit = next((ms for size, ms in _LIMITS_MS.items() if players <= size), None)
    print(f"\n{players} players, limit {limit} ms of CPU")
    print(
        f"{'address':52} {'first':>7} {'worker':>7} {'again':>7} {'HEAD':>5} {'304':>5} {'KB':>6}"
    )
    client = Client()
    client.get("/games/")  # whatever is loaded once
    enqueue.computation = _pks.append  # type: ignore[assignment]  # the worker is this process
    over = []
    for path in sorted(set(_paths())):
        cost = _cost(client, path)
        if cost is None:
            continue
        unchanged = "" if cost.unchanged_ms is None else f"{cost.unchanged_ms:.0f}"
        dearest_ms = max(cost.first_ms, cost.again_ms, cost.head_ms)
        is_over = limit is not None and dearest_ms > limit
        over += [path] if is_over else []
        print(
            f"{path:52} {cost.first_ms:7.0f} {cost.worker_ms:7.0f} {cost.again_ms:7.0f} "
            f"{cost.head_ms:5.0f} {unchanged:>5} {cost.kilobytes:6.0f}{' !' if is_over else ''}",
            flush=True,
        )
    if over:
        print("over the limit:", *over)


def _build(players: int) -> None:
    from tests.tournaments import large_events
    from tournaments.models import Game
    from tournaments.services.rounds import lifecycle, publication, rounds

    event = large_events.published(players, "Player")
    large_events.decide(event, 1)
    lifecycle.advance_event(event.pk)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    half = Game.objects.ongoing().filter(pairing__event=event).order_by("pk")
    large_events.decide(event, 2, half.count() // 2)


def _paths() -> Iterator[str]:
    """Yield every address with the values that this site has for its parts."""
    from tournaments.models import Event, Game, Player

    values: dict[str, list[str]] = {
        "slug": [Event.objects.get().slug],
        "number": ["1", "2"],
        "board": ["1", "77"],
        "tpn": ["1"],
        "kind": ["pairings", "names", "slips", "standings", "crosstable"],
        "family": ["morelli"],
        "name": ["bots"],
        "pool": ["morelli-5"],
    }
    game, player = str(Game.objects.first().pk), str(Player.objects.order_by("pk")[5].pk)  # type: ignore[union-attr]  # there are thousands
    for pattern in _patterns(import_module("tournaments.urls").urlpatterns):
        route = str(pattern.pattern)
        if "<uidb64>" in route or "<str:" in route:
            continue  # secrets of an account
        of_pk = {"game/": game, "embed/game/": game, "players/": player}
        pk = next((value for start, value in of_pk.items() if route.startswith(start)), "1")
        yield from _filled("/" + route, {**values, "pk": [pk], "other": ["7"], "game_pk": [game]})
    slug = values["slug"][0]
    yield f"/events/{slug}/standings/?page=3"
    yield f"/events/{slug}/standings/?find=player+77"
    yield f"/events/{slug}/standings/?of=5&by=BH"
    yield f"/events/{slug}/pairings/1/boards/1/?who=1&other=9"


def _patterns(patterns: list[URLPattern]) -> Iterator[URLPattern]:
    for each in patterns:
        yield from _patterns(each.url_patterns) if hasattr(each, "url_patterns") else [each]


def _filled(route: str, values: dict[str, list[str]]) -> Iterator[str]:
    start, bracket, rest = route.partition("<")
    if not bracket:
        yield route
        return
    part, _, rest = rest.partition(">")
    for value in values.get(part.rpartition(":")[2], ["1"]):
        yield from _filled(f"{start}{value}{rest}", values)


def _cost(client: Client, path: str) -> Cost | None:
    """Return the cost of the address, or None if it answers no GET, or not a guest's."""
    from django.core.cache import cache

    from tournaments.services.arbiter import explanations
    from tournaments.services.results import computations

    cache.clear()
    answer, first_ms = _timed(lambda: client.get(path))
    worker_ms = 0.0
    for _ in range(_MOST_TRIES):
        if answer.status_code != HTTPStatus.ACCEPTED:
            break
        while _pks:
            worker_ms += _timed(partial(computations.work, _pks.pop()))[1]
            explanations.forget()  # that was another process
        answer, spent_ms = _timed(lambda: client.get(path))
        first_ms = max(first_ms, spent_ms)
    if answer.status_code != HTTPStatus.OK:
        return None
    spans = []
    for _ in range(_TIMES):
        answer, spent_ms = _timed(lambda: client.get(path))
        spans.append(spent_ms)
    size = len(b"".join(answer) if answer.streaming else answer.content)
    _, head_ms = _timed(lambda: client.head(path))
    unchanged_ms = None
    if tag := answer.headers.get("ETag"):
        answer, spent_ms = _timed(lambda: client.get(path, headers={"if-none-match": tag}))
        unchanged_ms = spent_ms if answer.status_code == HTTPStatus.NOT_MODIFIED else None
    return Cost(first_ms, worker_ms, min(spans), head_ms, unchanged_ms, size / 1000)


def _timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """Return the answer, its stream read, and its CPU milliseconds."""
    began = time.process_time()
    result = act()
    if getattr(result, "streaming", False):
        result.streaming_content = list(result.streaming_content)
    return result, (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
