"""The next events, on pages after which a player may want one."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from tournaments import database_time
from tournaments.models import Event, User
from tournaments.queries.events import calendar, conditions
from tournaments.services.events import entries

register = template.Library()

_LISTED = 3


@register.inclusion_tag("events/_next.html", takes_context=True)
def next_events(context: template.Context) -> dict[str, Any]:
    """Draw the next events that the reader may join or has entered, or nothing without any."""
    user: User | AnonymousUser = context["user"]
    account = user if isinstance(user, User) else None
    player = getattr(account, "player", None)
    events = entries.with_playing(conditions.visible(Event.objects.listed(), account))
    rows = calendar.coming(events, player, database_time.now())
    open_rows = [each for each in rows if each.is_entered or (each.row and each.row.is_joinable)]
    return {"rows": open_rows[:_LISTED], "user": user}
