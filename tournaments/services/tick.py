"""The tick: it finds the rows that are due, independently of wake-ups (law 1).

Every second while games are played, else every ten, and at the second at which an event or a round
is to begin.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import ParamSpec

from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments.errors import StaleError
from tournaments.models import Bot, Event, Forecast, Game, Round, statements
from tournaments.queries.clocks import game_clocks
from tournaments.services import enqueue, gauntlets, open_data, regressions, retention, sprt_tests
from tournaments.services.accounts import form_keys, throttles
from tournaments.services.arbiter import annulment, fuel_checks, game_acts
from tournaments.services.bots import versions
from tournaments.services.clocks import outages, vacations
from tournaments.services.events import rating_sources, rating_uploads
from tournaments.services.forecasts import requests as forecasts
from tournaments.services.games import game_end, presence
from tournaments.services.games.game_creation import sandboxed_among
from tournaments.services.lobby import guest_games, seeks
from tournaments.services.matches import dispatch, replies
from tournaments.services.notifications import email, reminders
from tournaments.services.puzzles import mining
from tournaments.services.ratings import rating, recomputations
from tournaments.services.rounds import deadlines, lifecycle, scheduled_events, standing_ladders
from tournaments.services.volunteers import reports, revocations

P = ParamSpec("P")

log = logging.getLogger(__name__)

# The interval between ticks of the beat (`CELERY_BEAT_SCHEDULE`).
PERIOD = timedelta(seconds=10)
# The time after which a wake-up counts as lost and is sent again.
REPEAT_REPLY = timedelta(seconds=3)
REPEAT_FORECAST = timedelta(seconds=60)
REPEAT_RECOMPUTATION = timedelta(seconds=20)
# The interval between looks at work that no user waits for.
HOUSEKEEPING = timedelta(seconds=60)
# The interval between looks for events without a wake-up.
REPEAT_EVENT = timedelta(seconds=30)
_AT_MOST = 50


def is_anything_played() -> bool:
    """Return whether a game that counts is being played, which excludes exhibitions."""
    return bool(_played.all())


@statements.query
def _played() -> QuerySet[Game, tuple[int]]:
    exhibitions = Game.objects.filter(match__repeats_left__gt=0)
    return Game.objects.ongoing().exclude(pk__in=exhibitions).values_list("pk")[:1]


def seconds_of_next(now: datetime) -> Sequence[int]:
    """After how many seconds there is to be a tick before that of the next beat."""
    if is_anything_played():
        return range(1, PERIOD.seconds)
    moments = _moments.all(now=now, end=now + PERIOD)
    waits = {math.ceil((moment - now).total_seconds()) for (moment,) in moments if moment}
    return sorted(wait for wait in waits if 1 <= wait < PERIOD.seconds)


@statements.query
def _moments(now: datetime, end: datetime) -> QuerySet[Event, tuple[datetime | None]]:
    """Return the moments at which events and rounds begin or are paired."""
    soon = (now, end)
    events = Event.objects.filter(is_automatic=True, paused_at=None).order_by()
    rounds = Round.objects.filter(state=Round.State.PUBLISHED, started_at=None).order_by()
    return (
        events.filter(state=Event.State.REGISTRATION, starts_at__range=soon)
        .values_list("starts_at")
        .union(
            events.running().filter(next_step_at__range=soon).values_list("next_step_at"),
            rounds.filter(starts_at__range=soon).values_list("starts_at"),
        )
    )


def tick(now: datetime, *, is_between: bool = False) -> None:
    """Do all work that is due at `now`.

    Flags, months, SPRT tests, replies, matches, checks and events are processed. Between full
    ticks, only work that users wait for by the second is done.
    """
    _attempt(_keep_clocks, now)
    _attempt(reports.settle_due, now)
    _attempt(revocations.revoke_due)
    _attempt(sprt_tests.advance_due)
    _attempt(gauntlets.advance_due)
    _attempt(scheduled_events.prepare_due, now)
    _attempt(lifecycle.start_due, now)
    if not is_between:
        _attempt(deadlines.end_due, now)
        _attempt(seeks.forget_absent, now)
        if now.second % HOUSEKEEPING.seconds < PERIOD.seconds:
            _keep_house(now)
    with transaction.atomic():
        if not is_between or now.second % REPEAT_REPLY.seconds == 0:
            _wake_replies(now)
        dispatch.wake_next(now)
        _wake_events(now, is_between=is_between)
        if not is_between:
            _wake_checks(now)
            _wake_forecasts(now)
            for pool_id in recomputations.due(now, since=REPEAT_RECOMPUTATION):
                enqueue.recomputation(pool_id)
            for game_id in fuel_checks.due(now, since=REPEAT_RECOMPUTATION):
                enqueue.fuel_check(game_id)
            for progress_id in annulment.due(now, since=REPEAT_RECOMPUTATION):
                enqueue.annulment(progress_id)


def _keep_house(now: datetime) -> None:
    """Do the work that no user waits for by the second."""
    _attempt(rating.close_months, now)
    _attempt(versions.withdraw_unfit)
    _attempt(versions.activate_next)
    _attempt(standing_ladders.keep)
    _attempt(scheduled_events.create_coming, now)
    _attempt(scheduled_events.cancel_empty, now)
    _attempt(reminders.remind_due, now)
    _attempt(reminders.remind_of_starts, now)
    _attempt(deadlines.remind_due, now)
    _attempt(email.write_due, now)
    _attempt(throttles.forget_expired, now)
    _attempt(form_keys.forget_old, now)
    _attempt(guest_games.forget_absent, now)
    _attempt(forecasts.forget_old, now)
    _attempt(retention.prune, now)
    _attempt(mining.wake, now)
    _attempt(rating_sources.wake, now)
    _attempt(rating_uploads.wake, now)
    _attempt(open_data.wake, now)
    _attempt(regressions.start_due, now)


def _keep_clocks(now: datetime) -> None:
    """Decide fallen flags, after outages are noticed and vacations are ended."""
    outages.notice(now)
    vacations.end_due(now)
    sent_by = now - game_clocks.GRACE
    overdue = Game.objects.flagged(sent_by).order_by("deadline_at")
    for game_id in overdue.values_list("pk", flat=True)[:_AT_MOST]:
        try:
            game_end.flag(game_id, sent_by)
        except StaleError as error:
            log.info("tick.flag game=%s %s", game_id, error)
    presence.forfeit_absent(now)
    game_acts.resume_due(now)


def _attempt(step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Run one step of a tick.

    A failure is logged and stops no other step. The next tick runs it again.
    """
    try:
        step(*args, **kwargs)
    except Exception:
        log.exception("tick.failed step=%s", step.__name__)


def _wake_replies(now: datetime) -> None:
    for rows in (_unanswered.all(now=now, woken_until=now - REPEAT_REPLY), _offers.all()):
        sandboxed_ids = sandboxed_among(player for _, *player_ids in rows for player in player_ids)
        for game_id, *player_ids in rows:
            enqueue.reply(game_id, is_sandboxed=not sandboxed_ids.isdisjoint(player_ids))


@statements.query
def _unanswered(now: datetime, woken_until: datetime) -> QuerySet[Game, tuple[int, int, int]]:
    overdue = replies.due(now).filter(turn_started_at__lt=woken_until).order_by("turn_started_at")
    return overdue.values_list("pk", "first_id", "second_id")[:_AT_MOST]


@statements.query
def _offers() -> QuerySet[Game, tuple[int, int, int]]:
    return replies.with_open_offer().values_list("pk", "first_id", "second_id")[:_AT_MOST]


def _wake_checks(now: datetime) -> None:
    for _ in range(min(_AT_MOST, Bot.objects.unchecked(now).count())):
        enqueue.check()


def _wake_forecasts(now: datetime) -> None:
    forgotten = Q(woken_at__isnull=True) | Q(woken_at__lt=now - REPEAT_FORECAST)
    waiting = Forecast.objects.due(now).filter(forgotten).order_by("asked_at")
    for forecast_id in waiting.values_list("pk", flat=True)[:_AT_MOST]:
        if Forecast.objects.filter(forgotten, pk=forecast_id).update(woken_at=now) == 1:
            enqueue.forecast(forecast_id)


def _wake_events(now: datetime, *, is_between: bool) -> None:
    rows = (*_due.all(now=now), *_drafts.all(now=now), *_starts.all(now=now))
    event_ids = {event_id for (event_id,) in rows}
    if not is_between and now.second % REPEAT_EVENT.seconds < PERIOD.seconds:
        event_ids |= _forgotten_events(now)
    for event_id in event_ids:
        enqueue.event(event_id)


@statements.query
def _due(now: datetime) -> QuerySet[Event, tuple[int]]:
    return _with_next_step(now).filter(min_guests=0).values_list("pk")[:_AT_MOST]


@statements.query
def _drafts(now: datetime) -> QuerySet[Event, tuple[int]]:
    drafts = _running().filter(_is_free(now), is_draft_requested=True)
    return drafts.values_list("pk")[:_AT_MOST]


@statements.query
def _starts(now: datetime) -> QuerySet[Event, tuple[int]]:
    is_to_start = Q(rounds__state=Round.State.PUBLISHED, rounds__started_at=None)
    starts = _running().filter(is_to_start, rounds__starts_at__lte=now)
    return starts.values_list("pk")[:_AT_MOST]


def _running() -> QuerySet[Event]:
    return Event.objects.running().filter(paused_at=None)


def _is_free(now: datetime) -> Q:
    """Return whether no worker pairs the event. A lost worker's pairing is due again."""
    return Q(pairing_until=None) | Q(pairing_until__lt=now)


def _with_next_step(now: datetime) -> QuerySet[Event]:
    """The automatic events whose next step is due, the longest due first.

    A published round must end first, except in continuous formats.
    """
    is_open = Q(rounds__state=Round.State.PUBLISHED, rounds__is_continuous=False)
    due = _running().filter(_is_free(now), is_automatic=True, next_step_at__lte=now)
    return due.exclude(is_open).order_by("next_step_at")


def _forgotten_events(now: datetime) -> set[int]:
    """Return the events whose wake-up was lost: a round has ended, or the guests have come.

    The last game of a round wakes its event, and so does a guest who enters. To look for them takes
    twice the time of all other work together. Events that wait for guests are due for days, and
    must not take the places of those that have work.
    """
    ongoing = Game.objects.ongoing().filter(pairing__isnull=False).values("pairing__round")
    finished_rounds = Round.objects.filter(state=Round.State.PUBLISHED).exclude(pk__in=ongoing)
    over = _running().filter(pk__in=finished_rounds.values("event"))
    waiting = _with_next_step(now).filter(min_guests__gt=0)
    complete = [event.pk for event in waiting if not lifecycle.is_waiting_for_guests(event)]
    return {*over.values_list("pk", flat=True)[:_AT_MOST], *complete[:_AT_MOST]}
