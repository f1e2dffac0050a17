"""Matches of bots: scheduled as rows, claimed by lease, played by the referee, recorded exactly once."""

from __future__ import annotations

import logging
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

import games
from engine import referee
from engine.clock import Fischer
from engine.errors import EngineError, MatchAbortedError
from engine.match import Ending, MatchSpec
from tournaments.models import Game, Match
from tournaments.models.bots import MAX_LOSSES
from tournaments.services import (
    beginnings,
    boxes,
    conduct,
    play,
    pools,
    predictions,
    programs,
    wake,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from engine.match import BotSpec, GameReport, PlyEvent
    from tournaments.models import Pairing, Player

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
# Plies are recorded together when they come faster than this.
_FLUSH = timedelta(milliseconds=250)
_BATCH = 500
_WOKEN_AT_ONCE = 200
# Exhibitions fill their worker for minutes; this many at most, so that one is always free for events.
MAX_EXHIBITED = 2


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play a match: reports count only while the match is at this attempt."""

    match_id: int
    attempt: int


def schedule(
    *,
    ruleset: str,
    setup: str,
    players: tuple[Player, Player],
    clock: beginnings.Clock,
    games_count: int = 1,
    is_rated: bool = True,
    pairing: Pairing | None = None,
    pace_ms: int = 0,
    encores: int = 0,
    due_at: datetime | None = None,
) -> Match:
    """A match with its games, sides exchanged in the second; `players[0]` has the first ply of the first."""
    with transaction.atomic():
        now = timezone.now()
        match = Match.objects.create(
            due_at=due_at or now, created_at=now, woken_at=now, pace_ms=pace_ms, encores=encores
        )
        for number in range(1, games_count + 1):
            first, second = players if number == 1 else reversed(players)
            beginnings.create_game(
                ruleset=ruleset,
                setup=setup,
                first=first,
                second=second,
                clock=clock,
                is_rated=is_rated,
                pairing=pairing,
                match=match,
                number=number,
            )
        if match.due_at <= now:
            wake.match(match.pk)
        return match


def schedule_games(made: Sequence[Game], *, games_count: int = 1, pace_ms: int = 0) -> list[Game]:
    """A match for each of these new games of bots, with `games_count` games of it, sides exchanged in every second one.

    In the caller's transaction; returns the games as saved. Many matches at once are found by the tick, few are woken here.
    """
    now = timezone.now()
    woken = len(made) <= _WOKEN_AT_ONCE
    scheduled = Match.objects.bulk_create(
        [
            Match(due_at=now, created_at=now, woken_at=now if woken else None, pace_ms=pace_ms)
            for _ in made
        ],
        batch_size=_BATCH,
    )
    every = []
    for game, match in zip(made, scheduled, strict=True):
        for number in range(1, games_count + 1):
            other = copy(game)
            other.match, other.number = match, game.number + number - 1
            if number % 2 == 0:
                other.first, other.second = game.second, game.first
            every.append(other)
        if woken:
            wake.match(match.pk)
    pools.house(every)
    predictions.foresee(every)
    return Game.objects.bulk_create(every, batch_size=_BATCH)


def claim(match_id: int) -> Lease | None:
    """Take a due match for this worker, or None: somebody has it, it is over, or too many exhibitions run.

    A match whose worker was lost is claimed again, its unfinished games from their start; after three losses it is given up.
    """
    with transaction.atomic():
        now = timezone.now()
        match = Match.objects.select_for_update().due(now).filter(pk=match_id).first()
        if match is None:
            return None
        losses = match.losses + (match.state == Match.State.LEASED)
        if losses >= MAX_LOSSES:
            _give_up(match)
            return None
        if (
            match.pace_ms
            and Match.objects.exhibited().exclude(pk=match_id).count() >= MAX_EXHIBITED
        ):
            return None
        changed = (
            Match.objects.due(now)
            .filter(pk=match_id, attempt=match.attempt)
            .update(
                state=Match.State.LEASED,
                lease_until=now + LEASE,
                attempt=F("attempt") + 1,
                losses=losses,
            )
        )
        if changed != 1:
            return None
        attempt = match.attempt + 1
        for game in match.games.ongoing():
            beginnings.restart(game, attempt=attempt)
        return Lease(match_id, attempt)


def play_match(match_id: int) -> bool:
    """Claim the match, play its unfinished games and record them; whether this call did so.

    No transaction is open while the bots think. A worker that lost its lease stops and records nothing more.
    """
    lease = claim(match_id)
    if lease is None:
        return False
    unfinished = list(
        Game.objects.ongoing().filter(match_id=match_id).order_by("number").with_players()
    )
    recorder = Recorder(lease, unfinished)
    try:
        if unfinished:
            spec = _spec(lease, unfinished, recorder.pace_ms)
            referee.play_match(spec, observer=recorder, launcher=boxes.launcher(spec.players))
        recorder.close()
    except MatchAbortedError as error:
        log.warning("match.aborted match=%s attempt=%s reason=%s", match_id, lease.attempt, error)
        return False
    except (EngineError, games.RulesError) as error:
        log.exception("match.fault match=%s attempt=%s", match_id, lease.attempt)
        _release(lease, str(error))
        return False
    return True


def _spec(lease: Lease, unfinished: Sequence[Game], pace_ms: int) -> MatchSpec:
    game = unfinished[0]
    # Bots that draw lots draw others in every match and attempt, and the same ones when it is looked into later.
    seed = lease.match_id * 10 + lease.attempt
    return MatchSpec(
        ruleset=game.ruleset,
        setup=game.setup,
        players=(bot_spec(game.first, seed), bot_spec(game.second, seed + 1_000_000_007)),
        control=Fischer(game.clock_initial_ms, game.clock_increment_ms),
        games=len(unfinished),
        pace_ms=pace_ms,
    )


def bot_spec(player: Player, seed: int) -> BotSpec:
    """How to start the program behind a bot player; `seed` is for bots that draw lots."""
    return programs.spec(player.bot, seed)


class Recorder:
    """Writes a match down while it is played; every write renews the lease and stops the match when it is lost."""

    def __init__(self, lease: Lease, unfinished: Sequence[Game]) -> None:
        self._lease = lease
        self._games = unfinished
        self._waiting: list[PlyEvent] = []
        self._written_at = timezone.now()
        self.pace_ms = Match.objects.get(pk=lease.match_id).pace_ms

    def game_started(self, game: int) -> None:
        """Nothing to write yet."""

    def ply_played(self, event: PlyEvent) -> None:
        """Keep the ply; write when the last writing is some time ago."""
        self._waiting.append(event)
        if timezone.now() - self._written_at >= _FLUSH:
            self._write()

    def waiting(self) -> None:
        """A quiet moment: write what is there and renew the lease."""
        self._write()

    def game_ended(self, report: GameReport) -> None:
        """Write the rest, and the result when it did not follow from the rules."""
        if report.ending is Ending.VOID or report.outcome is None:
            _release(self._lease, report.detail)
            raise MatchAbortedError(f"void: {report.detail}")
        outcome = report.outcome
        with transaction.atomic():
            self._write()
            if report.ending is not Ending.RULES:
                play.finish_game(
                    self._games[report.index],
                    result=outcome.value,
                    ending=report.ending.value,
                    detail=report.detail,
                )
            conduct.judge(self._games[report.index])

    def close(self) -> None:
        """The match is played; an exhibition is scheduled again with the sides exchanged."""
        with transaction.atomic():
            changed = self._held().update(state=Match.State.DONE, lease_until=None)
            if changed == 1 and self._games:
                _encore(Match.objects.get(pk=self._lease.match_id), self._games[-1])

    def _held(self) -> QuerySet[Match]:
        return Match.objects.filter(
            pk=self._lease.match_id, attempt=self._lease.attempt, state=Match.State.LEASED
        )

    def _write(self) -> None:
        with transaction.atomic():
            now = timezone.now()
            if self._held().update(lease_until=now + LEASE) != 1:
                raise MatchAbortedError("the lease is lost")
            for index, game in enumerate(self._games):
                self._write_game(game, [e for e in self._waiting if e.game == index])
            self._waiting.clear()
            self._written_at = now

    def _write_game(self, game: Game, events: Sequence[PlyEvent]) -> None:
        step = None
        for event in events:
            # Played again by the rules here: what is recorded was never taken from the referee's word alone.
            step = play.played(game, event.ply.move)
            play.add_ply(game, step, side=event.ply.side.value, spent_ms=event.ply.charged_ms)
        if step is not None:
            play.conclude_ply(game, step)


def _release(lease: Lease, fault: str) -> None:
    """Give the match back after a fault of ours: it is played again, never scored."""
    Match.objects.filter(pk=lease.match_id, attempt=lease.attempt, state=Match.State.LEASED).update(
        state=Match.State.QUEUED,
        lease_until=None,
        losses=F("losses") + 1,
        due_at=timezone.now() + timedelta(seconds=5),
        fault=fault[:300],
    )


def release_orphans() -> int:
    """Give back every match that is being played; how many. Only for who knows that no worker runs: `manage.py up`."""
    return Match.objects.filter(state=Match.State.LEASED).update(
        state=Match.State.QUEUED, lease_until=None, woken_at=None
    )


def _give_up(match: Match) -> None:
    """Three workers could not finish it: its games are void and the event goes on."""
    match.state = Match.State.FAILED
    match.lease_until = None
    match.save(update_fields=["state", "lease_until"])
    log.error("match.given-up match=%s fault=%s", match.pk, match.fault)
    for game in match.games.ongoing().with_players():
        play.finish_game(
            game, result=Game.Result.VOID, ending=Game.Ending.FAULT, detail=match.fault
        )


def _encore(match: Match, last: Game) -> None:
    if match.encores == 0:
        return
    seed = match.pk * 1_000_003 + last.pk
    schedule(
        ruleset=last.ruleset,
        setup=beginnings.draw_setup(last.ruleset, seed),
        players=(last.second, last.first),
        clock=beginnings.Clock(last.clock_initial_ms, last.clock_increment_ms),
        is_rated=last.is_rated,
        pace_ms=match.pace_ms,
        encores=match.encores - 1,
        due_at=timezone.now() + timedelta(seconds=20),
    )
