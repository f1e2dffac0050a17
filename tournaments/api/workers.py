"""Volunteers' workers: enrolment, leases of matches under fuel, modules, and reports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.operations import Body, Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges import access
from tournaments.edges.files import attachment
from tournaments.models import Worker
from tournaments.queries.matches import volunteers
from tournaments.services.volunteers import enrolment, leasing, reports
from tournaments.services.volunteers.enrolment import Description

operations = Operations("Volunteers' workers")

_Version = Annotated[
    str,
    Field(max_length=200, description="The worker's rules and referee. The site has the same."),
]


class WorkerShape(shapes.Shape):
    """A volunteer's machine that plays matches under fuel."""

    id: int
    owner: shapes.PlayerName | None
    name: str
    machine: Annotated[str, Field(description="As the worker describes it.")]
    processes: int
    enrolled_at: datetime
    seen_at: datetime | None
    stopped_at: datetime | None
    stop_code: Annotated[str, Field(description="owner, wrong, or empty.")]
    matches: Annotated[int, Field(description="Reported and neither wrong nor taken back.")]
    checking: Annotated[int, Field(description="Matches that wait for their replay.")]
    verified: int
    wrong: int
    fuel_a_second: Annotated[
        int | None, Field(description="Fuel that plies were allowed, for each second of a process.")
    ]
    trust: Annotated[int, Field(description="Percentage of results that count without a replay.")]


class LabShape(shapes.Shape):
    """A running SPRT test or gauntlet that volunteers may play."""

    url: str
    author: shapes.PlayerName | None
    candidate: shapes.PlayerName
    fuel: int
    priority: Annotated[int, Field(description="Among the author's own: 1 low, 2 normal, 3 high.")]
    waiting: Annotated[int, Field(description="Matches that no worker has.")]


class SharedLadder(BaseModel):
    """A running ladder that volunteers may play."""

    event: Annotated[str, Field(description="Its name in addresses.")]
    waiting: int


class ShareShape(shapes.Shape):
    """The matches of an author that volunteers played in the last hour."""

    author: shapes.PlayerName | None
    matches: int
    percent: int


class VolunteersShape(shapes.Shape):
    """The work of volunteers."""

    version: Annotated[str, Field(description="The rules and the referee of this site.")]
    connected: int
    matches_an_hour: int
    verified_percent: int | None
    wrong: int
    waiting: int
    tests: list[LabShape]
    ladders: list[SharedLadder]
    shares: list[ShareShape]


class WorkersQuery(PageQuery):
    """A search for workers."""

    state: Annotated[Literal["connected", "mine"], Field(description="`mine` needs a token.")] = (
        "connected"
    )


class NewWorker(Body):
    """A machine as its worker describes it."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    machine: Annotated[str, Field(max_length=200)] = ""
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    version: _Version


class WorkerVersion(Body):
    """The version of a worker that asks for a match."""

    version: _Version


class TaskShape(BaseModel):
    """A game to play. `first` and `second` are digests of modules."""

    ruleset: str
    setup: str
    first: str
    second: str
    fuel: int
    seed: str
    options: Annotated[
        list[dict[str, str]],
        Field(description="The values by name that each module receives before the game."),
    ]


class ModuleShape(shapes.Shape):
    """A module of a leased match. `digest` is its SHA-256, and the name tells its kind."""

    digest: str
    filename: str
    size_bytes: int


class LeasedRun(BaseModel):
    """A leased match."""

    id: int
    lease_until: datetime
    games: list[TaskShape]
    modules: list[ModuleShape]


class LeaseShape(BaseModel):
    """A match to play, or the time after which to ask again."""

    run: LeasedRun | None
    retry_after_s: int


class NewReport(Body):
    """The transcripts of a match: the text of each game, as `python -m engine verify` reads it."""

    transcripts: Annotated[
        list[str],
        Field(
            max_length=2,
            description="Each at most as long as that of the longest game of the rules.",
        ),
    ]
    busy_ms: Annotated[int, Field(ge=0, description="The time in which it was played.")]


class ReturnedRun(Body):
    """The reason for which a worker leaves a match to the site."""

    reason: Annotated[str, Field(max_length=200)] = ""


class RunShape(shapes.Shape):
    """A run of a match by a worker."""

    id: int
    state: Annotated[
        str,
        Field(
            description="leased, checking (waits for a replay), counted, verified, wrong, revoked, lost or returned"
        ),
    ]
    ply: Annotated[int | None, Field(description="The first wrong ply.")]
    detail: str


@operations.get("/volunteers", "volunteers", routes.OPEN)
def overview(request: ApiRequest) -> VolunteersShape:
    """Return the throughput of volunteers, their queue, and the shares of authors."""
    whole = volunteers.overview(database_time.now())
    return VolunteersShape.of(
        whole,
        version=enrolment.version(),
        connected=len(whole.workers),
        matches_an_hour=whole.an_hour,
        tests=[_lab(lab) for lab in whole.labs],
        ladders=[
            SharedLadder(event=each.event.slug, waiting=each.waiting) for each in whole.ladders
        ],
        shares=[ShareShape.of(each, author=shapes.player_of(each.author)) for each in whole.shares],
    )


@operations.get("/workers", "workers", routes.OPEN, answer=Page[WorkerShape])
def workers(request: ApiRequest, query: Query[WorkersQuery]) -> HttpResponseBase:
    """Return the workers that are connected, or those of the account, with their figures."""
    if query.state == "mine":
        rows = Worker.objects.filter(owner=request.caller.user)
    else:
        rows = Worker.objects.connected(database_time.now())
    return paging.answer_all(request, [_worker(row) for row in volunteers.rows(rows)], query)


@operations.post(
    "/workers",
    "worker-enrol",
    routes.OWN_WORKER,
    body='{"name": "laptop", "processes": 2, "version": "$RULES"}',
)
def enrol(request: ApiRequest, body: NewWorker) -> WorkerShape:
    """Enrol a machine of yours, or resume the one of this name."""
    enrolment.require_version(body.version)
    description = Description(body.name, body.machine, body.processes)
    return _shape(enrolment.enrol(owner=request.caller.account, description=description))


@operations.post("/workers/{int:worker_id}/stop", "worker-stop", routes.OWN_WORKER, status=200)
def stop(request: ApiRequest, worker_id: int) -> WorkerShape:
    """Stop a worker of yours. Its matches are played by others."""
    worker = access.get_worker_for(request.caller.account, worker_id)
    return _shape(enrolment.stop(worker.pk))


@operations.post(
    "/workers/{int:worker_id}/runs", "worker-lease", routes.WORK, body='{"version": "$RULES"}'
)
def lease(request: ApiRequest, worker_id: int, body: WorkerVersion) -> LeaseShape:
    """Lease a match to a worker of yours. It must be reported before its lease ends."""
    worker = access.get_worker_for(request.caller.account, worker_id)
    assignment = leasing.lease(worker_id=worker.pk, version=body.version)
    if assignment is None:
        return LeaseShape(run=None, retry_after_s=leasing.RETRY_AFTER_S)
    run = LeasedRun(
        id=assignment.run.pk,
        lease_until=assignment.lease_until,
        games=[TaskShape.model_validate(each.values()) for each in assignment.tasks],
        modules=[ModuleShape.of(each) for each in assignment.modules],
    )
    return LeaseShape(run=run, retry_after_s=0)


@operations.get(
    "/workers/runs/{int:run_id}/modules/{str:digest}", "worker-module", routes.WORK, answer=bytes
)
def module(request: ApiRequest, run_id: int, digest: str) -> HttpResponse:
    """Return a module of a match that a worker of yours plays."""
    run = access.get_worker_run_for(request.caller.account, run_id)
    row = leasing.module(run_id=run.pk, digest=digest)
    return attachment(bytes(row.upload), "application/octet-stream", row.filename)


@operations.post(
    "/workers/runs/{int:run_id}/report",
    "worker-report",
    routes.WORK,
    status=200,
    body='{"transcripts": ["…", "…"], "busy_ms": 4100}',
)
def report(request: ApiRequest, run_id: int, body: NewReport) -> RunShape:
    """Report the transcripts of a match. A wrong one stops the worker."""
    run = access.get_worker_run_for(request.caller.account, run_id)
    return RunShape.of(
        reports.report(run_id=run.pk, transcripts=body.transcripts, busy_ms=body.busy_ms)
    )


@operations.post(
    "/workers/runs/{int:run_id}/return",
    "worker-return",
    routes.WORK,
    status=200,
    body='{"reason": "a game ended by a crash"}',
)
def give_back(request: ApiRequest, run_id: int, body: ReturnedRun) -> RunShape:
    """Leave a match to the site."""
    run = access.get_worker_run_for(request.caller.account, run_id)
    return RunShape.of(reports.give_back(run_id=run.pk, reason=body.reason))


def _shape(worker: Worker) -> WorkerShape:
    [row] = volunteers.rows(Worker.objects.filter(pk=worker.pk))
    return _worker(row)


def _worker(row: volunteers.WorkerRow) -> WorkerShape:
    return WorkerShape.of(
        row.worker,
        owner=shapes.player_of(row.worker.owner),
        matches=row.matches,
        checking=row.checking,
        verified=row.verified,
        wrong=row.wrong,
        fuel_a_second=row.fuel_a_second,
        trust=row.trust,
    )


def _lab(lab: volunteers.Lab) -> LabShape:
    test = lab.test
    return LabShape.of(
        lab,
        author=shapes.player_of(test.owner),
        candidate=test.candidate.player,
        fuel=test.fuel,
        priority=test.volunteer_priority or 0,
    )
