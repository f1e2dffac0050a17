"""Annulment: the games of a broken version are voided, and everything that follows recomputed."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    Annulment,
    AnnulmentProgress,
    Bot,
    Entry,
    Event,
    Game,
    Match,
    User,
)
from tournaments.services import audit, enqueue
from tournaments.services.arbiter import corrections
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.reasons import checked_reason

# Up to this number, games are voided immediately. For more, a worker voids this number in each
# transaction.
GAMES_AT_ONCE = 20
# After this time a worker lets others in its queue pass.
_SLICE_S = 5.0


def annul(*, bot_id: int, actor: User, reason: str) -> AnnulmentProgress:
    """Void all games of the bot and exclude it from further games. Return the progress.

    Each game gets a correction to void: immediately if they are few, otherwise by a worker.

    Its games in progress end void immediately, and waiting matches are cancelled.

    Results that cannot be undone remain and are not counted in the annulment. These are results
    that a knock-out has continued from, and games of two players who have met again since.

    Raises:
        NotAllowedError: `not-moderator`.
        RefusedError: `reason-bad`, or `annulled` already.
    """
    if not actor.is_superuser:
        raise NotAllowedError("not-moderator")
    reason = checked_reason(reason)
    with transaction.atomic():
        bot = Bot.objects.select_related("player").get(pk=bot_id)
        _lock_events(bot)
        bots = Bot.objects.filter(pk=bot_id).exclude(state=Bot.State.ANNULLED)
        columns = {
            "state": Bot.State.ANNULLED,
            "state_code": "",
            "state_reason": reason,
            "state_parts": {},
        }
        if bots.update(is_active=False, takes_over=False, **columns) != 1:
            raise RefusedError("annulled", bot.player.name)
        open_games = _stop_matches(bot)
        progress = _begin(bot, actor, reason)
        if progress.games_total <= GAMES_AT_ONCE:
            _void_some(progress)
        else:
            enqueue.annulment(progress.pk)
        for game in open_games:
            game_end.finish_game(
                game, result=Game.Result.VOID, ending=Game.Ending.FAULT, detail="annulled"
            )
        _withdraw(bot)
        audit.note(
            "annul", actor=actor, bot=bot.player.name, games=progress.games_total, reason=reason
        )
        return progress


def work(progress_id: int, *, slice_s: float = _SLICE_S) -> bool:
    """Void games of an annulment for a while. Return whether all are done.

    Each step is a separate transaction: a killed worker loses one step. The next message continues
    the work.
    """
    until = time.monotonic() + slice_s
    while True:
        with transaction.atomic():
            rows = AnnulmentProgress.objects.filter(pk=progress_id, finished_at=None)
            locked = rows.select_for_update(of=("self",), no_key=True)
            progress = locked.select_related("annulment__actor", "annulment__bot__player").first()
            if progress is None:
                return True
            _void_some(progress)
            if progress.finished_at is not None:
                return True
            if time.monotonic() > until:
                progress.woken_at = database_time.now()
                progress.save(update_fields=["woken_at"])
                enqueue.annulment(progress.pk)
                return False


def due(now: datetime, *, since: timedelta) -> list[int]:
    """Return the unfinished annulments without a message to a worker during `since`."""
    rows = AnnulmentProgress.objects.filter(finished_at=None, woken_at__lt=now - since)
    return [
        key
        for key in rows.order_by("pk").values_list("pk", flat=True)
        if rows.filter(pk=key).update(woken_at=now)
    ]


def progress_of(bot: Bot) -> AnnulmentProgress | None:
    """Return the progress of the annulment of the bot's games, or None without an unfinished annulment."""
    return AnnulmentProgress.objects.filter(annulment__bot=bot, finished_at=None).first()


def _begin(bot: Bot, actor: User, reason: str) -> AnnulmentProgress:
    now = database_time.now()
    return AnnulmentProgress.objects.create(
        annulment=Annulment.objects.create(bot=bot, actor=actor, reason=reason, made_at=now),
        games_total=_counted_games(bot).count(),
        woken_at=now,
    )


def _counted_games(bot: Bot) -> QuerySet[Game]:
    return Game.objects.finished().of(bot.player).exclude(result=Game.Result.VOID)


def _void_some(progress: AnnulmentProgress) -> None:
    """Void the next games, and let ratings and news follow. In a transaction, the progress locked or new."""
    annulment = progress.annulment
    later = _counted_games(annulment.bot).filter(pk__gt=progress.reached).order_by("pk")
    game_ids = list(later.values_list("pk", flat=True)[:GAMES_AT_ONCE])
    game_corrections = corrections.void(game_ids, actor=annulment.actor, reason=annulment.reason)
    progress.games_done += len(game_ids)
    progress.games_voided += len(game_corrections)
    # One more if a void game was counted again meanwhile.
    progress.games_total = max(progress.games_total, progress.games_done)
    progress.reached = max(game_ids, default=progress.reached)
    if len(game_ids) < GAMES_AT_ONCE or progress.games_done == progress.games_total:
        progress.finished_at = database_time.now()
    progress.save()


def _lock_events(bot: Bot) -> None:
    """Lock all events of the bot before anything else, in the order that all services keep."""
    is_concerned = Q(entries__player=bot.player) | Q(pk__in=_events_of_games(bot))
    events = Event.objects.filter(pk__in=Event.objects.filter(is_concerned).values("pk"))
    list(events.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def _events_of_games(bot: Bot) -> QuerySet[Game, int | None]:
    games = Game.objects.of(bot.player).filter(pairing__isnull=False)
    return games.values_list("pairing__event", flat=True)


def _stop_matches(bot: Bot) -> list[Game]:
    """Take the bot's matches from their workers. Return its games without a result, locked."""
    mine = Game.objects.ongoing().of(bot.player)
    called_off = {"state": Match.State.FAILED, "lease_until": None, "fault": "annulled"}
    going_on = [Match.State.QUEUED, Match.State.LEASED]
    matches = Match.objects.filter(pk__in=mine.values("match"), state__in=going_on)
    matches.update(**called_off)
    return list(mine.select_for_update(of=("self",), no_key=True).with_players().order_by("pk"))


def _withdraw(bot: Bot) -> None:
    open_states = [Event.State.REGISTRATION, Event.State.RUNNING]
    open_entries = Entry.objects.active().filter(player=bot.player, event__state__in=open_states)
    for event_id in open_entries.order_by("event").values_list("event", flat=True):
        entries.withdraw(event_id=event_id, player=bot.player, actor=None)
