"""Pausing, continuing and cancelling an event, each with a reason for the players."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, StaleError
from tournaments.models import Event, Game, Match, User
from tournaments.models.setting_types import Level
from tournaments.queries.events.staff import Task
from tournaments.services import enqueue
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.games import game_end
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds


@act(
    "pause",
    task=Task.PAIRINGS,
    done=_("The event was paused. Its players were notified."),
)
def pause(event: Event, actor: User, *, reason: str) -> Event:
    """Stop closing, pairing and publishing until the event is resumed. Games are played out.

    Raises NotAllowedError `not-organiser`, StaleError `not-running` or `paused`, RefusedError
    `reason-bad`.
    """
    if event.state != Event.State.RUNNING:
        raise StaleError("not-running", event.state)
    if event.paused_at is not None:
        raise StaleError("paused")
    event.paused_at = database_time.now()
    event.save(update_fields=["paused_at"])
    _tell(event, "paused", reason)
    pause.note(event, actor, reason=reason)
    news.announce(news.of_event(event.pk), "paused", {})
    return event


@act(
    "go-on",
    task=Task.PAIRINGS,
    done=_("The event was resumed."),
)
def go_on(event: Event, actor: User) -> Event:
    """Resume a paused event.

    Raises NotAllowedError `not-organiser`, StaleError `not-paused`.
    """
    if event.paused_at is None:
        raise StaleError("not-paused")
    event.paused_at = None
    event.save(update_fields=["paused_at"])
    _tell(event, "goes-on", "")
    go_on.note(event, actor)
    news.announce(news.of_event(event.pk), "goes-on", {})
    enqueue.event(event.pk)
    return event


@act(
    "cancel",
    task=Task.SETTINGS,
    done=_("The event was cancelled. Its players were notified."),
    warning=ActWarning(
        Level.CONFIRM,
        _(
            "Finished games are kept. Games in progress will not count. Players will be notified. You cannot undo this."
        ),
    ),
)
def cancel(event: Event, actor: User, *, reason: str) -> Event:
    """Cancel the event, before its start or in its course.

    Finished games and their ratings are not changed. Games in progress end as not counted. A draft
    is discarded.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game-open` while the organiser plays a game of it.
        StaleError: `event-over`.
        RefusedError: `reason-bad`.
    """
    if not event.is_open:
        raise StaleError("event-over", event.state)
    going_on = Game.objects.ongoing().filter(pairing__event=event, ply__gt=0)
    # Games of their bots may follow each other without end, and would hold up a ladder for ever.
    if going_on.filter(Q(first__user=actor) | Q(second__user=actor)).exists():
        raise NotAllowedError("own-game-open")
    rounds.drop_draft(event)
    event.state = Event.State.CANCELLED
    event.next_step_at = event.paused_at = None
    event.is_draft_requested = False
    event.save(update_fields=["state", "next_step_at", "paused_at", "is_draft_requested"])
    # Games are locked before topics, and topics of players before that of the event.
    ongoing = Game.objects.ongoing().filter(pairing__event=event)
    games = list(ongoing.select_for_update(of=("self",), no_key=True).with_players().order_by("pk"))
    _tell(event, "cancelled", reason)
    _stop(games)
    cancel.note(event, actor, reason=reason)
    news.announce(news.of_event(event.pk), "cancelled", {})
    return event


def _stop(games: Iterable[Game]) -> None:
    for game in games:
        if game.match_id is not None:
            going_on = [Match.State.QUEUED, Match.State.LEASED]
            matches = Match.objects.filter(pk=game.match_id, state__in=going_on)
            matches.update(state=Match.State.FAILED, lease_until=None, fault="cancelled")
        game_end.finish_game(
            game, result=Game.Result.VOID, ending=Game.Ending.ABORTED, detail="cancelled"
        )


def _tell(event: Event, kind: str, reason: str) -> None:
    """Notify all participants with an account."""
    users = event.entries.exclude(state="withdrawn").filter(player__user__isnull=False)
    news.announce_each(
        (news.of_user(user_id), kind, {"event": event.pk, "reason": reason})
        for user_id in users.values_list("player__user", flat=True)
    )
