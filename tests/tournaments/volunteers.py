"""A volunteer, a test for volunteers, and transcripts as honest and other workers return them."""

from __future__ import annotations

import dataclasses
import random

import games
from engine.programs import fuel_game
from engine.programs.fuel_game import FuelGame
from engine.volunteer import tasks
from engine.volunteer.tasks import FuelTask
from games import Outcome
from tests.tournaments import authors
from tournaments.models import Player, SprtTest, User, Worker, WorkerRun
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import sprt_tests
from tournaments.services.bots import programs
from tournaments.services.volunteers import enrolment, leasing, reports
from tournaments.services.volunteers.enrolment import Description

RULES = "morlox(size=4,swap=on)"
LENT = dataclasses.replace(authors.EVERYTHING, lends_modules=True)


def module(owner: User, name: str) -> Player:
    """Return a version of the sample module that volunteers get."""
    content = authors.MODULE + authors.custom_section(name.encode())
    return authors.version(owner, name, content, "wasm", LENT)


def plan(candidate: Player, base: Player, **changes: object) -> sprt_tests.Plan:
    """Return the plan of a test for volunteers."""
    terms = Terms.read("3Mfuel")
    fields: dict[str, object] = {
        "candidate": candidate.bot,
        "base": base.bot,
        "ruleset": RULES,
        "clock": terms.clock,
        "fuel": terms.fuel,
        "volunteer_priority": 2,
    }
    return sprt_tests.Plan(**{**fields, **changes})  # type: ignore[arg-type]


def sprt_test(owner: User, **changes: object) -> SprtTest:
    """Return a running test for volunteers, of two modules of the owner's."""
    bots = [module(owner, f"{owner.username} {number}") for number in (1, 2)]
    return sprt_tests.start(owner, plan(bots[0], bots[1], **changes))


def worker(owner: User, name: str = "laptop", processes: int = 8) -> Worker:
    """Return an enrolled worker."""
    return enrolment.enrol(owner=owner, description=Description(name, "Linux", processes))


def leased(worker: Worker) -> WorkerRun:
    """Return a run of the worker that has just begun."""
    assignment = leasing.lease(worker_id=worker.pk, version=tasks.version())
    assert assignment is not None, "a match waits"
    return assignment.run


def honest(run: WorkerRun) -> list[str]:
    """Return the transcripts of the games as the modules play them."""
    return [played(task).text() for task in leasing.tasks_of(run)]


def played(task: FuelTask) -> FuelGame:
    """Return the game that the modules play."""
    return fuel_game.play(
        programs.local(task.first),
        programs.local(task.second),
        ruleset=task.ruleset,
        setup=task.setup,
        fuel=task.fuel,
        seed=task.seed,
        options=task.options,
    )


def invented(run: WorkerRun, seed: int = 7) -> list[str]:
    """Return transcripts that the rules allow, and that no module has played."""
    return [random_game(task, random.Random(seed)).text() for task in leasing.tasks_of(run)]


def random_game(task: FuelTask, rng: random.Random) -> FuelGame:
    """Return a game of random moves, in the form of a transcript."""
    position = games.starting_position(games.load(task.ruleset), task.setup)
    moves: list[str] = []
    while position.outcome() is None:
        moves.append(rng.choice(list(position.legal_moves())))
        position = position.play(moves[-1])
    record = games.Record(task.ruleset, task.setup, tuple(moves), position.outcome(), "rules")
    digests, meter = (task.first, task.second), fuel_game.meter()
    return FuelGame(record, *digests, task.fuel, task.seed, meter, options=task.options)


def report(run: WorkerRun, transcripts: list[str]) -> WorkerRun:
    """Report the transcripts, and return the run."""
    return reports.report(run_id=run.pk, transcripts=transcripts, busy_ms=1000)


def with_other_result(game: FuelGame) -> FuelGame:
    """Return the game with another result than its moves give."""
    other = Outcome.SECOND if game.record.outcome is not Outcome.SECOND else Outcome.FIRST
    return dataclasses.replace(game, record=dataclasses.replace(game.record, outcome=other))
