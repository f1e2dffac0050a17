"""Runs of volunteers' workers: leases of matches, and how they end."""

from __future__ import annotations

from datetime import datetime

from tournaments import database_time
from tournaments.models import Match, Worker, WorkerRun
from tournaments.services.matches import dispatch
from tournaments.services.matches.leases import Lease


def locked(run_id: int) -> WorkerRun:
    """Return the run with its worker, both locked: the checks of one worker are drawn in order."""
    run = WorkerRun.objects.get(pk=run_id)
    worker = Worker.objects.select_for_update(no_key=True).get(pk=run.worker_id)
    rows = WorkerRun.objects.select_for_update(of=("self",), no_key=True).select_related("match")
    run = rows.get(pk=run_id)
    run.worker = worker
    return run


def queue(run: WorkerRun) -> None:
    """Queue the match of a run again, unless another worker has claimed it."""
    now = database_time.now()
    columns = {"state": Match.State.QUEUED, "lease_until": None, "woken_at": None, "due_at": now}
    Lease(run.match_id, run.attempt).held().update(**columns)
    dispatch.wake_next(now)


def release(run: WorkerRun, state: WorkerRun.State, detail: str = "") -> None:
    """End a run whose match is played again, by anyone who may. In the caller's transaction."""
    queue(run)
    run.detail = detail[:300]
    conclude(run, state)


def conclude(run: WorkerRun, state: WorkerRun.State) -> None:
    """End a run, with its columns as they are."""
    run.state, run.ended_at = state, database_time.now()
    run.save()


def forget_transcripts(before: datetime, *, at_most: int) -> int:
    """Remove the transcripts of runs that ended before that moment. Return their number.

    The games of the site have the same plies. The runs remain, by which trust is counted, and so do wrong
    transcripts, which are evidence, and those that wait for a replay.
    """
    needed = [WorkerRun.State.LEASED, WorkerRun.State.CHECKING, WorkerRun.State.WRONG]
    rows = WorkerRun.objects.filter(has_transcripts=True, ended_at__lt=before)
    batch = rows.exclude(state__in=needed).order_by("ended_at").values_list("pk", flat=True)
    chosen = WorkerRun.objects.filter(pk__in=list(batch[:at_most]))
    return chosen.update(transcripts=[], has_transcripts=False)


def verified_by(worker: Worker) -> int:
    """Return the number of the worker's verified results."""
    return worker.runs.filter(state=WorkerRun.State.VERIFIED).count()
