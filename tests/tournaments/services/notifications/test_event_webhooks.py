"""Webhooks of events: topics from news and from the log, for accounts that may see the event."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.processes import ROOT
from tests.tournaments import events, webhook_server
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.webhook_server import PASSWORD, Receiver
from tournaments import tasks
from tournaments.errors import RefusedError
from tournaments.models import Event, EventTopic, Game, Player, Topic, User
from tournaments.services import enqueue
from tournaments.services.accounts import webhooks
from tournaments.services.arbiter import corrections, entry_acts
from tournaments.services.events import entries, staff_members
from tournaments.services.notifications import kinds, news, webhook_deliveries
from tournaments.services.rounds import lifecycle
from tournaments.text import audit_log

pytestmark = pytest.mark.engines
EnterAll = Callable[..., None]
_CODE = "open-sesame"


@pytest.fixture
def event(ana: User) -> Event:
    return event_of(ana, rounds_total=1, admits=Event.Admits.PEOPLE)


@pytest.fixture
def private(ana: User) -> Event:
    return event_of(ana, rounds_total=1, is_private=True, access_code=_CODE)


def _types(receiver: Receiver) -> list[str]:
    return [each.content["type"] for each in receiver.messages]


def _data(receiver: Receiver, topic: EventTopic) -> list[dict[str, Any]]:
    contents = [each.content for each in receiver.messages]
    return [each["data"] for each in contents if each["type"] == topic]


def _run_all() -> None:
    for _ in range(5):
        webhook_server.run()


@pytest.mark.long
def test_an_event_is_told_from_the_first_entry_to_a_correction_after_its_end(
    receiver: Receiver, event: Event, people: list[Player], ben: User, ana: User
) -> None:
    receiver.hook(ben, event=event)
    enter(event, *people[:3])
    entries.withdraw(event_id=event.pk, player=people[2], actor=people[2].user)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    events.to_the_end(event, lambda _game: "first")
    game = Game.objects.get(pairing__event=event)
    corrections.correct(game_id=game.pk, actor=ana, result="second", reason="Wrong board")
    _run_all()
    assert sorted(set(_types(receiver))) == sorted(EventTopic.values)
    entered = [each["players"] for each in _data(receiver, EventTopic.ENTRY)]
    assert sorted(entered) == [[player.pk] for player in people[:3]]
    [left] = _data(receiver, EventTopic.WITHDRAWAL)
    assert left == {"event": event.slug, "kind": "withdrawal", "players": [people[2].pk]}
    [published] = _data(receiver, EventTopic.ROUND)
    assert (published["round"], published["kind"], published["event"]) == (1, "round", event.slug)
    assert _data(receiver, EventTopic.RESULT)[0]["game"] == game.pk
    assert _data(receiver, EventTopic.OVER)[0]["kind"] == "finished"
    before = len(receiver.messages)
    webhook_server.run()
    assert len(receiver.messages) == before


@pytest.mark.long
def test_chosen_topics_alone_arrive_and_news_before_the_webhook_do_not(
    receiver: Receiver, event: Event, people: list[Player], ben: User, ana: User
) -> None:
    enter(event, *people[:2])
    receiver.hook(ben, [EventTopic.ENTRY, EventTopic.ROUND], event=event)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    events.to_the_end(event, lambda _game: "first")
    _run_all()
    assert _types(receiver) == ["round"]


def test_a_private_event_has_webhooks_for_accounts_with_a_part_in_it_alone(
    private: Event, ana: User, ben: User
) -> None:
    def create(user: User) -> webhooks.NewWebhook:
        return webhooks.create(
            user=user, password=PASSWORD, address="https://hook.example/", kinds=[], event=private
        )

    assert create(ana).webhook.event == private
    with pytest.raises(RefusedError, match="webhook-event"):
        create(ben)


def test_an_account_that_loses_access_gets_no_more(
    receiver: Receiver, private: Event, ana: User, ben: User, people: list[Player]
) -> None:
    staff_members.add(private.pk, ana, player=ben.player, role="results")
    new = receiver.hook(ben, event=private)
    entries.enter(event_id=private.pk, player=people[0], actor=ana, code=_CODE)
    webhook_deliveries.write_due(webhook_deliveries.active())
    staff_members.remove(private.pk, ana, member_id=private.staff.get(user=ben).pk)
    entries.enter(event_id=private.pk, player=people[1], actor=ana, code=_CODE)
    _run_all()
    assert receiver.messages == []
    [written_before] = new.webhook.deliveries.all()
    assert written_before.state == "failed"
    webhooks.send_again(webhook_server.latest(new.webhook))
    webhook_server.run()
    assert receiver.messages == []
    staff_members.add(private.pk, ana, player=ben.player, role="results")
    entries.enter(event_id=private.pk, player=people[2], actor=ana, code=_CODE)
    _run_all()
    assert [each["players"] for each in _data(receiver, EventTopic.ENTRY)] == [[people[2].pk]]


def test_a_public_event_that_becomes_private_is_no_longer_sent(
    receiver: Receiver, event: Event, people: list[Player], ben: User
) -> None:
    receiver.hook(ben, event=event)
    Event.objects.filter(pk=event.pk).update(is_private=True, access_code=_CODE)
    entries.enter(event_id=event.pk, player=people[0], actor=event.organiser, code=_CODE)
    _run_all()
    assert receiver.messages == []


def test_topics_of_accounts_are_not_those_of_events(event: Event, ben: User) -> None:
    for kind, of in (("turn", event), (EventTopic.OVER, None)):
        with pytest.raises(RefusedError, match="webhook-kinds"):
            webhooks.create(
                user=ben, password=PASSWORD, address="https://a.example/", kinds=[kind], event=of
            )


def test_news_send_for_a_worker_as_long_as_there_is_a_webhook(
    receiver: Receiver,
    event: Event,
    people: list[Player],
    ben: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    topics: list[str] = []
    monkeypatch.setattr(enqueue, "webhooks", topics.append)
    enter(event, people[0])
    assert topics == []
    new = receiver.hook(ben, event=event)
    enter(event, people[1])
    topic = news.of_event(event.pk)
    assert topics == [topic]
    webhooks.delete(new.webhook)
    tasks.call_webhooks_of(topic)
    assert not Topic.objects.get(name=topic).has_webhooks
    enter(event, people[2])
    assert topics == [topic]


def test_a_quick_address_gets_news_without_the_beat_and_a_slow_one_waits(
    receiver: Receiver, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = receiver.hook(ana)
    topic = news.of_user(ana.pk)
    webhooks.send_test(new.webhook)
    tasks.call_webhooks_of(topic)
    assert receiver.messages == []  # a new address has not shown yet that it is quick
    webhook_server.run()
    news.announce(topic, "challenge-over")
    tasks.call_webhooks_of(topic)
    assert _types(receiver) == ["test", "challenge-over"]
    monkeypatch.setattr(webhook_deliveries, "_QUICK_MS", 0)
    news.announce(topic, "challenge-over")
    tasks.call_webhooks_of(topic)
    news.announce(topic, "challenge-over")
    tasks.call_webhooks_of(topic)
    assert len(receiver.messages) == 3


def test_news_wait_while_many_deliveries_wait(
    receiver: Receiver, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_deliveries, "_MOST_WAITING", 3)
    new = receiver.hook(ana)
    for _ in range(5):
        news.announce(news.of_user(ana.pk), "challenge-over")
    for _ in range(2):
        webhook_deliveries.write_due(webhook_deliveries.active())
        assert new.webhook.deliveries.count() == 3
    _run_all()
    assert len(receiver.messages) == 5


def test_a_player_who_comes_up_from_the_waiting_list_is_an_entry(
    receiver: Receiver, people: list[Player], ana: User
) -> None:
    event = event_of(ana, max_entries=2, has_waiting_list=True, admits=Event.Admits.PEOPLE)
    enter(event, *people[:3])
    receiver.hook(ana, event=event)
    entry = event.entries.get(player=people[0])
    entry_acts.withdraw(event.pk, ana, entry_id=entry.pk, reason="Ill")
    _run_all()
    assert {each["kind"] for each in _data(receiver, EventTopic.ENTRY)} == {"admission"}
    assert [each["players"] for each in _data(receiver, EventTopic.ENTRY)] == [[people[2].pk]]
    assert [each["players"] for each in _data(receiver, EventTopic.WITHDRAWAL)] == [[people[0].pk]]


def test_the_guide_lists_each_topic_with_its_kinds() -> None:
    page = (ROOT / "docs/bots/webhooks.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \|", page, re.MULTILINE)
    declared: dict[str, set[str]] = {topic: set() for topic in EventTopic.values}
    for code, kind in kinds.KINDS.items():
        if kind.topic:
            declared[kind.topic].add(code)
    for action, entry in audit_log.KINDS.items():
        if entry.topic:
            declared[entry.topic].add(action)
    assert {topic: set(re.findall("`([a-z-]+)`", cell)) for topic, cell in rows} == declared
