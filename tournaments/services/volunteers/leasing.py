"""Leases of matches under fuel to volunteers' workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from engine.volunteer.tasks import FuelTask
from tournaments import database_time
from tournaments.errors import NotAllowedError, StaleError
from tournaments.models import Bot, Game, Match, Program, Worker, WorkerRun
from tournaments.models.bots import MatchQuerySet
from tournaments.queries.matches import fuel_records, tuned_options
from tournaments.services.games import game_creation
from tournaments.services.matches import dispatch
from tournaments.services.volunteers import enrolment

_START = timedelta(minutes=1)
# A worker without a match asks again after this time.
RETRY_AFTER_S = 10
# Other matches are tried if another worker takes the first one meanwhile.
_TRIES = 4
_ORDER = ("-shared__priority", "due_at", "pk")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A leased match, with its games and their modules."""

    run: WorkerRun
    lease_until: datetime
    tasks: Sequence[FuelTask]
    modules: Sequence[Program]


def waiting(now: datetime) -> MatchQuerySet:
    """Return the matches that a volunteer may play now: the authors of both modules lend them."""
    lenders = Bot.objects.filter(line__consent__lends_modules=True).values("player")
    shared_games = Game.objects.ongoing().filter(match__shared__isnull=False)
    withheld = shared_games.exclude(first__in=lenders, second__in=lenders).values("match")
    shared = Match.objects.due(now).filter(state=Match.State.QUEUED, shared__isnull=False)
    return shared.exclude(pk__in=withheld)


def _rated_of(worker: Worker) -> QuerySet[Game, int | None]:
    """Return the matches of events in which bots of the worker's owner play."""
    own = Bot.objects.filter(owner=worker.owner_id).values("player")
    shared_games = Game.objects.ongoing().filter(match__shared__isnull=False)
    in_events = shared_games.filter(match__event__isnull=False)
    return in_events.filter(Q(first__in=own) | Q(second__in=own)).values_list("match", flat=True)


def lease(*, worker_id: int, version: str) -> Assignment | None:
    """Lease a match to a worker, or return None if no match waits for volunteers.

    Authors have equal shares, and each author's matches come in the order of their priority. In
    events a worker does not play for bots of its owner.

    Raises:
        NotAllowedError: `worker-stopped`.
        RefusedError: `worker-version`.
    """
    enrolment.require_version(version)
    with transaction.atomic():
        worker = Worker.objects.select_for_update(no_key=True).get(pk=worker_id)
        if worker.stopped_at is not None:
            raise NotAllowedError("worker-stopped", worker.name)
        now = database_time.now()
        Worker.objects.filter(pk=worker.pk).update(seen_at=now)
        playing = worker.runs.filter(state=WorkerRun.State.LEASED).count()
        if playing >= worker.processes:
            return None
        queue = waiting(now).exclude(pk__in=_rated_of(worker))
        has_others = queue.order_by().values("requester").distinct().count() > 1
        for match in dispatch.next_for_volunteers(queue, now, order=_ORDER, most=_TRIES):
            assignment = _claim(match, worker, now, is_charged=has_others)
            if assignment is not None:
                return assignment
        return None


def _claim(match: Match, worker: Worker, now: datetime, *, is_charged: bool) -> Assignment | None:
    """Take a waiting match for the worker, unless another worker was faster."""
    rows = Match.objects.filter(pk=match.pk, state=Match.State.QUEUED, attempt=match.attempt)
    until = now + _START + 2 * timedelta(seconds=dispatch.longest_s(match))
    columns = {"state": Match.State.LEASED, "lease_until": until, "began_at": now}
    if rows.update(**columns, is_charged=is_charged, attempt=F("attempt") + 1) != 1:
        return None
    attempt = match.attempt + 1
    for game in match.games.ongoing().order_by("pk"):
        game_creation.restart(game, attempt=attempt)
    run = WorkerRun.objects.create(worker=worker, match=match, attempt=attempt, leased_at=now)
    modules: dict[str, Program] = {}
    for game in open_games(run):
        for player in (game.first, game.second):
            module = fuel_records.module_of(player)
            modules[module.digest] = module
    return Assignment(run, until, tasks_of(run), list(modules.values()))


def open_games(run: WorkerRun) -> list[Game]:
    """Return the games of the match without a result, in their order."""
    return list(run.match.games.ongoing().with_players().order_by("number"))


def tasks_of(run: WorkerRun) -> list[FuelTask]:
    """Return the games of the run without a result, as tasks."""
    return [_task(game) for game in open_games(run)]


def _task(game: Game) -> FuelTask:
    assert game.fuel is not None, "volunteers play by fuel"
    return FuelTask(
        game.ruleset,
        game.setup,
        first=fuel_records.module_of(game.first).digest,
        second=fuel_records.module_of(game.second).digest,
        fuel=game.fuel,
        seed=str(fuel_records.seed_of(game)),
        options=tuned_options.options_of(game),
    )


def module(*, run_id: int, digest: str) -> Program:
    """Return a module of a match that is being played. Raises StaleError `run-over`."""
    run = WorkerRun.objects.select_related("match").get(pk=run_id)
    if run.state == WorkerRun.State.LEASED:
        for game in open_games(run):
            for player in (game.first, game.second):
                program = fuel_records.module_of(player)
                if program.digest == digest:
                    return program
    raise StaleError("run-over", str(run_id))
