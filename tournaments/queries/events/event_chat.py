"""The chat of an event: its readers and writers, and its lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet

from tournaments.models import ChatLine, Entry, Event, Mute, Player, User
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task

OPEN_AFTER_END = timedelta(days=2)
_MAX_LINES = 100


def is_open(event: Event, now: datetime) -> bool:
    """Return whether lines can be written: until two days after the end of the event."""
    if event.chat == Event.Chat.OFF or event.state == Event.State.CANCELLED:
        return False
    return event.finished_at is None or now < event.finished_at + OPEN_AFTER_END


def may_read(event: Event, user: User | None) -> bool:
    """Return whether the visitor, who can see the event, can read its chat."""
    if event.chat == Event.Chat.ENTRANTS:
        return user is not None and (moderates(event, user) or _takes_part(event, user))
    return event.chat == Event.Chat.MEMBERS


def moderates(event: Event, user: User | None, tasks: Collection[Task] | None = None) -> bool:
    """Return whether the visitor moderates the chat: the staff of the event, and moderators of the site.

    `tasks` are the visitor's, if the caller has read them.
    """
    if user is None:
        return False
    known = staff.tasks_of(event, user) if tasks is None else tasks
    return bool(known) or user.has_perm("tournaments.moderate")


def lines(event: Event, player: Player | None) -> Sequence[ChatLine]:
    """Return the latest lines for `player` (`for_reader`), oldest first."""
    rows = for_reader(event.chat_lines.all(), player.pk if player else None)
    return list(latest_first(rows))[::-1]


def latest_first(rows: QuerySet[ChatLine]) -> QuerySet[ChatLine]:
    """Return the last hundred of these lines."""
    return rows.order_by("-pk")[:_MAX_LINES]


def for_reader(rows: QuerySet[ChatLine], reader_id: int | None) -> QuerySet[ChatLine]:
    """Return these lines with their authors, without those of players whom the player `reader_id` has muted."""
    rows = rows.select_related("author")
    if reader_id is not None:
        rows = rows.exclude(author__in=Mute.objects.filter(player=reader_id).values("muted"))
    return rows


def _takes_part(event: Event, user: User) -> bool:
    entries = event.entries.exclude(state=Entry.State.WITHDRAWN)
    return entries.filter(player__user=user).exists() or entries.filter(captain=user).exists()
