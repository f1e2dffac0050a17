"""What a second of the service's life asks for: due rows are found here, whatever became of their wake-ups (law 1)."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from tournaments.models import Bot, Event, Game, Match, Round
from tournaments.services import enqueue, sprt_tests
from tournaments.services.bots import versions
from tournaments.services.clocks import game_clocks, outages, vacations
from tournaments.services.errors import StaleError
from tournaments.services.games import play
from tournaments.services.games.game_creation import sandboxed_among
from tournaments.services.lobby import seeks
from tournaments.services.matches import matches, replies
from tournaments.services.notifications import email, reminders
from tournaments.services.ratings import rating
from tournaments.services.rounds import lifecycle

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import ParamSpec

    P = ParamSpec("P")

log = logging.getLogger(__name__)

# How long a wake-up may take before it is taken for lost and sent again.
REPEAT_REPLY = timedelta(seconds=3)
REPEAT_MATCH = timedelta(seconds=20)
REPEAT_CHECK = timedelta(seconds=10)
_AT_MOST = 50


def tick(now: datetime) -> None:
    """Decide fallen flags, close months, let SPRT tests go on, and wake workers for replies, matches and events that are due at `now`."""
    _tried(_keep_clocks, now)
    _tried(rating.close_months, now)
    _tried(sprt_tests.advance_due)
    _tried(seeks.forget_absent, now)
    if now.second % REPEAT_CHECK.seconds == 0:
        _tried(versions.withdraw_unfit)
        _tried(versions.activate_next)
        _tried(reminders.remind_due, now)
        _tried(email.write_due, now)
    with transaction.atomic():
        _wake_replies(now)
        _wake_matches(now)
        _wake_events(now)
        _wake_checks(now)


def _keep_clocks(now: datetime) -> None:
    """Decide fallen flags: after it is known whether the service was away, and whose vacation is over."""
    outages.notice(now)
    vacations.end_due(now)
    sent_by = now - game_clocks.GRACE
    flagged = Game.objects.flagged(sent_by).order_by("deadline_at")
    for game_id in flagged.values_list("pk", flat=True)[:_AT_MOST]:
        try:
            play.flag(game_id, sent_by)
        except StaleError as error:
            log.info("tick.flag game=%s %s", game_id, error)


def _tried(step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """One step of a tick, whose failure keeps no other from being done; the next tick tries it again."""
    try:
        step(*args, **kwargs)
    except Exception:
        log.exception("tick.failed step=%s", step.__name__)


def _wake_replies(now: datetime) -> None:
    if now.second % REPEAT_REPLY.seconds != 0:
        return  # one in three ticks is enough for what was lost
    waited = replies.due(now).filter(turn_started_at__lt=now - REPEAT_REPLY)
    for games in (waited.order_by("turn_started_at"), replies.offered()):
        found = list(games.values_list("pk", "first_id", "second_id")[:_AT_MOST])
        boxed = sandboxed_among(player for _, *seated in found for player in seated)
        for game_id, *seated in found:
            enqueue.reply(game_id, is_boxed=not boxed.isdisjoint(seated))


def _wake_matches(now: datetime) -> None:
    forgotten = Q(woken_at__isnull=True) | Q(woken_at__lt=now - REPEAT_MATCH)
    # A match scheduled for later was woken for the last time before it was due.
    due = Match.objects.due(now).filter(forgotten).order_by("due_at")
    for match in due.prefetch_related("games")[:_AT_MOST]:
        if Match.objects.filter(forgotten, pk=match.pk).update(woken_at=now) == 1:
            matches.wake_up(match, list(match.games.all()))


def _wake_checks(now: datetime) -> None:
    if now.second % REPEAT_CHECK.seconds != 0:
        return
    waiting = Bot.objects.unchecked(now).order_by("created_at")
    for bot_id in waiting.values_list("pk", flat=True)[:_AT_MOST]:
        enqueue.check(bot_id)


def _wake_events(now: datetime) -> None:
    running = Event.objects.running()
    # A published round must end first, but for the waves of continuous formats; a lost worker's pairing is due again.
    is_open = Q(rounds__state=Round.State.PUBLISHED, rounds__is_continuous=False)
    is_free = Q(pairing_until=None) | Q(pairing_until__lt=now)
    due = running.filter(is_free, is_automatic=True, next_step_at__lte=now).exclude(is_open)
    due = due.order_by("next_step_at")
    wanted = running.filter(is_free, is_draft_requested=True)
    ongoing = Game.objects.ongoing().filter(pairing__isnull=False).values("pairing__round")
    ended = Round.objects.filter(state=Round.State.PUBLISHED).exclude(pk__in=ongoing)
    over = running.filter(pk__in=ended.values("event"))
    # Those that wait for people stay due for days: they must not take the places of others.
    waiting = due.filter(min_people__gt=0)
    for event_id in {
        *due.filter(min_people=0).values_list("pk", flat=True)[:_AT_MOST],
        *[event.pk for event in waiting if not lifecycle.is_waiting_for_people(event)][:_AT_MOST],
        *over.values_list("pk", flat=True)[:_AT_MOST],
        *wanted.values_list("pk", flat=True)[:_AT_MOST],
    }:
        enqueue.event(event_id)
