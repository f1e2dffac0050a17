"""The reliability of uploaded bots: games that a version lost by failing."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from engine.match import Ending
from tournaments.models import Bot, Game, Player
from tournaments.models.games import GameQuerySet

IN_A_ROW = 3
# The limit in per cent, from this number of games on.
FAILED_PERCENT = 10
FAILED_OF_GAMES = 40

FAULTS = [ending.value for ending in Ending if ending.is_fault]


@dataclass(frozen=True, slots=True)
class Record:
    """The reliability of a version since its last check, in rated games or in others.

    Attributes:
        games: the number of counted games.
        failed: the number of games that it lost by failing.
        failed_in_a_row: the number of failures at the end.
    """

    games: int
    failed: int
    failed_in_a_row: int


def record_of(bot: Bot, *, is_rated: bool) -> Record:
    """Return the record that counts towards the suspension of the version."""
    games = _counted(bot, is_rated=is_rated)
    lost_by_fault = failures(games, bot.player)
    latest = list(games.order_by("-ended_at", "-pk").values_list("pk", flat=True)[:IN_A_ROW])
    failed = set(lost_by_fault.filter(pk__in=latest).values_list("pk", flat=True))
    in_a_row = next((place for place, pk in enumerate(latest) if pk not in failed), len(latest))
    return Record(games.count(), lost_by_fault.count(), in_a_row)


def verdict(bot: Bot, *, is_rated: bool) -> str | None:
    """Return the code of the reason for which the version is suspended, or None."""
    record = record_of(bot, is_rated=is_rated)
    if record.failed_in_a_row == IN_A_ROW:
        return "faults-in-a-row"
    if record.games >= FAILED_OF_GAMES and record.failed * 100 > record.games * FAILED_PERCENT:
        return "faults-many"
    return None


def _counted(bot: Bot, *, is_rated: bool) -> GameQuerySet:
    games = Game.objects.of(bot.player).finished().filter(is_rated=is_rated)
    games = games.exclude(result=Game.Result.VOID)
    if bot.faults_counted_from is not None:
        games = games.filter(ended_at__gt=bot.faults_counted_from)
    return games


def failures(games: GameQuerySet, player: Player) -> GameQuerySet:
    """Return the games that `player` lost by failing."""
    is_loss = Q(first=player, result=Game.Result.SECOND) | Q(
        second=player, result=Game.Result.FIRST
    )
    return games.filter(is_loss, ending__in=FAULTS)
