"""Checks of games by fuel with remote bots: whether the plies that were sent are those of the modules.

A worker checks some of them, drawn at random after the game, so that the sender cannot know them.
Each takes no more time than the ply itself. The owner of the modules can check all of them (`python
-m engine verify`). A side whose ply its module does not play has lost by forfeit.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from engine.errors import EngineError, MatchAbortedError
from engine.programs import UploadRefusedError, fuel_game, fuel_plies
from engine.programs.fuel_errors import UndecidedError
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import FuelCheck, Game
from tournaments.queries.matches import fuel_records
from tournaments.services.accounts import house_account
from tournaments.services.arbiter import corrections
from tournaments.services.bots import programs, sandbox_status
from tournaments.services.ratings import recomputations

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
# A bot that played every tenth ply by other means is found with probability one half.
PLIES = 6
_FORFEITS = {
    ("first",): Game.Result.SECOND_FORFEIT,
    ("second",): Game.Result.FIRST_FORFEIT,
    ("first", "second"): Game.Result.DOUBLE_FORFEIT,
}


def due(now: datetime, *, since: timedelta) -> list[int]:
    """Return the games whose check waits, and for which no worker was called during `since`."""
    rows = FuelCheck.objects.due(now)
    forgotten = rows.filter(woken_at=None) | rows.filter(woken_at__lt=now - since)
    return [
        key
        for key in forgotten.order_by("pk").values_list("pk", flat=True)[:20]
        if FuelCheck.objects.filter(pk=key).update(woken_at=now)
    ]


def check(game_id: int) -> bool:
    """Check plies of remote bots in a game that is over, and return whether there is a verdict now."""
    if sandbox_status.isolator() is None:
        return False
    now = database_time.now()
    claimed = FuelCheck.objects.due(now).filter(pk=game_id)
    if claimed.update(lease_until=now + LEASE, attempts=F("attempts") + 1) != 1:
        return False
    row = FuelCheck.objects.select_related("game").get(pk=game_id)
    game = Game.objects.with_players().get(pk=game_id)
    if row.attempts > MAX_ATTEMPTS or game.fuel_meter != fuel_game.meter():
        return _conclude(row, FuelCheck.Verdict.UNDECIDED, [], [])
    moves = list(
        game.plies.filter(attempt=game.attempt).order_by("number").values_list("move", flat=True)
    )
    numbers = _drawn(game)
    try:
        different = [number for number in numbers if _differs(row, game, moves, number)]
    except MatchAbortedError:
        return False
    except (UndecidedError, EngineError, OSError):
        log.exception("fuel-check.fault game=%s attempt=%s", game_id, row.attempts)
        FuelCheck.objects.filter(pk=row.pk, attempts=row.attempts).update(lease_until=None)
        return False
    verdict = FuelCheck.Verdict.DIFFERENT if different else FuelCheck.Verdict.CONFIRMED
    return _conclude(row, verdict, numbers, different)


def _drawn(game: Game) -> list[int]:
    """Return the numbers of the plies to check, equally many of both sides, up to `PLIES`."""
    lots = random.SystemRandom()
    numbers: list[int] = []
    for side in ("first", "second"):
        if game.player_on(side).is_remote:
            own = game.plies.filter(attempt=game.attempt, side=side)
            own_numbers = sorted(own.values_list("number", flat=True))
            numbers += lots.sample(own_numbers, min(PLIES, len(own_numbers)))
    return sorted(numbers)


def _differs(row: FuelCheck, game: Game, moves: Sequence[str], number: int) -> bool:
    """Return whether the module of the ply's side does not play it."""
    side = game.plies.get(attempt=game.attempt, number=number).side
    digest = fuel_records.module_of(game.player_on(side)).digest
    try:
        program = programs.local(digest)
    except UploadRefusedError:
        return True  # nobody can have had a ply from what is no module
    turn = fuel_records.turn_of(game, moves[: number - 1])
    reply = fuel_plies.choose(
        program, turn, launcher=sandbox_status.launcher(), on_wait=lambda: _renew(row)
    )
    return fuel_plies.move_of(reply) != moves[number - 1]


def _renew(row: FuelCheck) -> None:
    own = FuelCheck.objects.filter(pk=row.pk, attempts=row.attempts)
    if own.update(lease_until=database_time.now() + LEASE) != 1:
        raise MatchAbortedError("the lease is lost")


def _conclude(
    row: FuelCheck, verdict: FuelCheck.Verdict, numbers: list[int], different: list[int]
) -> bool:
    """Write the verdict down, and let a result follow from plies that differ."""
    with transaction.atomic():
        own = FuelCheck.objects.filter(
            pk=row.pk, attempts=row.attempts, verdict=FuelCheck.Verdict.OPEN
        )
        changes = {"plies": numbers, "different_plies": different, "lease_until": None}
        if own.update(verdict=verdict, checked_at=database_time.now(), **changes) != 1:
            return False
        if different:
            _forfeit(row.game, different)
    log.info("fuel-check game=%s verdict=%s plies=%s", row.pk, verdict, numbers)
    return True


def _forfeit(game: Game, numbers: Sequence[int]) -> None:
    sides = game.plies.filter(attempt=game.attempt, number__in=numbers)
    losers = tuple(sorted(set(sides.values_list("side", flat=True))))
    reason = f"Ply {numbers[0]} is not that of the module."
    try:
        with transaction.atomic():
            correction = corrections.correct_result(
                game_id=game.pk,
                actor=house_account.account(),
                result=_FORFEITS[losers],
                reason=reason,
            )
            if correction.game.pool is not None:
                recomputations.follow(correction.game.pool, [correction])
            corrections.tell([correction])
    except RefusedError as refusal:  # a draw has gone on from it; the verdict stands all the same
        log.warning("fuel-check.late game=%s %s", game.pk, refusal)
