"""The price of pages: `python -m tests.bench.pages`.

The demo in a temporary folder on SQLite, and two games between random players, one of them of The
Perfect Game?, which has the longest. Django's test client asks for each page, as the first guest, as one who finds what the process keeps
of the first, and as a member. The quickest of several times counts. CPU milliseconds, queries, and
kilobytes before compression.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import budgets

if TYPE_CHECKING:
    from django.test import Client

_ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = """
import django; django.setup()
from tests.bench import pages
pages.measure()
"""
_TIMES = 5
_COUNTS = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one page."""

    cpu_ms: float
    queries: int
    kilobytes: float


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory(prefix="rayuela-bench-") as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        for command in (["manage.py", "prepare"], ["-c", _PROGRAM]):
            subprocess.run([sys.executable, *command], cwd=_ROOT, env=environment, check=True)


def measure() -> None:
    """Print the table for the site of this process's settings."""
    import django.conf
    from django.test import Client

    from tournaments.models import Event, Game
    from tournaments.services.accounts import players
    from tournaments.services.games import game_creation
    from tournaments.services.matches import matches

    django.conf.settings.ALLOWED_HOSTS = ["testserver"]
    first, second = (players.add_bot(name=name, engine="random") for name in ("Heads", "Tails"))
    played = []
    for ruleset in ("perfect()", "morelli(size=9)"):
        match = matches.schedule(
            ruleset=ruleset,
            setup=game_creation.draw_setup(ruleset, 1),
            players=(first, second),
            clock=game_creation.Clock(600_000, 1_000),
        )
        matches.play_match(match.pk)
        played.append(Game.objects.get(match=match))
    long, short = played
    held = budgets.Held("pages")
    swiss = Event.objects.get(state="finished").get_absolute_url()
    ladder = Event.objects.get(format="ladder").get_absolute_url()
    guest, member = Client(), Client()
    member.force_login(players.sign_up(name="Reader", password="rayuela-1963"))
    print(f"the short game has {short.ply} plies, the long one {long.ply}")
    print(
        f"{'page':22} {'CPU ms: first':>13} {'guest':>6} {'member':>7} "
        f"{'SQL: first':>11} {'guest':>6} {'member':>7} {'KB':>5}"
    )
    for page, path in (
        ("front page", "/"),
        ("lobby", "/play/"),
        ("games to watch", "/play/watch/"),
        ("event", swiss),
        ("standings", f"{swiss}standings/"),
        ("crosstable", f"{swiss}crosstable/"),
        ("pairings of a round", f"{swiss}pairings/1/"),
        ("pairings of a ladder", f"{ladder}pairings/"),
        ("rules", "/games/morelli/"),
        ("leaderboard", "/leaderboard/"),
        ("player", first.get_absolute_url()),
        ("archive", "/archive/"),
        ("archive of a game", "/archive/?family=morelli"),
        ("puzzles", "/puzzles/"),
        ("form of an event", "/events/new/"),
        ("short game", short.get_absolute_url()),
        ("long game", long.get_absolute_url()),
        ("clock of it", f"{long.get_absolute_url()}clock/"),
        ("analysis of it", f"/analysis/?game={long.pk}"),
    ):
        # The form is open to members alone.
        visitor = member if page == "form of an event" else guest
        of_first, of_guest, of_member = (
            _cost(visitor, path, is_first=True),
            _cost(visitor, path),
            _cost(member, path),
        )
        held.hold(
            page,
            queries_first=of_first.queries,
            queries_guest=of_guest.queries,
            queries_member=of_member.queries,
            kB=of_guest.kilobytes,
        )
        print(
            f"{page:22} {of_first.cpu_ms:13.0f} {of_guest.cpu_ms:6.0f} {of_member.cpu_ms:7.0f} "
            f"{of_first.queries:11} {of_guest.queries:6} {of_member.queries:7} {of_guest.kilobytes:5.0f}"
        )
    held.end()


def _cost(client: Client, path: str, *, is_first: bool = False) -> Cost:
    """Return the least of several times and counts, each without the answers that the process keeps if `is_first`.

    An answer that is kept for some seconds can end between two requests on a busy machine.
    """
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    spans = []
    for _ in range(_TIMES):
        if is_first:
            cache.clear()
        began = time.process_time()
        answer = client.get(path)
        spans.append(time.process_time() - began)
        assert answer.status_code == 200, (path, answer.status_code)
    counts, sizes = [], []
    for _ in range(_COUNTS):
        if is_first:
            cache.clear()
        with CaptureQueriesContext(connection) as captured:
            sizes.append(len(client.get(path).content))
        counts.append(len(captured))
    return Cost(min(spans) * 1000, min(counts), max(sizes) / 1000)


if __name__ == "__main__":
    main()
