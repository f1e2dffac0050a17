"""Volunteers' workers in processes of their own, on a served site: an honest one, and one that cheats."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import processes
from tests.tournaments import volunteers
from tournaments import database_time
from tournaments.models import (
    Game,
    Gauntlet,
    GauntletPair,
    Match,
    Player,
    Scope,
    User,
    Worker,
    WorkerRun,
)
from tournaments.queries.matches.fuel_terms import Terms
from tournaments.services import gauntlets
from tournaments.services.accounts import tokens
from tournaments.services.matches import matches
from tournaments.services.volunteers import reports, revocations

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]
State = WorkerRun.State
# Verified results that a worker has from the start: half of its reports are checked.
_TRUSTED = 39


def _token(user: User) -> str:
    return tokens.create(
        user=user, password="rayuela-1963", name="worker", scopes=[Scope.WORKERS_PLAY], days=30
    ).secret


def _command(url: str, token: str, name: str, cache: Path, most: int) -> Sequence[str]:
    options = ["--token", token, "--name", name, "--cache", str(cache), "--matches", str(most)]
    return [sys.executable, "-m", "engine", "worker", "--site", url, *options]


def _started(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, cwd=processes.ROOT, stderr=subprocess.PIPE, text=True)


def _work_of_the_site() -> None:
    """Do the work of a tick, and of the site's workers with the matches that volunteers leave."""
    now = database_time.now()
    for pk in Match.objects.due(now).filter(shared=None).values_list("pk", flat=True):
        matches.play_match(pk)
    reports.settle_due(now)
    revocations.revoke_due()
    gauntlets.advance_due()


def _gauntlet(owner: User, opponents: int, pairs_each: int) -> Gauntlet:
    bots: list[Player] = [volunteers.module(owner, f"Nilo {n}") for n in range(opponents + 1)]
    terms = Terms.read("3Mfuel")
    plan = gauntlets.Plan(
        candidate=bots[0].bot,
        opponents=[bot.bot for bot in bots[1:]],
        ruleset=volunteers.RULES,
        clock=terms.clock,
        fuel=terms.fuel,
        pairs_each=pairs_each,
        volunteer_priority=2,
    )
    return gauntlets.start(owner, plan)


def _trusted(owner: User, name: str, match: Match) -> Worker:
    """Return a worker with verified results of long ago."""
    worker = volunteers.worker(owner, name, processes=1)
    now = database_time.now()
    WorkerRun.objects.bulk_create(
        WorkerRun(
            worker=worker,
            match=match,
            attempt=1000 + k,
            state=State.VERIFIED,
            leased_at=now,
            ended_at=now,
        )
        for k in range(_TRUSTED)
    )
    return worker


def _play(
    ana: User, ben: User, site: str, tmp_path: Path, *, opponents: int, pairs_each: int, most: int
) -> Gauntlet:
    """Let an honest worker play `most` matches beside one that cheats, and check what remains."""
    gauntlet = _gauntlet(ana, opponents, pairs_each)
    cheat = _trusted(ben, "cheat", GauntletPair.objects.all()[0].match)
    honest = _started(_command(site, _token(ben), "honest", tmp_path / "honest", most))
    arguments = [site, _token(ben), "cheat", str(tmp_path / "cheat"), "2"]
    cheating = _started([sys.executable, "-m", "tests.tournaments.cheating_worker", *arguments])
    try:
        while honest.poll() is None:
            _work_of_the_site()
            time.sleep(0.2)  # between two ticks, for the workers beside it
            assert Gauntlet.objects.running().exists(), "there are matches to play"
    finally:
        honest.kill()
        cheating.kill()
        messages = honest.communicate()[1] + cheating.communicate()[1]
    assert honest.returncode == 0, messages
    while WorkerRun.objects.filter(state__in=[State.CHECKING, State.LEASED]).exists():
        _work_of_the_site()
    runs = WorkerRun.objects.filter(worker__name="honest")
    assert set(runs.values_list("state", flat=True)) <= {State.COUNTED, State.VERIFIED}, messages
    assert runs.count() == most
    cheat.refresh_from_db()
    assert cheat.stop_code == Worker.Stop.WRONG, messages
    assert cheat.runs.filter(state=State.WRONG, ply__gte=1).exists()
    assert not cheat.runs.filter(state=State.COUNTED).exists()
    revoked = cheat.runs.filter(state=State.REVOKED).values("match")
    results = Game.objects.filter(match__in=revoked).values_list("result", flat=True)
    assert set(results) <= {Game.Result.VOID}
    counted = GauntletPair.objects.filter(score_halves__isnull=False)
    assert not counted.filter(match__in=revoked).exists()
    return gauntlet


@pytest.mark.parametrize(
    ("pairs_each", "most"), [(30, 60), pytest.param(100, 200, marks=pytest.mark.slow)]
)
def test_a_worker_plays_its_matches_and_one_that_cheats_is_found(
    erasable: None, ana: User, ben: User, site: str, tmp_path: Path, pairs_each: int, most: int
) -> None:
    _play(ana, ben, site, tmp_path, opponents=3, pairs_each=pairs_each, most=most)
