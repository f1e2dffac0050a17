"""Undoing: after an action and its undoing an event is unchanged, and the log has both."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments import pages
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    ByeRequest,
    Entry,
    Event,
    Game,
    Player,
    Prohibition,
    Seat,
    User,
)
from tournaments.queries.results import standings
from tournaments.services import audit
from tournaments.services.arbiter import corrections, entry_acts, forbidden_pairs, undo
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle, publication, rounds


def _state(event: Event) -> dict[str, Any]:
    """Return the visible state of an event, without times."""
    return {
        "entries": sorted(
            event.entries.values_list(
                "player", "state", "tpn", "left_round", "is_expelled", "joined_round"
            )
        ),
        "byes": sorted(
            ByeRequest.objects.filter(entry__event=event).values_list(
                "entry__player", "round_number", "kind"
            )
        ),
        "forbidden": sorted(
            (each.first_round, each.last_round, each.note, sorted(each.entries.values_list("pk")))
            for each in Prohibition.objects.filter(event=event)
        ),
        "rounds": sorted(event.rounds.values_list("number", "state", "setup")),
        "seats": sorted(
            Seat.objects.filter(round__event=event).values_list(
                "round__number", "entry", "kind", "pairing__board"
            ),
            key=str,
        ),
        "results": sorted(
            Game.objects.filter(pairing__event=event).values_list("pairing__board", "result"),
            key=str,
        ),
        "points": [
            (row.entry.pk, row.rank, row.points_halves, list(row.values))
            for row in standings.event_table(event).rows
        ],
    }


def _close_round(event: Event) -> None:
    for game in Game.objects.ongoing().filter(pairing__event=event).with_players():
        pages.move(game)
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()


def _undo_last(event: Event, actor: User) -> AuditEntry:
    entry = next(each for each in event.audit.all() if undo.may_undo(each, event))
    return undo.undo(event_id=event.pk, actor=actor, entry_id=entry.pk, reason="mistake")


def _entry(event: Event, index: int) -> Entry:
    return event.entries.active().order_by("pk")[index % event.entries.active().count()]


def _act(event: Event, ana: User, name: str, index: int) -> None:
    """One action of the organiser after the first round."""
    entry = _entry(event, index)
    match name:
        case "draft":
            rounds.draft_round(event_id=event.pk, actor=ana)
        case "publish":
            publication.publish_round(event_id=event.pk, actor=ana)
        case "withdraw":
            entry_acts.withdraw(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="x")
        case "expel":
            entry_acts.expel(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="x")
        case "bye":
            kind = ByeRequest.Kind.values[index % 3]
            entry_acts.grant_bye(
                event_id=event.pk,
                actor=ana,
                entry_id=entry.pk,
                round_number=2,
                kind=kind,
                reason="x",
            )
        case "forbid":
            pks = [entry.pk, _entry(event, index + 1).pk]
            forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=pks, note="club")
        case "correct":
            game = Game.objects.filter(pairing__event=event).order_by("pk")[index % 2]
            corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="x")
        case _:
            entries.enter(event_id=event.pk, player=ana.player, actor=ana)


_ACTIONS = st.sampled_from(["draft", "withdraw", "expel", "bye", "forbid", "correct", "enter"])


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(actions=st.lists(st.tuples(_ACTIONS, st.integers(0, 3)), min_size=1, max_size=3))
@pytest.mark.long
def test_undoing_gives_back_the_state_before(
    running: Event, ana: User, actions: list[tuple[str, int]]
) -> None:
    """In one transaction for each example: the database is as it was for the next."""
    from django.db import transaction

    with transaction.atomic():
        _close_round(running)
        for name, index in actions:
            before = _state(running)
            try:
                with transaction.atomic():
                    _act(running, ana, name, index)
            except (RefusedError, StaleError):
                assert _state(running) == before
                continue
            has_draft = bool(before["rounds"][-1][1] == "draft")
            log = running.audit.count()
            _undo_last(running, ana)
            after = _state(running)
            if has_draft and name != "draft":  # a draft that an action discards is made again
                for key in ("rounds", "seats"):
                    before.pop(key)
                    after.pop(key)
            assert after == before
            assert running.audit.count() > log
        transaction.set_rollback(True)


def test_a_publication_is_undone_to_its_draft(running: Event, ana: User) -> None:
    published = running.audit.get(action="publish")
    undone = undo.undo(event_id=running.pk, actor=ana, entry_id=published.pk, reason="too early")
    assert undone.undoes == published
    assert running.rounds.get().state == "draft"
    with pytest.raises(StaleError, match="undone"):
        undo.undo(event_id=running.pk, actor=ana, entry_id=published.pk, reason="again")


def test_what_has_plies_under_it_stays(running: Event, ana: User) -> None:
    pages.move(Game.objects.filter(pairing__event=running).order_by("pk")[0])
    published = running.audit.get(action="publish")
    with pytest.raises(StaleError, match="plies-played"):
        undo.undo(event_id=running.pk, actor=ana, entry_id=published.pk, reason="x")
    entered = running.audit.filter(action="entry").latest("pk")
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=running.pk, actor=ana, entry_id=entered.pk, reason="x")
    with pytest.raises(RefusedError, match="undo-never"):
        undo.undo(
            event_id=running.pk,
            actor=ana,
            entry_id=running.audit.get(action="start").pk,
            reason="x",
        )


def test_only_who_may_do_it_may_undo_it(running: Event, ben: User) -> None:
    published = running.audit.get(action="publish")
    with pytest.raises(NotAllowedError):
        undo.undo(event_id=running.pk, actor=ben, entry_id=published.pk, reason="x")


def test_an_action_without_a_sentence_is_not_logged(running: Event) -> None:
    with pytest.raises(AssertionError, match="no sentence for rename"):
        audit.note("rename", event=running)


def test_the_log_is_public_and_tells_reasons(
    running: Event, ana: User, people: list[Player]
) -> None:
    entry = running.entries.get(player=people[0])
    entry_acts.withdraw(
        event_id=running.pk, actor=ana, entry_id=entry.pk, reason="missed the train"
    )
    from django.test import Client

    page = Client().get(f"/events/{running.slug}/log/").content.decode()
    assert "Cleo was withdrawn." in page
    assert "missed the train" in page
    assert "Reason" not in page
    own = pages.member(ana).get(f"/events/{running.slug}/log/").content.decode()
    assert "Reason" in own
