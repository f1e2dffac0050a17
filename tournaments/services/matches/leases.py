"""Leases: the right of one worker to play a match.

A lease is renewed while it plays, and released or lost when the worker is silent.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from engine.errors import MatchAbortedError
from tournaments import database_time
from tournaments.models import Game, Match, WorkerRun, statements
from tournaments.models.bots import MAX_LOSSES
from tournaments.services.games import game_creation, game_end

log = logging.getLogger(__name__)

# Renewed about once a second. Another worker takes the match of a silent worker within this time
# and two ticks.
LEASE = timedelta(seconds=20)
# The delays after each of our faults: a laptop that is busy for some minutes voids no game.
_AFTER_FAULTS = (timedelta(seconds=5), timedelta(minutes=1), timedelta(minutes=5))
# While the machine is too busy for its bots a match is tried again after the first pause, then after
# twice as long each time, up to the longest.
_FIRST_PAUSE = timedelta(seconds=15)
_LONGEST_PAUSE = timedelta(minutes=10)
# Matches whose last claim is a volunteer's.
IS_LENT = Exists(WorkerRun.objects.filter(match=OuterRef("pk"), attempt=OuterRef("attempt")))
# Exhibitions occupy their worker for minutes. This limit leaves a worker free for events.
MAX_EXHIBITIONS = 2


def _held_by(match: int, attempt: int) -> QuerySet[Match]:
    return Match.objects.filter(pk=match, attempt=attempt, state=Match.State.LEASED)


_held = statements.query(_held_by)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play a match: reports count only while the match is at this attempt."""

    match_id: int
    attempt: int

    def held(self) -> QuerySet[Match]:
        """The match, as long as the lease is held."""
        return _held_by(self.match_id, self.attempt)

    def renew(self) -> None:
        """Hold it for another while. Raises MatchAbortedError when it is lost."""
        until = {"lease_until": database_time.now() + LEASE}
        if _held.update(until, match=self.match_id, attempt=self.attempt) != 1:
            raise MatchAbortedError("the lease is lost")

    def end(self) -> None:
        """All games are over."""
        self.held().update(state=Match.State.DONE, lease_until=None, ended_at=database_time.now())

    def put_off(self, fault: str) -> None:
        """Give the match back because the machine is busy or full: it waits, and is never given up for that."""
        for waits in self.held().values_list("waits", flat=True):
            pause = min(_FIRST_PAUSE * 2 ** min(waits, 10), _LONGEST_PAUSE)
            self.held().update(
                state=Match.State.QUEUED,
                lease_until=None,
                waits=waits + 1,
                due_at=database_time.now() + pause,
                fault=fault[:300],
            )

    def release(self, fault: str) -> None:
        """Release the match after our fault: it is played again later, never scored."""
        for losses in self.held().values_list("losses", flat=True):
            self.held().update(
                state=Match.State.QUEUED,
                lease_until=None,
                losses=losses + 1,
                due_at=database_time.now() + _AFTER_FAULTS[min(losses, len(_AFTER_FAULTS) - 1)],
                fault=fault[:300],
            )


def claim(match_id: int) -> Lease | None:
    """Claim a due match for this worker.

    Returns None if another worker has it, if it is over, or if too many exhibitions run.

    A match whose worker was lost is claimed again, with its unfinished games from their start.
    After three losses it is given up. A volunteer's worker that is silent is no loss.
    """
    with transaction.atomic(savepoint=False):
        now = database_time.now()
        match = Match.objects.select_for_update(no_key=True).due(now).filter(pk=match_id).first()
        if match is None:
            return None
        is_lost = match.state == Match.State.LEASED and not is_lent(match)
        losses = match.losses + is_lost
        if losses >= MAX_LOSSES:
            give_up(match)
            return None
        if (
            match.pace_ms
            and Match.objects.exhibited().exclude(pk=match_id).count() >= MAX_EXHIBITIONS
        ):
            return None
        updated_rows = (
            Match.objects.due(now)
            .filter(pk=match_id, attempt=match.attempt)
            .update(
                state=Match.State.LEASED,
                lease_until=now + LEASE,
                began_at=now,
                attempt=F("attempt") + 1,
                losses=losses,
            )
        )
        if updated_rows != 1:
            return None
        attempt = match.attempt + 1
        for game in match.games.ongoing().filter(attempt__lt=attempt):
            game_creation.restart(game, attempt=attempt)
        return Lease(match_id, attempt)


def is_lent(match: Match) -> bool:
    """Return whether the last claim of the match is a volunteer's."""
    return Match.objects.filter(IS_LENT, pk=match.pk).exists()


def lost_by_volunteers(now: datetime) -> QuerySet[WorkerRun]:
    """Return the runs of volunteers whose lease has ended, or whose match was claimed again."""
    open_runs = WorkerRun.objects.filter(state=WorkerRun.State.LEASED)
    is_held = Q(match__state=Match.State.LEASED, match__attempt=F("attempt"))
    return open_runs.exclude(is_held & Q(match__lease_until__gte=now))


def release_orphans() -> int:
    """Release every match that is being played here, and return their number.

    The caller must know that no worker of the site runs: `manage.py up`. Volunteers continue.
    """
    return Match.objects.filter(~IS_LENT, state=Match.State.LEASED).update(
        state=Match.State.QUEUED, lease_until=None, woken_at=None
    )


def give_up(match: Match) -> None:
    """Void the games of a match that three workers could not finish.

    Its event continues.
    """
    match.state = Match.State.FAILED
    match.lease_until = None
    match.save(update_fields=["state", "lease_until"])
    log.error("match.given-up match=%s fault=%s", match.pk, match.fault)
    for game in match.games.ongoing().with_players():
        game_end.finish_game(
            game, result=Game.Result.VOID, ending=Game.Ending.FAULT, detail=match.fault
        )
