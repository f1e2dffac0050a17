"""Vacations of players: the current ones, and the days that are left of a year."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from tournaments.models import Game, Player, Vacation

# A calendar year, by the day on which a vacation begins (UTC). A day that has begun counts.
BUDGET_DAYS = 30
_DAY = timedelta(days=1)


def days_used(vacation: Vacation) -> int:
    """The days that a vacation takes from the year: all, or those that had begun when it ended."""
    if vacation.ended_at is None:
        return vacation.days
    return min(vacation.days, max(1, -((vacation.started_at - vacation.ended_at) // _DAY)))


def days_left(player: Player, now: datetime) -> int:
    """Return the number of days that `player` has left this year."""
    vacations = player.vacations.filter(started_at__year=now.year)
    return max(0, BUDGET_DAYS - sum(days_used(vacation) for vacation in vacations))


def running(player: Player) -> Vacation | None:
    """The vacation on which `player` is, if any."""
    return player.vacations.running().first()


def of_game(game: Game) -> dict[int, Vacation]:
    """The vacations that matter in `game`, by the player."""
    if not game.allows_vacation or game.result is not None:
        return {}
    vacations = Vacation.objects.running().filter(player__in=[game.first_id, game.second_id])
    return {vacation.player_id: vacation for vacation in vacations}


def away_among(players: Iterable[int]) -> set[int]:
    """Return the players who are on vacation."""
    vacations = Vacation.objects.running().filter(player__in=set(players))
    return set(vacations.values_list("player_id", flat=True))
