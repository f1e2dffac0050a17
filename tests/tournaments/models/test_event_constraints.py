"""Constraints of the database on an event, for all clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import Event, Pairing, Player, Round, Seat, User
from tournaments.services.rounds import lifecycle, publication, rounds

EnterAll = Callable[..., None]

pytestmark = pytest.mark.engines


@pytest.fixture
def draft(bots: list[Player], ana: User) -> Round:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots[:3])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    return rounds.draft_round(event_id=event.pk, actor=ana)


def test_one_seat_a_round(draft: Round) -> None:
    seat = draft.seats.get(kind=Seat.Kind.PAIRING_BYE)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(round=draft, entry=seat.entry, kind=Seat.Kind.ZERO_BYE)


def test_no_rematch_and_no_second_open_round(draft: Round) -> None:
    pairing = draft.pairings.get()
    values = {
        "event": draft.event,
        "round": draft,
        "board": 2,
        "first": pairing.second,
        "second": pairing.first,
        "low": pairing.low,
        "high": pairing.high,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.create(**values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(
            event=draft.event,
            number=2,
            problem={},
            evidence={},
            engine="x",
            drafted_at=database_time.now(),
        )


def test_a_pairing_that_was_not_played_may_be_repeated(draft: Round) -> None:
    pairing = draft.pairings.get()
    draft.pairings.update(is_met=False)
    Pairing.objects.create(
        event=draft.event,
        round=draft,
        board=2,
        first=pairing.second,
        second=pairing.first,
        low=pairing.low,
        high=pairing.high,
    )


def test_a_published_round_keeps_what_it_was_paired_from(draft: Round) -> None:
    Round.objects.filter(pk=draft.pk).update(engine="a draft may still change")
    publication.publish_automatically(event_id=draft.event_id)
    changes: list[dict[str, Any]] = [
        {"problem": {"other": 1}},
        {"report": ""},
        {"setup_seed": "0"},
        {"evidence": {}},
        {"engine": "other"},
        {"setup": "ring=B"},
    ]
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            Round.objects.filter(pk=draft.pk).update(**change)


def test_words_nobody_knows_are_refused(draft: Round) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=draft.event_id).update(admits="cats")
