"""Old databases are migrated with all of their data, and all constraints of the database hold on every way."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from tests.tournaments import upgrades
from tournaments.migrations import _triggers
from tournaments.models import Event, Game, LedgerEntry, Round
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import standings
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.engines

APP = upgrades.APP
GUARDS = import_module("tournaments.migrations.0002_triggers").GUARDS


@pytest.fixture
def earlier_event(erasable: None) -> Event:
    """An event in its second round, stored at 0002, after all migrations since."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes(APP)
    then = [(APP, "0002_triggers")]
    executor.migrate(then)
    try:
        state = MigrationExecutor(connection).loader.project_state(then)
        with transaction.atomic():
            upgrades.load("0002_triggers", state.apps)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(
                no_style(), [*state.apps.get_models()]
            ):
                cursor.execute(statement)
    finally:
        MigrationExecutor(connection).migrate(newest)
    return Event.objects.get(slug=upgrades.SLUG)


def test_an_event_of_before_goes_on(earlier_event: Event) -> None:
    first, second = earlier_event.rounds.order_by("number")
    assert (first.state, second.state) == (Round.State.CLOSED, Round.State.PUBLISHED)
    for game in Game.objects.ongoing():
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(earlier_event.pk)
    second.refresh_from_db()
    assert second.state == Round.State.CLOSED
    assert LedgerEntry.objects.filter(kind="game").count() == 2 * 4
    assert sum(row.points_halves for row in standings.event_table(earlier_event).rows) == 2 * 4
    for closed in (first, second):
        verdict = round_verification.verify(closed)
        assert verdict.is_confirmed
        assert verdict.is_seed_committed


def test_what_was_decided_before_stays_so(earlier_event: Event) -> None:
    with pytest.raises(IntegrityError, match="a finished game"), transaction.atomic():
        Game.objects.filter(result="first").update(result="draw")
    with pytest.raises(IntegrityError, match="a published round"), transaction.atomic():
        Round.objects.update(report="another")


def test_every_guard_is_made_and_made_again_on_the_way_back(erasable: None) -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes(APP)
    assert _guards() == _triggers.names(GUARDS, connection.vendor)
    executor.migrate([(APP, "0001_initial")])
    assert _guards() == set()
    MigrationExecutor(connection).migrate(newest)
    assert _guards() == _triggers.names(GUARDS, connection.vendor)


def _guards() -> set[str]:
    of_vendor = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(of_vendor[connection.vendor])
        return {name for (name,) in cursor.fetchall()}
