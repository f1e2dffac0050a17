"""Enrolment of volunteers' machines, by their accounts."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from engine.volunteer import tasks
from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import User, Worker, WorkerRun
from tournaments.models.volunteers import MAX_PROCESSES
from tournaments.services.volunteers import runs

WORKERS_AN_ACCOUNT = 20
# An account whose workers were found wrong this often enrols no more.
MOST_WRONG = 3


@dataclass(frozen=True, slots=True)
class Description:
    """A machine as its worker describes it."""

    name: str
    machine: str = ""
    processes: int = 1


def enrol(*, owner: User, description: Description) -> Worker:
    """Enrol a machine, or resume the one of this name, and return its worker.

    A worker that enrols again has begun again: the matches that it had are played by others.

    Raises:
        NotAllowedError: `worker-wrong` for a worker that was stopped because of a wrong transcript,
            or an account with `MOST_WRONG` of them.
        RefusedError: `worker-name`, `worker-processes`, `workers-many`.
    """
    name = description.name.strip()
    if not 1 <= len(name) <= 60 or not name.isprintable():
        raise RefusedError("worker-name", name[:60])
    if not 1 <= description.processes <= MAX_PROCESSES:
        raise RefusedError("worker-processes", str(description.processes))
    with transaction.atomic():
        # Lock the account's row, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        own = Worker.objects.filter(owner=owner)
        if own.filter(stop_code=Worker.Stop.WRONG).count() >= MOST_WRONG:
            raise NotAllowedError("worker-wrong", name)
        worker = own.filter(name=name).first()
        if worker is None:
            if own.filter(stopped_at=None).count() >= WORKERS_AN_ACCOUNT:
                raise RefusedError("workers-many", str(WORKERS_AN_ACCOUNT))
            now = database_time.now()
            worker = Worker(owner=owner, name=name, enrolled_at=now)
        if worker.stop_code == Worker.Stop.WRONG:
            raise NotAllowedError("worker-wrong", name)
        worker.machine = description.machine[:200] or worker.machine
        worker.processes = description.processes
        worker.stopped_at, worker.stop_code = None, ""
        worker.save()
        _release(worker, "the worker has begun again")
        return worker


def stop(worker_id: int) -> Worker:
    """Stop a worker. Its matches are played by others. Enrolling its name again resumes it."""
    with transaction.atomic():
        worker = Worker.objects.select_for_update(no_key=True).get(pk=worker_id)
        if worker.stopped_at is None:
            worker.stopped_at, worker.stop_code = database_time.now(), Worker.Stop.OWNER
            worker.save(update_fields=["stopped_at", "stop_code"])
        _release(worker, "the worker was stopped")
        return worker


def _release(worker: Worker, reason: str) -> None:
    for run in worker.runs.filter(state=WorkerRun.State.LEASED).order_by("match"):
        runs.release(run, WorkerRun.State.RETURNED, reason)


def version() -> str:
    """Return the version of this site's rules and referee, which a worker must have too."""
    return tasks.version()


def require_version(other: str) -> None:
    """Raise RefusedError `worker-version` unless it is that of this site."""
    if other != version():
        raise RefusedError("worker-version", f"{version()} here, {other[:80]} there")
