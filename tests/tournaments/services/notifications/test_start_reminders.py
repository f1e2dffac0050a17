"""Reminders before an event starts: one for each player and start, on pages, by e-mail and on devices."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import translation

from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.models import Event, NewsItem, User
from tournaments.services.events import entries
from tournaments.services.notifications import inbox, reminders
from tournaments.services.notifications.inbox import Notice
from tournaments.services.notifications.kinds import Choice


@pytest.fixture
def event(clock: FrozenClock, ana: User, ben: User) -> Event:
    """An event that Ben has entered. It starts in an hour."""
    event = event_of(ana, starts_at=clock.now + timedelta(hours=1))
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    return event


def _reminders(user: User) -> list[Notice]:
    return [each for each in inbox.notices(user) if each.item.kind == "start-soon"]


def test_players_are_reminded_ten_minutes_before_the_start_and_others_are_not(
    clock: FrozenClock, event: Event, ana: User, ben: User
) -> None:
    reminders.remind_of_starts(clock.wait(minutes=49, seconds=59))
    assert not _reminders(ben)
    reminders.remind_of_starts(clock.wait(seconds=1))
    (notice,) = _reminders(ben)
    assert notice.sentence == f"{event.name} starts in 10 minutes or less"
    assert notice.get_absolute_url() == event.get_absolute_url()
    assert notice.choice is Choice.REMINDERS
    with translation.override("ja"):
        assert notice.sentence == f"{event.name}はあと10分以内に始まります"
    assert not _reminders(ana)


def test_a_late_beat_and_a_second_one_remind_once_with_the_time_that_is_left(
    clock: FrozenClock, event: Event, ben: User
) -> None:
    clock.sleep(minutes=58, seconds=30)
    for _beat in range(2):
        reminders.remind_of_starts(clock.now)
        clock.wait(seconds=30)
    (notice,) = _reminders(ben)
    assert notice.item.payload["minutes"] == 2


def test_after_the_start_and_after_a_withdrawal_no_player_is_reminded(
    clock: FrozenClock, event: Event, ben: User
) -> None:
    entries.withdraw(event_id=event.pk, player=ben.player, actor=ben)
    reminders.remind_of_starts(clock.wait(minutes=55))
    Event.objects.update(reminded_start_at=None)
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    reminders.remind_of_starts(clock.wait(minutes=5))
    assert not NewsItem.objects.filter(kind="start-soon").exists()


def test_a_start_that_was_moved_is_reminded_of_again(
    clock: FrozenClock, event: Event, ben: User
) -> None:
    reminders.remind_of_starts(clock.wait(minutes=55))
    Event.objects.update(starts_at=clock.now + timedelta(hours=3))
    reminders.remind_of_starts(clock.wait(minutes=5))
    assert len(_reminders(ben)) == 1
    reminders.remind_of_starts(clock.wait(hours=2, minutes=50))
    assert len(_reminders(ben)) == 2


@pytest.mark.parametrize("state", [Event.State.REGISTRATION, Event.State.CANCELLED])
def test_a_reminder_is_worth_sending_until_the_event_starts_or_is_cancelled(
    clock: FrozenClock, event: Event, ben: User, state: Event.State
) -> None:
    reminders.remind_of_starts(clock.wait(minutes=55))
    Event.objects.update(state=state)
    (notice,) = _reminders(ben)
    assert notice.is_worth_sending == (state == Event.State.REGISTRATION)
