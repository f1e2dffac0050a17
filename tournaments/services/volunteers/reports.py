"""Reports of volunteers' workers: checked by the rules, and a random share of them by a replay.

The site's own workers replay a match by playing it: under fuel the modules decide every ply. Their
games are those that count, and the transcripts are compared with them (`settle_due`).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from engine.programs import fuel_game
from engine.programs.fuel_game import FuelGame
from engine.volunteer import tasks
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, Match, SharedMatch, Worker, WorkerRun
from tournaments.queries.clocks import game_clocks
from tournaments.queries.matches import fuel_records, trust
from tournaments.services.games import game_end, play
from tournaments.services.matches import leases
from tournaments.services.matches.leases import Lease
from tournaments.services.notifications import news
from tournaments.services.volunteers import leasing, runs

log = logging.getLogger(__name__)

State = WorkerRun.State


def report(*, run_id: int, transcripts: Sequence[str], busy_ms: int) -> WorkerRun:
    """Take the transcripts of a match, and return the run with its new state.

    A transcript against the rules is wrong. A random share of the others waits for a replay, and the
    rest count. A repeated report has the answer of the first.

    Raises:
        StaleError: `run-over`, the lease has ended, and the match belongs to others.
        RefusedError: `transcript-long`, one is longer than that of the longest game. The lease
            remains, so that the worker can give the match back.
    """
    with transaction.atomic():
        run = runs.locked(run_id)
        if run.state != State.LEASED and run.transcripts == list(transcripts):
            return run
        lease = _held_lease(run)
        _require_lengths(run, transcripts)
        run.transcripts = list(transcripts)
        run.busy_ms = min(busy_ms, 2**31 - 1)
        try:
            played = _checked(run)
        except tasks.WrongTranscriptError as error:
            [game, *_others] = leasing.open_games(run)
            _hand_over(run)
            _convict(run, game, error.ply, error.detail)
            return run
        run.fuel = sum(game.fuel * len(game.record.moves) for game in played)
        if secrets.randbelow(trust.PARTS) < trust.share(runs.verified_by(run.worker)):
            _hand_over(run)
            runs.conclude(run, State.CHECKING)
        else:
            _count(run, lease, played)
            runs.conclude(run, State.COUNTED)
        return run


def give_back(*, run_id: int, reason: str) -> WorkerRun:
    """Leave a match to the site, and return the run. Raises StaleError `run-over`."""
    with transaction.atomic():
        run = runs.locked(run_id)
        if run.state == State.RETURNED:
            return run
        _held_lease(run)
        SharedMatch.objects.filter(match=run.match_id).delete()
        runs.release(run, State.RETURNED, reason)
        return run


def settle_due(now: datetime) -> None:
    """End the leases that are over, and compare transcripts with the games that were played again."""
    for pk in leases.lost_by_volunteers(now).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            run = runs.locked(pk)
            if run.state == State.LEASED:
                runs.release(run, State.LOST, "")
    ended = [Match.State.DONE, Match.State.FAILED]
    checking = WorkerRun.objects.filter(state=State.CHECKING, match__state__in=ended)
    for pk in checking.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            run = runs.locked(pk)
            if run.state == State.CHECKING:
                _compare(run)


def _held_lease(run: WorkerRun) -> Lease:
    """Return the lease of the run, and lock its match. Raises StaleError `run-over`."""
    lease = Lease(run.match_id, run.attempt)
    is_held = lease.held().select_for_update(no_key=True).exists()
    if run.state != State.LEASED or not is_held:
        raise StaleError("run-over", str(run.pk))
    return lease


def _require_lengths(run: WorkerRun, transcripts: Sequence[str]) -> None:
    """Raise RefusedError `transcript-long` for a transcript that no game of the run has."""
    for task, text in zip(leasing.tasks_of(run), transcripts, strict=False):
        try:
            tasks.require_length(task, text)
        except tasks.LongTranscriptError as error:
            raise RefusedError("transcript-long", str(error)) from error


def _checked(run: WorkerRun) -> list[FuelGame]:
    """Return the games of the transcripts. Raises WrongTranscriptError."""
    expected = leasing.tasks_of(run)
    if len(run.transcripts) != len(expected):
        detail = f"{len(run.transcripts)} transcripts of {len(expected)} games"
        raise tasks.WrongTranscriptError(detail)
    pairs = zip(expected, run.transcripts, strict=True)
    return [tasks.checked(task, text) for task, text in pairs]


def _hand_over(run: WorkerRun) -> None:
    """Let the site's own workers play the match, and no volunteer."""
    SharedMatch.objects.filter(match=run.match_id).delete()
    runs.queue(run)


def _count(run: WorkerRun, lease: Lease, played: Sequence[FuelGame]) -> None:
    """Record the games as the referee of a worker does, and end the match."""
    for game, text in zip(leasing.open_games(run), played, strict=True):
        game.fuel_meter = fuel_game.meter()
        Game.objects.filter(pk=game.pk).update(fuel_meter=game.fuel_meter)
        step, plies = None, play.Plies(game)
        for move in text.record.moves:
            step = play.step_of(game, move)
            plies.add(step, side=game.side_to_move, turn=game_clocks.Turn(0))
        plies.write()
        if step is not None:
            play.conclude_ply(game, step)
        if text.record.ending == "resignation":
            assert text.record.outcome is not None, "it was checked"
            result = text.record.outcome.value
            game_end.finish_game(game, result=result, ending=Game.Ending.RESIGNATION)
    lease.end()


def _convict(run: WorkerRun, game: Game, ply: int | None, detail: str) -> None:
    """Stop the worker of a wrong transcript, and tell its owner and the author of the match.

    `game` is the one with the first difference.
    """
    now = database_time.now()
    run.ply, run.detail = ply, detail[:300]
    runs.conclude(run, State.WRONG)
    stopped = {"stopped_at": now, "stop_code": Worker.Stop.WRONG}
    Worker.objects.filter(pk=run.worker_id).update(**stopped)
    for other in run.worker.runs.filter(state=State.LEASED).select_related("match"):
        runs.release(other, State.RETURNED, "the worker was stopped")
    log.warning("worker.wrong worker=%s match=%s ply=%s", run.worker_id, run.match_id, ply)
    concerned = [pk for pk in (run.worker.owner_id, run.match.requester_id) if pk is not None]
    payload = {"worker": run.worker.name, "ply": ply or 0, "game": game.pk}
    news.announce_to_accounts(concerned, "worker-wrong", payload)


def _compare(run: WorkerRun) -> None:
    """Compare the transcripts with the games of the site, and verify or convict."""
    games = run.match.games.filter(attempt__gt=run.attempt)
    replayed = list(games.with_players().order_by("number"))
    try:
        records = [fuel_records.record_of(game).record for game in replayed]
    except StaleError:  # its games were called off, or have no result that counts
        records = []
    if len(records) != len(run.transcripts):
        run.detail = "the match has no games to compare with"
        runs.conclude(run, State.RETURNED)
        return
    for game, transcript, record in zip(replayed, run.transcripts, records, strict=True):
        reported = fuel_game.parse_fuel_game(transcript).record
        ply = tasks.first_difference(reported, record)
        if ply is not None:
            _convict(run, game, ply, f"game {game.number} differs from the replay at ply {ply}")
            return
    runs.conclude(run, State.VERIFIED)
