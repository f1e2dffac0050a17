"""Annulment: the games of a broken version are voided, and everything that follows recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from tournaments.models import Annulment, Bot, Entry, Event, Game, Match, Pool
from tournaments.services import audit, database_time
from tournaments.services.arbiter import corrections
from tournaments.services.errors import NotAllowedError, RefusedError
from tournaments.services.events import entries
from tournaments.services.games import game_end
from tournaments.services.ratings import recomputations
from tournaments.services.reasons import checked_reason

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.models import Correction, User


def annul(*, bot_id: int, actor: User, reason: str) -> Annulment:
    """Let no game of the bot's count any more, and let it play no more.

    Each game says so by a correction to void.

    What it is playing ends void at once, and matches that wait are called off.

    What cannot be undone stays and is not counted in the annulment: results that a knock-out has
    gone on from, and games of two who have met again since.

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
        games = Game.objects.finished().of(bot.player).exclude(result=Game.Result.VOID)
        # Events first and in one order, as everybody locks them.
        game_ids = games.order_by("pairing__event", "pk").values_list("pk", flat=True)
        game_corrections = [each for game_id in game_ids if (each := _void(game_id, actor, reason))]
        pool_ids = {each.game.pool_id for each in game_corrections if each.game.pool_id is not None}
        for pool in Pool.objects.filter(pk__in=pool_ids).order_by("pk"):
            recomputations.follow(
                pool, [each for each in game_corrections if each.game.pool_id == pool.pk]
            )
        corrections.tell(game_corrections)
        for game in open_games:
            game_end.finish_game(
                game, result=Game.Result.VOID, ending=Game.Ending.FAULT, detail="annulled"
            )
        _withdraw(bot)
        audit.note(
            "annul", actor=actor, bot=bot.player.name, games=len(game_corrections), reason=reason
        )
        return Annulment.objects.create(
            bot=bot,
            actor=actor,
            reason=reason,
            games=len(game_corrections),
            made_at=database_time.now(),
        )


def _lock_events(bot: Bot) -> None:
    """Lock all events of the bot before anything else, in the order that all services keep."""
    is_concerned = Q(entries__player=bot.player) | Q(pk__in=_events_of_games(bot))
    events = Event.objects.filter(pk__in=Event.objects.filter(is_concerned).values("pk"))
    list(events.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def _events_of_games(bot: Bot) -> QuerySet[Game, int | None]:
    games = Game.objects.of(bot.player).filter(pairing__isnull=False)
    return games.values_list("pairing__event", flat=True)


def _stop_matches(bot: Bot) -> list[Game]:
    """Take its matches from their workers; its games that have no result yet, locked."""
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


def _void(game_id: int, actor: User, reason: str) -> Correction | None:
    """The correction, or None where the result stays."""
    try:
        with transaction.atomic():
            return corrections.correct_result(
                game_id=game_id, actor=actor, result=Game.Result.VOID, reason=reason
            )
    except RefusedError:
        return None
