"""Presence of the programs of remote bots."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from tournaments import database_time
from tournaments.models import Player, RemoteBot, statements

# The time after the last request in which a bot counts as present. An open stream is noted several
# times in it.
PRESENT = timedelta(seconds=90)
_NOTED_EVERY = timedelta(seconds=20)


def note_seen(line_id: int) -> None:
    """Store that a program plays for the bot of this line, once in a while."""
    now = database_time.now()
    is_due = Q(seen_at=None) | Q(seen_at__lte=now - _NOTED_EVERY)
    RemoteBot.objects.filter(is_due, bot__line=line_id).update(seen_at=now)


def player_of(line_id: int) -> Player | None:
    """Return the remote bot of this line, which is present while its programs send requests."""
    players = _players_of.all(line=line_id)
    if not players:
        return None
    seen_at = players[0].bot.remote.seen_at
    if seen_at is None or seen_at <= database_time.now() - _NOTED_EVERY:
        note_seen(line_id)
    return players[0]


@statements.query
def _players_of(line: int) -> QuerySet[Player]:
    return Player.objects.select_related("bot__remote").filter(bot__line=line)


def is_present(remote: RemoteBot, now: datetime) -> bool:
    """Return whether a program plays for the bot at this time."""
    return remote.seen_at is not None and remote.seen_at > now - PRESENT


def present_bots(now: datetime) -> frozenset[int]:
    """The ids of all remote bots for which a program plays at this time."""
    rows = RemoteBot.objects.filter(seen_at__gt=now - PRESENT)
    return frozenset(rows.values_list("pk", flat=True))
