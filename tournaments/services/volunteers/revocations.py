"""Revocations: results of a worker with a wrong transcript are taken back, and their tests counted again."""

from __future__ import annotations

from django.db import transaction

from tournaments.models import Game, Gauntlet, SprtTest, Worker, WorkerRun
from tournaments.services import gauntlets, sprt_tests
from tournaments.services.accounts import house_account
from tournaments.services.arbiter import corrections

# Matches that are taken back in a transaction.
_AT_ONCE = 10
REASON = "The volunteer's worker that played it returned a wrong transcript of another match."


def revoke_due() -> None:
    """Take back results of stopped workers that no replay has confirmed, a few at a time."""
    wrong = Worker.objects.filter(stop_code=Worker.Stop.WRONG)
    counted = WorkerRun.objects.filter(worker__in=wrong, state=WorkerRun.State.COUNTED)
    run_ids = list(counted.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
    if run_ids:
        _revoke(run_ids)


def _revoke(run_ids: list[int]) -> None:
    """Void the games of these runs by corrections. Tests and ratings follow."""
    with transaction.atomic():
        runs = WorkerRun.objects.filter(pk__in=run_ids, state=WorkerRun.State.COUNTED)
        matches = list(runs.order_by("match").values_list("match", flat=True))
        # Tests first, as when pairs are counted.
        tests = SprtTest.objects.filter(pairs__match__in=matches)
        rounds = Gauntlet.objects.filter(opponents__pairs__match__in=matches)
        test_ids = sorted(set(tests.values_list("pk", flat=True)))
        gauntlet_ids = sorted(set(rounds.values_list("pk", flat=True)))
        list(SprtTest.objects.select_for_update(no_key=True).filter(pk__in=test_ids).order_by("pk"))
        list(
            Gauntlet.objects.select_for_update(no_key=True)
            .filter(pk__in=gauntlet_ids)
            .order_by("pk")
        )
        if runs.update(state=WorkerRun.State.REVOKED) != len(run_ids):
            # Another process takes them back.
            transaction.set_rollback(True)
            return
        games = Game.objects.finished().filter(match__in=matches)
        game_ids = games.exclude(result=Game.Result.VOID).values_list("pk", flat=True)
        corrections.void(list(game_ids), actor=house_account.account(), reason=REASON)
        for test_id in test_ids:
            sprt_tests.recount(test_id)
        for gauntlet_id in gauntlet_ids:
            gauntlets.recount(gauntlet_id)
