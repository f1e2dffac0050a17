"""Reminders: of correspondence games, before the time runs out, and of events, before they start."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from functools import cache

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from tournaments.models import Event, Game, Reminder, statements
from tournaments.services.notifications import news

HOURS = (24, 8, 1)
BEFORE_START = timedelta(minutes=10)
_DAY_MS = 24 * 3600 * 1000
_AT_MOST = 50


def remind_due(now: datetime) -> None:
    """Remind all players whose time has fallen below a threshold during this turn, once for each."""
    for hours in sorted(HOURS):
        for game in _due(hours).all(now=now, until=now + timedelta(hours=hours)):
            with transaction.atomic():
                _remind(game, hours, now)


@cache
def _due(hours: int) -> statements.Query[Game]:
    """Return the query of games whose deadline is between two moments, without a reminder."""

    @statements.query
    def due(now: datetime, until: datetime) -> QuerySet[Game]:
        # After the reminder of a later threshold an earlier one is not needed.
        earlier = Reminder.objects.filter(
            game=OuterRef("pk"), attempt=OuterRef("attempt"), ply=OuterRef("ply"), hours__lte=hours
        )
        games = Game.objects.ongoing().filter(
            ~Exists(earlier),
            clock_initial_ms__gte=_DAY_MS,
            deadline_at__gt=now,
            deadline_at__lte=until,
            turn_started_at__lt=F("deadline_at") - timedelta(hours=hours),
        )
        return games.select_related("first", "second").order_by("deadline_at")[:_AT_MOST]

    return due


def _remind(game: Game, hours: int, now: datetime) -> None:
    _, is_new = Reminder.objects.get_or_create(
        game=game, attempt=game.attempt, ply=game.ply, hours=hours, defaults={"made_at": now}
    )
    if is_new:
        player = game.player_on(game.side_to_move)
        news.announce_to([player], "reminder", {"game": game.pk, "hours": hours})


def remind_of_starts(now: datetime) -> None:
    """Remind the players of each event that starts within some minutes, once for each planned start."""
    coming = Event.objects.filter(
        state=Event.State.REGISTRATION, starts_at__gt=now, starts_at__lte=now + BEFORE_START
    ).exclude(reminded_start_at=F("starts_at"))
    for event in coming.order_by("starts_at")[:_AT_MOST]:
        with transaction.atomic():
            _remind_of_start(event, now)


def _remind_of_start(event: Event, now: datetime) -> None:
    assert event.starts_at is not None, "see remind_of_starts"
    # The second of two simultaneous beats waits here, and finds the mark of the first.
    same = Event.objects.filter(pk=event.pk, state=event.state, starts_at=event.starts_at)
    unmarked = same.exclude(reminded_start_at=event.starts_at)
    if unmarked.update(reminded_start_at=event.starts_at) != 1:
        return
    minutes = math.ceil((event.starts_at - now).total_seconds() / 60)
    users = event.entries.active().filter(player__user__isnull=False)
    news.announce_each(
        (news.of_user(user_id), "start-soon", {"event": event.pk, "minutes": minutes})
        for user_id in users.values_list("player__user", flat=True)
    )
