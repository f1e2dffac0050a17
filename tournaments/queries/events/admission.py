"""Admission to an event: the actor of a player, the players that fit, and the time for entries."""

from __future__ import annotations

from django.db.models import Max

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Bot, Event, Player, Round, User
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.formats import Late

MAX_BOTS_OF_AN_AUTHOR = 3


def require_right(event: Event, player: Player, actor: User) -> None:
    """Raise NotAllowedError `not-your-player` unless `actor` may act for `player` in the event."""
    is_own = player.user_id == actor.pk
    owns_bot = player.is_bot and player.bot.owner_id == actor.pk
    leads = player.is_team and event.entries.filter(player=player, captain=actor).exists()
    if not (is_own or owns_bot or leads or Task.ENTRIES in staff.tasks_of(event, actor)):
        raise NotAllowedError("not-your-player", player.name)


def require_fit(event: Event, player: Player) -> None:
    """Raise RefusedError unless the event is open for such a player, as `enter` says."""
    if not accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    if event.admits == Event.Admits.PEOPLE and player.is_bot:
        raise RefusedError("people-only", player.name)
    if event.admits == Event.Admits.BOTS and not player.is_bot:
        raise RefusedError("bots-only", player.name)
    if player.is_bot and player.bot.state != Bot.State.READY:
        raise RefusedError("bot-inactive", player.name)
    if player.is_remote and not event.admits_remote:
        raise RefusedError("remote-refused", player.name)
    if player.is_bot and not player.bot.plays(event.ruleset):
        raise RefusedError("bot-other-game", player.name)
    if event.fuel is not None and not Player.objects.metered().filter(pk=player.pk).exists():
        raise RefusedError("modules-only", player.name)
    _require_few_of_an_author(event, player)


def _require_few_of_an_author(event: Event, player: Player) -> None:
    """Raise RefusedError `too-many-bots` if the author has entered as many bots as the event takes."""
    if not player.is_bot or player.bot.line_id is None:
        return
    own = event.entries.active().filter(
        player__bot__line__isnull=False, player__bot__owner=player.bot.owner_id
    )
    if own.exclude(player=player).count() >= MAX_BOTS_OF_AN_AUTHOR:
        raise RefusedError("too-many-bots", str(MAX_BOTS_OF_AN_AUTHOR))


def accepts_entries(event: Event, drafted: int | None = None) -> bool:
    """Return whether an entry may still come: before the start, or late as far as the format takes it.

    `drafted` is the number of the last round, if the caller knows it.
    """
    if event.state != Event.State.RUNNING:
        return event.state == Event.State.REGISTRATION
    match formats.of(event).late:
        case Late.NEVER:
            return False
        case Late.FIRST_HALF:
            last = event.last_late_round
            number = rounds_drafted(event) if drafted is None else drafted
            if last is not None:
                return number < min(last, event.rounds_total)
            return number * 2 < event.rounds_total
        case Late.ALWAYS:
            return event.ends_at is None or database_time.now() < event.ends_at


def rounds_drafted(event: Event) -> int:
    """Return the number of the last round that is drafted, published or closed; 0 before the first."""
    return Round.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
