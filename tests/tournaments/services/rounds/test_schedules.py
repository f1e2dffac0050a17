"""Events of schedules: created once, filled up with bots, cancelled without people, changed while free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    Entry,
    Event,
    Game,
    Occurrence,
    Player,
    Schedule,
    Topic,
    User,
)
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events import schedules as queries
from tournaments.services import retention
from tournaments.services.accounts import players
from tournaments.services.events import entries, event_chat
from tournaments.services.rounds import interruptions, lifecycle, scheduled_events, schedules
from tournaments.services.rounds.schedules import Timetable

ARENA = plans.EventPlan(
    name="Evening arena",
    ruleset="morelli(edition=revised,size=7)",
    format=Event.Format.ARENA,
    clock=Clock(180_000, 2_000),
    duration_s=3600,
    admits=Event.Admits.BOTH,
)
SWISS = replace(
    ARENA, name="Evening Swiss", format=Event.Format.DUTCH, duration_s=0, rounds_total=3
)
DAILY = Timetable(time_of_day=time(20), zone="UTC", weekdays=127, field_size=4, opens_before_h=24)


@pytest.fixture
def admin(db: None) -> User:
    return players.sign_up(name="Horacio", password="rayuela-rayuela")


@pytest.fixture
def levels(db: None) -> list[Player]:
    return [players.add_bot(name=f"Level {n}", engine=f"level:{n}") for n in range(1, 9)]


def _schedule(plan: plans.EventPlan = ARENA, **changes: object) -> Schedule:
    timetable = replace(DAILY, **changes)  # type: ignore[arg-type]  # columns by their names
    return schedules.create(actor=None, plan=plan, timetable=timetable)


def _starts() -> Sequence[datetime]:
    return list(
        Occurrence.objects.filter(schedule__isnull=False).values_list("starts_at", flat=True)
    )


def _evening(day: int) -> datetime:
    return datetime(2026, 3, day, 20, tzinfo=UTC)


def _enter(event: Event, name: str = "Lucía") -> Player:
    user = players.sign_up(name=name, password="rayuela-rayuela")
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    return user.player


def _at_the_start(clock: FrozenClock, event: Event) -> Event:
    assert event.starts_at is not None
    clock.wait(seconds=(event.starts_at - clock.now).total_seconds())
    scheduled_events.prepare_due(clock.now)
    lifecycle.start_due(clock.now)
    event.refresh_from_db()
    return event


def test_an_event_is_created_once_when_its_registration_opens(
    clock: FrozenClock, admin: User
) -> None:
    _schedule()
    for _beat in range(2):
        scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    assert _starts() == [_evening(10)]
    assert (event.name, event.starts_at) == ("Evening arena, 2026-03-10", _evening(10))
    assert event.admits == Event.Admits.BOTH


def test_two_events_of_one_start_are_refused_by_the_database(
    clock: FrozenClock, admin: User
) -> None:
    schedule = _schedule(opens_before_h=48)
    scheduled_events.create_coming(clock.now)
    first, second = Occurrence.objects.order_by("starts_at")
    with pytest.raises(IntegrityError), transaction.atomic():
        Occurrence.objects.filter(pk=second.pk).update(starts_at=first.starts_at)
    assert schedule.occurrences.count() == 2


def test_a_missed_day_is_not_made_late(clock: FrozenClock, admin: User) -> None:
    _schedule(opens_before_h=1)
    clock.sleep(days=3)
    scheduled_events.create_coming(clock.now)
    assert _starts() == []
    clock.wait(hours=7, minutes=30)
    scheduled_events.create_coming(clock.now)
    assert _starts() == [_evening(13)]


def test_only_the_chosen_days_have_events(clock: FrozenClock, admin: User) -> None:
    _schedule(weekdays=1 << 5, opens_before_h=14 * 24)
    scheduled_events.create_coming(clock.now)
    assert [moment.date().isoformat() for moment in _starts()] == ["2026-03-14", "2026-03-21"]


@pytest.mark.parametrize(
    ("day", "at", "moment"),
    [
        pytest.param(28, time(20), datetime(2026, 3, 28, 19, tzinfo=UTC), id="winter"),
        pytest.param(29, time(20), datetime(2026, 3, 29, 18, tzinfo=UTC), id="summer"),
        pytest.param(29, time(2, 30), datetime(2026, 3, 29, 1, 30, tzinfo=UTC), id="no such time"),
    ],
)
def test_a_time_of_day_keeps_its_place_when_the_clocks_change(
    day: int, at: time, moment: datetime
) -> None:
    schedule = Schedule(time_of_day=at, zone="Europe/Madrid", weekdays=127)
    midnight = datetime(2026, 3, day, tzinfo=UTC) - timedelta(hours=1)
    assert queries.starts(schedule, after=midnight, until=midnight + timedelta(hours=23)) == [
        moment
    ]


def test_of_two_equal_times_the_first_is_the_start() -> None:
    schedule = Schedule(time_of_day=time(2, 30), zone="Europe/Madrid", weekdays=127)
    after = datetime(2026, 10, 24, 12, tzinfo=UTC)
    moments = queries.starts(schedule, after=after, until=after + timedelta(days=1))
    assert moments == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC)]


def test_an_event_starts_at_its_time_with_bots_up_to_the_size_of_the_field(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule(SWISS)
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    lucia = _enter(event)
    clock.wait(hours=7, minutes=59)
    scheduled_events.prepare_due(clock.now)
    assert event.entries.count() == 1
    event = _at_the_start(clock, event)
    assert event.state == Event.State.RUNNING
    assert event.entries.active().count() == 4
    assert Game.objects.of(lucia).filter(pairing__event=event).count() == 1
    scheduled_events.prepare_due(clock.now)
    assert event.entries.active().count() == 4


@pytest.mark.parametrize(
    ("plan", "grace_s"),
    [
        pytest.param(SWISS, 90, id="blitz"),
        pytest.param(replace(SWISS, clock=Clock(1_800_000, 20_000)), 300, id="slow"),
        pytest.param(replace(SWISS, clock=Clock.read("604800+86400<1209600")), None, id="days"),
        pytest.param(ARENA, None, id="arena"),
    ],
)
def test_a_player_who_does_not_come_forfeits_after_half_of_the_clock_and_five_minutes_at_most(
    clock: FrozenClock, admin: User, plan: plans.EventPlan, grace_s: int | None
) -> None:
    _schedule(plan)
    scheduled_events.create_coming(clock.now)
    assert Event.objects.get().grace_s == grace_s


def test_bots_are_those_near_the_strength_of_the_people(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule(SWISS)
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    lucia = _enter(event)
    event = _at_the_start(clock, event)
    # A newcomer's level is the second.
    bots = set(event.entries.exclude(player=lucia).values_list("player__name", flat=True))
    assert bots == {"Level 1", "Level 2", "Level 3"}


def test_a_swiss_without_people_is_cancelled_with_the_reason(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule(SWISS)
    scheduled_events.create_coming(clock.now)
    event = _at_the_start(clock, Event.objects.get())
    assert (event.state, event.hold_reason) == (Event.State.CANCELLED, "without-people")
    assert not event.entries.exists()
    assert not event.is_listed


def test_bots_of_an_arena_wait_a_while_for_the_first_person_without_a_game(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule(field_size=8)
    scheduled_events.create_coming(clock.now)
    event = _at_the_start(clock, Event.objects.get())
    assert (event.state, event.entries.active().count()) == (Event.State.RUNNING, 8)
    clock.wait(minutes=14)
    scheduled_events.cancel_empty(clock.now)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    clock.wait(minutes=1)
    scheduled_events.cancel_empty(clock.now)
    event.refresh_from_db()
    assert (event.state, event.hold_reason) == (Event.State.CANCELLED, "without-people")
    assert not Game.objects.exists()


def test_an_arena_with_a_person_runs_until_its_time(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule()
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    _enter(event)
    event = _at_the_start(clock, event)
    clock.wait(minutes=20)
    scheduled_events.cancel_empty(clock.now)
    event.refresh_from_db()
    assert (event.state, event.ends_at) == (Event.State.RUNNING, _evening(10) + timedelta(hours=1))


@pytest.mark.parametrize(
    ("minutes", "state", "ends_at"),
    [(20, "running", _evening(10) + timedelta(hours=1)), (31, "cancelled", None)],
    ids=["a short outage", "a long outage"],
)
def test_after_an_outage_an_arena_ends_at_its_time_or_is_cancelled(
    clock: FrozenClock,
    admin: User,
    levels: list[Player],
    minutes: int,
    state: str,
    ends_at: datetime | None,
) -> None:
    _schedule()
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    _enter(event)
    clock.sleep(hours=8, minutes=minutes)
    scheduled_events.prepare_due(clock.now)
    lifecycle.start_due(clock.now)
    event.refresh_from_db()
    assert (event.state, event.ends_at) == (state, ends_at)


def test_a_person_alone_without_bots_is_told_that_the_event_is_cancelled(
    clock: FrozenClock, admin: User
) -> None:
    _schedule()
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    _enter(event)
    event = _at_the_start(clock, event)
    assert (event.state, event.hold_reason) == (Event.State.CANCELLED, "too-few")


def test_a_change_moves_the_events_that_no_player_has_entered(
    clock: FrozenClock, admin: User
) -> None:
    schedule = _schedule(opens_before_h=48)
    scheduled_events.create_coming(clock.now)
    joined, free = Event.objects.order_by("starts_at")
    _enter(joined)
    plan = replace(SWISS, rounds_total=5)
    timetable = replace(DAILY, time_of_day=time(21), opens_before_h=48)
    schedules.change(schedule_id=schedule.pk, actor=admin, plan=plan, timetable=timetable)
    joined.refresh_from_db()
    free.refresh_from_db()
    assert (joined.starts_at, joined.format) == (_evening(10), Event.Format.ARENA)
    assert (free.format, free.rounds_total, free.name) == ("dutch", 5, "Evening Swiss, 2026-03-10")
    assert free.starts_at == _evening(10) + timedelta(hours=1)
    scheduled_events.create_coming(clock.now)
    assert _starts() == [
        _evening(10),
        _evening(10) + timedelta(hours=1),
        _evening(11) + timedelta(hours=1),
    ]


@pytest.mark.parametrize("act", [schedules.pause, schedules.delete])
def test_a_pause_and_a_deletion_cancel_only_the_events_without_players(
    clock: FrozenClock, admin: User, act: object
) -> None:
    schedule = _schedule(opens_before_h=48)
    scheduled_events.create_coming(clock.now)
    joined, free = Event.objects.order_by("starts_at")
    _enter(joined)
    assert callable(act)
    act(schedule_id=schedule.pk, actor=admin)
    scheduled_events.create_coming(clock.now)
    joined.refresh_from_db()
    free.refresh_from_db()
    assert (joined.state, free.state) == (Event.State.REGISTRATION, Event.State.CANCELLED)
    assert free.hold_reason == "schedule-changed"
    assert Event.objects.count() == 2


@pytest.mark.parametrize("act", [schedules.pause, schedules.delete])
def test_an_event_with_a_player_has_its_bots_after_a_pause_and_a_deletion(
    clock: FrozenClock, admin: User, levels: list[Player], act: object
) -> None:
    schedule = _schedule(SWISS)
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    _enter(event)
    assert callable(act)
    act(schedule_id=schedule.pk, actor=admin)
    event = _at_the_start(clock, event)
    assert (event.state, event.entries.active().count()) == (Event.State.RUNNING, 4)


@pytest.mark.long
def test_a_change_of_the_field_applies_to_events_without_players(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    schedule = _schedule(SWISS, opens_before_h=48)
    scheduled_events.create_coming(clock.now)
    joined, free = Event.objects.order_by("starts_at")
    _enter(joined)
    timetable = replace(DAILY, field_size=6, opens_before_h=48)
    schedules.change(schedule_id=schedule.pk, actor=admin, plan=SWISS, timetable=timetable)
    _enter(free, "Nilo")
    sizes = [_at_the_start(clock, event).entries.active().count() for event in (joined, free)]
    assert sizes == [4, 6]


def test_a_resumed_schedule_creates_the_cancelled_events_again(
    clock: FrozenClock, admin: User
) -> None:
    schedule = _schedule()
    scheduled_events.create_coming(clock.now)
    schedules.pause(schedule_id=schedule.pk, actor=admin)
    schedules.resume(schedule_id=schedule.pk, actor=admin)
    scheduled_events.create_coming(clock.now)
    assert _starts() == [_evening(10)]
    assert list(Event.objects.order_by("pk").values_list("state", flat=True)) == [
        Event.State.CANCELLED,
        Event.State.REGISTRATION,
    ]


@pytest.mark.parametrize(
    ("plan", "changes", "code"),
    [
        pytest.param(ARENA, {"zone": "Europe/Rayuela"}, "schedule-zone", id="zone"),
        pytest.param(ARENA, {"weekdays": 0}, "schedule-bad", id="no day"),
        pytest.param(replace(ARENA, duration_s=0), {}, "duration-bad", id="arena without an end"),
        pytest.param(replace(ARENA, name="n" * 61), {}, "schedule-bad", id="long name"),
        pytest.param(replace(SWISS, format=Event.Format.TEAM), {}, "schedule-bad", id="teams"),
        pytest.param(replace(ARENA, name=" "), {}, "name-bad", id="no name"),
    ],
)
def test_a_schedule_that_cannot_have_events_is_refused(
    admin: User, plan: plans.EventPlan, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        _schedule(plan, **changes)


def test_a_deleted_schedule_cannot_be_changed(admin: User) -> None:
    schedule = _schedule()
    schedules.delete(schedule_id=schedule.pk, actor=admin)
    with pytest.raises(StaleError, match="schedule-deleted"):
        schedules.pause(schedule_id=schedule.pk, actor=admin)


def test_the_usual_schedules_are_an_arena_and_a_swiss_of_each_game_and_added_once(
    admin: User,
) -> None:
    assert schedules.add_usual(actor=admin) == 6
    assert schedules.add_usual(actor=admin) == 0
    assert Schedule.objects.filter(format=Event.Format.ARENA, weekdays=127).count() == 3


def test_an_event_that_was_moved_to_a_later_time_starts_then(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    _schedule(SWISS)
    scheduled_events.create_coming(clock.now)
    event = Event.objects.get()
    _enter(event)
    Event.objects.filter(pk=event.pk).update(starts_at=_evening(10) + timedelta(hours=1))
    event.refresh_from_db()
    assert _at_the_start(clock, event).state == Event.State.RUNNING


def _cancelled(clock: FrozenClock, plan: plans.EventPlan) -> Event:
    """Return tonight's event of a schedule, cancelled because no person came."""
    _schedule(plan)
    scheduled_events.create_coming(clock.now)
    event = _at_the_start(clock, Event.objects.get())
    clock.wait(seconds=scheduled_events.PATIENCE.total_seconds())
    scheduled_events.cancel_empty(clock.now)
    event.refresh_from_db()
    assert event.state == Event.State.CANCELLED
    return event


@pytest.mark.parametrize("plan", [ARENA, SWISS], ids=["arena", "Swiss"])
def test_a_cancelled_event_without_people_is_deleted_after_its_time_and_not_created_again(
    clock: FrozenClock, admin: User, levels: list[Player], plan: plans.EventPlan
) -> None:
    event = _cancelled(clock, plan)
    clock.sleep(days=89)
    assert "events" not in retention.prune(clock.now)
    clock.sleep(days=2)
    for _beat in range(2):
        retention.prune(clock.now)
        scheduled_events.create_coming(clock.now)
    assert not Event.objects.filter(pk=event.pk).exists()
    assert not Entry.objects.exists()
    assert not AuditEntry.objects.filter(event=event.pk).exists()
    assert not Topic.objects.filter(name=f"event:{event.pk}").exists()
    assert list(Event.objects.values_list("starts_at", flat=True)) == _starts()


def _leave(event: Event, user: User) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.REGISTRATION)
    entries.enter(event_id=event.pk, player=user.player, actor=user)
    entries.withdraw(event_id=event.pk, player=user.player, actor=user)
    Event.objects.filter(pk=event.pk).update(state=Event.State.CANCELLED)


def _write(event: Event, user: User) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.REGISTRATION)
    event_chat.say(event_id=event.pk, player=user.player, text="Am I alone?")
    Event.objects.filter(pk=event.pk).update(state=Event.State.CANCELLED)


def _manage(event: Event, user: User) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.REGISTRATION)
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    user.refresh_from_db()
    interruptions.cancel(event.pk, user, reason="A holiday")


@pytest.mark.parametrize("act", [_leave, _write, _manage])
def test_a_cancelled_event_that_a_person_had_to_do_with_is_kept(
    clock: FrozenClock, admin: User, act: Callable[[Event, User], None]
) -> None:
    event = _cancelled(clock, SWISS)
    act(event, admin)
    clock.sleep(days=91)
    retention.prune(clock.now)
    assert Event.objects.filter(pk=event.pk).exists()


def test_the_database_keeps_the_log_of_every_other_event(
    clock: FrozenClock, admin: User, levels: list[Player]
) -> None:
    event = _cancelled(clock, SWISS)
    rows = AuditEntry.objects.filter(event=event)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.update(reason="another")
    Event.objects.filter(pk=event.pk).update(state=Event.State.REGISTRATION)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
    _leave(event, admin)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
