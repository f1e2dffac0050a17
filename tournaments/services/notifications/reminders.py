"""Reminders of correspondence games, a day, eight hours and an hour before the time runs out."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from tournaments.models import Game, Reminder
from tournaments.services.notifications import news

HOURS = (24, 8, 1)
_DAY_MS = 24 * 3600 * 1000
_AT_MOST = 50


def remind_due(now: datetime) -> None:
    """Remind all players whose time has fallen below a threshold during this turn, once for each."""
    for hours in sorted(HOURS):
        ahead = timedelta(hours=hours)
        # After the reminder of a later threshold an earlier one is not needed.
        earlier = Reminder.objects.filter(
            game=OuterRef("pk"),
            attempt=OuterRef("attempt"),
            ply=OuterRef("ply"),
            hours__lte=hours,
        )
        due = Game.objects.ongoing().filter(
            ~Exists(earlier),
            clock_initial_ms__gte=_DAY_MS,
            deadline_at__gt=now,
            deadline_at__lte=now + ahead,
            turn_started_at__lt=F("deadline_at") - ahead,
        )
        for game in due.with_players().order_by("deadline_at")[:_AT_MOST]:
            with transaction.atomic():
                _remind(game, hours, now)


def _remind(game: Game, hours: int, now: datetime) -> None:
    _, is_new = Reminder.objects.get_or_create(
        game=game, attempt=game.attempt, ply=game.ply, hours=hours, defaults={"made_at": now}
    )
    if is_new:
        player = game.player_on(game.side_to_move)
        news.announce_to([player], "reminder", {"game": game.pk, "hours": hours})
