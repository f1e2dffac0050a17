"""Puzzles found in finished games by a worker, a few games at a time."""

from __future__ import annotations

import itertools
import logging
import random
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

import games
from engine.kernel import puzzles
from tournaments import database_time
from tournaments.models import Game, Puzzle, PuzzleSearch
from tournaments.models.games import GameQuerySet
from tournaments.queries.events import conditions
from tournaments.queries.records import game_records
from tournaments.services import enqueue

log = logging.getLogger(__name__)

# Puzzles of a game and a day. More would cost processor time that no solver asks for.
DAILY = 20
# A search begins every ten minutes on a site with new games. It takes seconds of the processor, and
# up to 40 s where a position of Morlox is looked at deeply.
_PERIOD_MINUTES = 10
_BUDGET_S = 6.0
# A busy machine gives a worker little of its time. The search of one position is not interrupted.
_MOST_S = 60.0
_PUZZLES_OF_A_GAME = 2
# Positions of the beginning have many good moves.
_FIRST_PLY = 6
# Puzzles of neighbouring positions are one puzzle.
_LEAST_DISTANCE = 8


def wake(now: datetime) -> None:
    """Ask a worker to search, every ten minutes, if games wait and the day's puzzles are not complete."""
    if now.minute % _PERIOD_MINUTES:
        return
    with transaction.atomic():
        if any(_is_due(family.name, now) for family in games.available()):
            enqueue.puzzles()


def mine() -> None:
    """Search the next finished game of each family, and load its stock first if it has no puzzles."""
    for family in games.available():
        if not Puzzle.objects.filter(family=family.name).exists():
            load_stock(family.name)
        if _is_due(family.name, database_time.now()):
            _search(family.name)


def load_stock(family: str) -> int:
    """Store the puzzles that come with the software. Return their number."""
    now = database_time.now()
    rows = [
        Puzzle(family=family, ruleset=ruleset, position=position, line=line, made_at=now)
        for ruleset, position, line in puzzles.stock(family)
    ]
    return len(Puzzle.objects.bulk_create(rows, ignore_conflicts=True))


def _is_due(family: str, now: datetime) -> bool:
    if not Puzzle.objects.filter(family=family).exists() and puzzles.stock(family):
        return True
    today = Puzzle.objects.filter(family=family, made_at__gte=now - timedelta(days=1))
    return today.exclude(game=None).count() < DAILY and _waiting(family).exists()


def _waiting(family: str) -> GameQuerySet:
    """Return the finished public games that were not searched yet, in the order of their ends.

    A game of many days ends after games that began later.
    """
    finished = Game.objects.finished().filter(
        ruleset__startswith=f"{family}(", ply__gte=2 * _FIRST_PLY, ended_at__isnull=False
    )
    last = PuzzleSearch.objects.filter(family=family).first()
    if last is not None and last.last_ended_at is not None:
        is_later = Q(ended_at__gt=last.last_ended_at)
        finished = finished.filter(is_later | Q(ended_at=last.last_ended_at, pk__gt=last.last_game))
    return conditions.visible_games(finished, None).order_by("ended_at", "pk")


def _search(family: str) -> None:
    game = _waiting(family).first()
    if game is None:
        return
    # A search that a limit or a fault ends is not repeated for ever.
    PuzzleSearch.objects.update_or_create(
        family=family, defaults={"last_game": game.pk, "last_ended_at": game.ended_at}
    )
    rows = list(itertools.islice(_in_game(family, game), _PUZZLES_OF_A_GAME))
    Puzzle.objects.bulk_create(rows, ignore_conflicts=True)
    log.info("puzzles.game game=%s puzzles=%s", game.pk, len(rows))


def _in_game(family: str, game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, of positions in a random order until the budget is spent.

    A game whose rules the kernel does not play has none.
    """
    # Loading wasmtime takes a quarter of a second, and this worker alone needs it.
    from engine.kernel.host import Kernel, KernelError

    kernel = Kernel()
    plies: list[int] = []
    until_s, until_wall_s = time.process_time() + _BUDGET_S, time.monotonic() + _MOST_S
    positions = list(game_records.record_of(game).positions())[_FIRST_PLY:]
    random.Random(game.pk).shuffle(positions)
    for position in positions:
        if time.process_time() > until_s or time.monotonic() > until_wall_s:
            return
        if any(abs(position.ply - ply) < _LEAST_DISTANCE for ply in plies):
            continue
        try:
            line = puzzles.solution(kernel, position)
        except KernelError as error:
            log.info("puzzles.none game=%s ply=%s %s", game.pk, position.ply, error)
            return
        if line:
            plies.append(position.ply)
            yield Puzzle(
                family=family,
                ruleset=position.ruleset.key,
                position=position.text(),
                line=list(line),
                game=game,
                ply=position.ply,
                made_at=database_time.now(),
            )
