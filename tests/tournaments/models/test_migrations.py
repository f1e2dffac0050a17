"""A database of the first release comes up to date with all that is in it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tests.tournaments import authors
from tournaments.models import Event, Game, Pairing, Round, User
from tournaments.services.arbiter import round_verification
from tournaments.services.events import seed_chain
from tournaments.services.results import standings
from tournaments.services.rounds import lifecycle

APP = "tournaments"
FIRST_RELEASE = [(APP, "0002_append_only")]
# As the first release stored round 1 of two players.
PROBLEM = {
    "round_number": 1,
    "rounds_total": 3,
    "odd_tpn_is_first": True,
    "forbidden": [],
    "contestants": [{"tpn": 1, "records": []}, {"tpn": 2, "records": []}],
    "absent": [],
}


@pytest.fixture
def brought_up(erasable: None) -> Event:
    """A running event that was made by the first release, after all migrations since."""
    executor = MigrationExecutor(connection)
    head = executor.loader.graph.leaf_nodes(APP)
    executor.migrate(FIRST_RELEASE)
    try:
        with transaction.atomic():
            slug = _old_event(
                MigrationExecutor(connection).loader.project_state(FIRST_RELEASE).apps
            )
    finally:
        MigrationExecutor(connection).migrate(head)
    return Event.objects.get(slug=slug)


def test_the_way_back_leaves_bots_of_authors_that_come_forward_again(erasable: None) -> None:
    executor = MigrationExecutor(connection)
    head = executor.loader.graph.leaf_nodes(APP)
    ana = User.objects.create_user("ana")
    bot = authors.version(ana, "Mover").bot
    executor.migrate([(APP, "0017_pools_required")])
    MigrationExecutor(connection).migrate(head)
    bot.refresh_from_db()
    assert (bot.engine, bot.line, bot.is_active) == ("none", None, False)


def _old_event(apps: Any) -> str:
    now = timezone.now()

    def make(model: str, /, **values: object) -> Any:
        return apps.get_model(APP, model).objects.create(**values)

    users = [make("User", username=name, password="!") for name in ("ana", "ben")]
    players = [
        make("Player", kind="person", name=u.username, canonical=u.username, user=u, created_at=now)
        for u in users
    ]
    event = make(
        "Event",
        name="Old",
        slug="old",
        organiser=users[0],
        ruleset="morelli(edition=revised,setup=random,size=5)",
        state="running",
        rounds_total=3,
        clock_initial_ms=60_000,
        seed=7,
        created_at=now,
        started_at=now,
    )
    one, two = (
        make("Entry", event=event, player=player, tpn=tpn, entered_at=now)
        for tpn, player in enumerate(players, start=1)
    )
    first = make(
        "Round",
        event=event,
        number=1,
        state="published",
        problem=PROBLEM,
        evidence={"bye": None, "boards": [], "brackets": []},
        engine="dutch-1",
        drafted_at=now,
        published_at=now,
    )
    pairing = make(
        "Pairing", event=event, round=first, board=1, first=one, second=two, low=one, high=two
    )
    for kind, entry in (("first", one), ("second", two)):
        make("Seat", round=first, entry=entry, kind=kind, pairing=pairing)
    make(
        "Game",
        pairing=pairing,
        number=1,
        ruleset=event.ruleset,
        setup="",
        first=players[0],
        second=players[1],
        position="",
        side_to_move="first",
        clock_initial_ms=60_000,
        clock_increment_ms=0,
        first_ms=60_000,
        second_ms=60_000,
        created_at=now,
        result="first",
        ending="resignation",
        ended_at=now,
    )
    return "old"


def test_an_old_event_goes_on_and_what_was_frozen_stays_so(brought_up: Event) -> None:
    assert seed_chain.is_committed(
        brought_up.lot_commitment,
        3,
        seed_chain.round_seed(brought_up.lot_secret, seed_chain.ROUNDS_LENGTH, 3),
    )
    lifecycle.advance_event(brought_up.pk)
    assert brought_up.rounds.get().state == Round.State.CLOSED
    rows = standings.event_table(brought_up).rows
    assert [row.points_halves for row in rows] == [2, 0]
    verdict = round_verification.verify(brought_up.rounds.get())
    assert verdict.is_confirmed
    assert verdict.is_lot_kept
    with pytest.raises(IntegrityError, match="a finished game"), transaction.atomic():
        Game.objects.update(result="draw")
    with pytest.raises(IntegrityError, match="a published round"), transaction.atomic():
        Round.objects.update(report="another")
    pairing = Pairing.objects.get()
    pairing.pk, pairing.board = None, 2
    with pytest.raises(IntegrityError, match=r"(?i)unique"), transaction.atomic():
        pairing.save()


def test_the_way_back_from_clocks_and_takebacks_leaves_all_guards(erasable: None) -> None:
    executor = MigrationExecutor(connection)
    head = executor.loader.graph.leaf_nodes(APP)
    before = _guards()
    executor.migrate([(APP, "0021_offers")])
    assert {"game_result_once", "game_prediction_fixed", "offer_answered_once"} <= _guards()
    MigrationExecutor(connection).migrate(head)
    assert _guards() == before


def _guards() -> set[str]:
    tables_of = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(tables_of[connection.vendor])
        return {name for (name,) in cursor.fetchall()}
