"""Every message of an event delivered three times, late and in any order: games, counts and news are those of one delivery."""

from __future__ import annotations

import random

import pytest
from celery import current_app
from django.core.management import call_command

from tests.tournaments.conftest import enter, event_of
from tournaments import tasks
from tournaments.models import (
    Event,
    Game,
    LedgerEntry,
    Match,
    NewsItem,
    Pairing,
    Player,
    Ply,
    Rating,
    User,
)
from tournaments.services.rounds import lifecycle

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]

_DELIVERIES = 3


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return the messages to workers: the task and its number."""
    sent: list[tuple[str, int]] = []

    def send(name: str, arguments: list[int], **_: object) -> None:
        sent.append((name.rpartition(".")[2], arguments[0]))

    monkeypatch.setattr(current_app, "send_task", send)
    return sent


def _state() -> dict[str, list[tuple[object, ...]]]:
    """All rows that a second delivery could change or double."""
    models = (Game, Ply, Match, Pairing, LedgerEntry, Rating, NewsItem, Event)
    return {model.__name__: list(model.objects.order_by("pk").values_list()) for model in models}


def test_an_event_whose_messages_come_three_times_in_any_order(
    erasable: None, messages: list[tuple[str, int]], ana: User, bots: list[Player]
) -> None:
    draw = random.Random()
    event = event_of(ana)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    waiting: list[tuple[str, int]] = []
    delivered: list[tuple[str, int]] = []
    while messages or waiting:
        waiting += messages * _DELIVERIES
        messages.clear()
        draw.shuffle(waiting)
        delivered.append(waiting.pop())
        _deliver(*delivered[-1])
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    rated = Game.objects.filter(pairing__event=event).exclude(result=None)
    assert rated.count() == 9
    assert LedgerEntry.objects.count() == 2 * rated.count()
    call_command("check_data")
    before = _state()
    draw.shuffle(delivered)
    for message in delivered:
        _deliver(*message)
    assert _state() == before


def _deliver(task: str, pk: int) -> None:
    getattr(tasks, task)(pk)
