"""The events of schedules: they are created, filled up with bots, started, and without people cancelled and deleted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import mean

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.errors import RefusedError
from tournaments.models import (
    AuditEntry,
    ChatLine,
    Entry,
    Event,
    Forecast,
    Occurrence,
    Pairing,
    Player,
    Round,
    Schedule,
    Section,
    SeriesEvent,
    Topic,
    statements,
)
from tournaments.models.entries import EntryQuerySet
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import schedules as queries
from tournaments.queries.lobby import bot_levels
from tournaments.services.accounts import house_account
from tournaments.services.events import entries, registration
from tournaments.services.notifications import news
from tournaments.services.rounds import schedules

log = logging.getLogger(__name__)

_AT_MOST = 50
# Bots of an arena wait this long for the first person. They play no games with each other.
PATIENCE = timedelta(minutes=15)
# After an outage of this length the players of an event have gone.
_LATEST = timedelta(minutes=30)
# An arena that starts later ends at its time nevertheless.
_SECONDS_LATE = timedelta(seconds=60)


def create_coming(now: datetime) -> None:
    """Create the events whose registration opens. A start in the past is left out."""
    for schedule in Schedule.objects.filter(paused_at=None):
        due = queries.due(schedule, now)
        existing = set(
            schedule.occurrences.filter(starts_at__in=due).values_list("starts_at", flat=True)
        )
        for moment in due:
            if moment not in existing:
                _create(schedule.pk, moment, now)


def _create(schedule_id: int, moment: datetime, now: datetime) -> None:
    """Create the event of a start unless another process did, or the schedule has changed."""
    with transaction.atomic():
        # The start is a unique key as well. The lock spares the second process an event.
        rows = Schedule.objects.select_for_update(no_key=True).filter(paused_at=None)
        schedule = rows.filter(pk=schedule_id).first()
        if schedule is None or moment not in queries.due(schedule, now):
            return
        if schedule.occurrences.filter(starts_at=moment).exists():
            return
        event = registration.create_event(
            organiser=house_account.account(), plan=queries.plan(schedule, moment)
        )
        Occurrence.objects.create(
            schedule=schedule, event=event, starts_at=moment, field_size=schedule.field_size
        )


def prepare_due(now: datetime) -> None:
    """Fill up the events that are to start now, or cancel them. `lifecycle.start_due` starts them."""
    is_due = Q(starts_at__lte=now) | Q(starts_at=None, occurrence__starts_at__lte=now)
    due = Event.objects.filter(is_due, state=Event.State.REGISTRATION, occurrence__isnull=False)
    for event_id in due.order_by("starts_at").values_list("pk", flat=True)[:_AT_MOST]:
        with transaction.atomic():
            event = Event.locked(event_id)
            if event.state == Event.State.REGISTRATION:
                _prepare(event, now)


def _prepare(event: Event, now: datetime) -> None:
    # An administrator may have moved the start.
    late = now - (event.starts_at or event.occurrence.starts_at)
    if late > _LATEST:
        schedules.cancel_event(event.pk, "start-missed")
        return
    people = _people(event.entries.active())
    is_arena = formats.of(event).is_continuous
    if not people and not is_arena:
        schedules.cancel_event(event.pk, "without-people")
        return
    _fill_up(event, [entry.player for entry in people])
    if event.entries.active().count() < 2:
        schedules.cancel_event(event.pk, "too-few")
    elif is_arena and late > _SECONDS_LATE:
        event.duration_s = max(60, event.duration_s - int(late.total_seconds()))
        event.save(update_fields=["duration_s"])


def cancel_empty(now: datetime) -> None:
    """Cancel the running arenas to which no person has come."""
    people = _people(Entry.objects.filter(event=OuterRef("pk")))
    running = Event.objects.running().filter(occurrence__isnull=False)
    empty = running.filter(~Exists(people), started_at__lte=now - PATIENCE)
    for event_id in empty.values_list("pk", flat=True)[:_AT_MOST]:
        with transaction.atomic():
            event = Event.locked(event_id)
            if event.state == Event.State.RUNNING and not _people(event.entries.all()).exists():
                schedules.cancel_event(event_id, "without-people")


@statements.query
def _empty(before: datetime) -> QuerySet[Event, tuple[int]]:
    """Return the cancelled events before `before` to which no person came."""
    of_event = {"event": OuterRef("pk")}
    by_hand = AuditEntry.objects.filter(actor__isnull=False, **of_event)
    empty = Event.objects.filter(
        ~Exists(_people(Entry.objects.filter(**of_event))),
        ~Exists(by_hand.exclude(actor=F("event__organiser"))),
        *(
            ~Exists(model.objects.filter(**of_event))
            for model in (Pairing, ChatLine, Forecast, Section, SeriesEvent)
        ),
        state=Event.State.CANCELLED,
        occurrence__starts_at__lt=before,
    )
    return empty.order_by("pk").values_list("pk")[:_AT_MOST]


def forget_cancelled(before: datetime) -> int:
    """Delete cancelled events to which no person came, with their logs. Return their number.

    They are 50 at most. The schedules of a site create fewer in a minute. Their starts were before that moment: `create_coming` creates no event for a start in the past.
    An event is kept if a person has entered it, written in its chat or managed it, or a series has it.
    """
    event_ids = [event_id for (event_id,) in _empty.all(before=before)]
    if not event_ids:
        return 0
    with transaction.atomic():
        # The database lets the log go as long as it can see that the event was cancelled and empty.
        for model in (AuditEntry, Entry, Round):
            model.objects.filter(event__in=event_ids).delete()
        Event.objects.filter(pk__in=event_ids).delete()
        # Locked before the search for news, which then sees those that were just added.
        topics = Topic.objects.filter(name__in=map(news.of_event, event_ids)).order_by("name")
        locked = list(topics.select_for_update(no_key=True).values_list("pk", flat=True))
        Topic.objects.filter(pk__in=locked, items=None).delete()
    return len(event_ids)


def _people(rows: EntryQuerySet) -> EntryQuerySet:
    bots = (Player.Kind.BOT, Player.Kind.REMOTE)
    return rows.exclude(player__kind__in=bots).select_related("player")


def _fill_up(event: Event, people: Sequence[Player]) -> None:
    """Enter the site's bots up to the size of the field, in an event locked by the caller."""
    needed = max(0, event.occurrence.field_size - event.entries.active().count())
    entered = set(event.entries.values_list("player", flat=True))
    bots = [bot for bot in _nearest_bots(event, people) if bot.pk not in entered]
    for bot in bots[:needed]:
        try:
            entries.enter(event_id=event.pk, player=bot, actor=event.organiser)
        except RefusedError as refusal:
            log.info("schedules.fill event=%s player=%s %s", event.pk, bot.pk, refusal)


def _nearest_bots(event: Event, people: Sequence[Player]) -> list[Player]:
    """Return the bots of the levels, the nearest to the people's strength first. Without people all are near."""
    clock = game_clocks.clock_of(event)
    levels = bot_levels.levels(None, ruleset=event.ruleset, clock=clock)
    fitting = [
        level.number
        for player in people
        for level in bot_levels.levels(player, ruleset=event.ruleset, clock=clock)
        if level.is_recommended
    ]
    middle = mean(fitting or [level.number for level in levels] or [0])
    nearest = sorted(levels, key=lambda level: abs(level.number - middle))
    return [level.bot for level in nearest if level.bot.bot.plays(event.ruleset)]
