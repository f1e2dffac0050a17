"""The next events, on pages after which a player may want one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from tournaments import database_time
from tournaments.models import Event, Player, User
from tournaments.queries.events import calendar, conditions, open_events
from tournaments.queries.events.calendar import CalendarRow
from tournaments.services.notifications import until_news

register = template.Library()

_LISTED = 3


@register.inclusion_tag("events/_next.html", takes_context=True)
def next_events(context: template.Context) -> dict[str, Any]:
    """Draw the next events that the reader may join or has entered, or nothing without any.

    A process keeps the public ones until there is news. A reader's own entries and private events are read
    for each page.
    """
    user: User | AnonymousUser = context["user"]
    now = database_time.now()
    public = until_news.recall("next-events", lambda: _public(now))
    account = user if isinstance(user, User) else None
    player = getattr(account, "player", None)
    if account is None or not (public.event_ids or public.has_private):
        return {"rows": public.rows.values(), "user": user}
    own = calendar.entered(player, public.event_ids)
    if not own <= public.rows.keys() or (public.has_private and _has_private(account, now)):
        return {"rows": _for_account(account, player, now), "user": user}
    rows = [replace(row, is_entered=pk in own) for pk, row in public.rows.items()]
    return {"rows": rows, "user": user}


@dataclass(frozen=True, slots=True)
class _Public:
    """The next events as all visitors may see them.

    Attributes:
        rows: the first of those that people may join, by the number of the event.
        event_ids: all public events that are coming.
        has_private: whether private events are coming, which those with a part in them see.
    """

    rows: Mapping[int, CalendarRow]
    event_ids: Collection[int]
    has_private: bool


def _public(now: datetime) -> _Public:
    listed = Event.objects.listed()
    rows = calendar.coming(open_events.with_playing(conditions.visible(listed, None)), None, now)
    by_event = {each.row.event.pk: each for each in rows if each.row}
    joinable = [(pk, each) for pk, each in by_event.items() if each.row and each.row.is_joinable]
    has_private = calendar.is_coming(listed.filter(is_private=True), now).exists()
    return _Public(dict(joinable[:_LISTED]), frozenset(by_event), has_private)


def _has_private(account: User, now: datetime) -> bool:
    """Return whether the account has a part in a private event that is coming."""
    private = calendar.is_coming(Event.objects.listed().filter(is_private=True), now)
    return conditions.visible(private, account).exists()


def _for_account(account: User, player: Player | None, now: datetime) -> list[CalendarRow]:
    """Return the next events that the account may join or has entered."""
    events = open_events.with_playing(conditions.visible(Event.objects.listed(), account))
    rows = calendar.coming(events, player, now)
    open_rows = [each for each in rows if each.is_entered or (each.row and each.row.is_joinable)]
    return open_rows[:_LISTED]
