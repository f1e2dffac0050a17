"""Vacations: days on which the correspondence clocks of a player to move are stopped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, Outage, Player, Vacation
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.services.notifications import news

_DAY = timedelta(days=1)
_AT_MOST = 50
_BATCH = 500


def start(*, player: Player, days: int) -> Vacation:
    """Begin a vacation of `days` days now.

    Clocks that have run out do not change. The others are stopped.

    Raises:
        StaleError: `vacation-running`.
        RefusedError: `vacation-days` for zero days or more than are left.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        now = database_time.now()
        if vacation_days.running(player) is not None:
            raise StaleError("vacation-running")
        if not 1 <= days <= vacation_days.days_left(player, now):
            raise RefusedError("vacation-days", str(days))
        vacation = Vacation.objects.create(
            player=player, days=days, started_at=now, ends_at=now + days * _DAY
        )
        games = _lock_games(player)
        to_pause = [
            game
            for game in games
            if game.side_of(player) == game.side_to_move
            and game.deadline_at is not None
            and game.deadline_at > now
        ]
        for game in to_pause:
            game.paused_at = now
        _save(to_pause)
        _tell(games)
        return vacation


def end(*, player: Player) -> Vacation:
    """End the vacation now: clocks run again.

    Raises StaleError `vacation-over` without one.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        return _end(player, database_time.now())


def end_due(now: datetime) -> None:
    """End the vacations whose last day is over, as of that moment."""
    due = Vacation.objects.running().filter(ends_at__lte=now).order_by("ends_at")
    for player_id in due.values_list("player_id", flat=True)[:_AT_MOST]:
        with transaction.atomic():
            player = Player.objects.select_for_update(no_key=True).get(pk=player_id)
            vacation = vacation_days.running(player)
            if vacation is not None and vacation.ends_at <= now:
                _end(player, vacation.ends_at)


def _end(player: Player, at: datetime) -> Vacation:
    vacation = vacation_days.running(player)
    if vacation is None:
        raise StaleError("vacation-over")
    vacation.ended_at = at
    vacation.save(update_fields=["ended_at"])
    # A vacation that ended while the service was away lasts until the service was back.
    absent = Outage.objects.filter(started_at__lte=at, ended_at__gt=at).first()
    at = absent.ended_at if absent is not None else at
    games = _lock_games(player)
    to_resume = [
        game
        for game in games
        if game.side_of(player) == game.side_to_move and game.paused_at is not None
    ]
    for game in to_resume:
        assert game.paused_at is not None, "these stand still"
        game.vacation_ms += game_clocks.milliseconds(game.paused_at, at)
        game.paused_at = None
    _save(to_resume)
    _tell(games)
    return vacation


def _lock_games(player: Player) -> list[Game]:
    """The games that a vacation of `player` concerns, locked.

    Also those in which he is not to move: a move that is made meanwhile may pass him the turn.
    """
    games = Game.objects.ongoing().of(player).filter(allows_vacation=True)
    rows = games.select_for_update(of=("self",), no_key=True).select_related("first", "second")
    return list(rows.order_by("pk"))


def _save(games: Sequence[Game]) -> None:
    for game in games:
        game_clocks.set_deadline(game)
    Game.objects.bulk_update(games, [*Game.TURN_COLUMNS, *Game.CREDIT_COLUMNS], batch_size=_BATCH)


def _tell(games: Iterable[Game]) -> None:
    news.announce_each((news.of_game(game.pk), "clock", {}) for game in games)
