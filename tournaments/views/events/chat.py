"""The chat on the page of an event."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.event_chat import ChatActForm
from tournaments.models import ChatLine, Event, EventMute, Player
from tournaments.queries.events import event_chat
from tournaments.queries.events.staff import Task
from tournaments.services.events import event_chat as service
from tournaments.views import refusals
from tournaments.views.access import (
    members_only,
    player_of,
    players_only,
    signed_in,
    user_of,
)
from tournaments.views.games import chat


@never_cache
def live(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the current lines of the chat."""
    context = panel(request, event)
    if not context["chat"]["is_shown"]:
        raise Http404
    return render(request, "games/_chat_lines.html", context)


def panel(
    request: HttpRequest, event: Event, tasks: Collection[Task] | None = None
) -> dict[str, Any]:
    """Return the context of the chat for the visitor, who has these tasks in the event."""
    user, player = user_of(request), player_of(request)
    now = database_time.now()
    is_open = event_chat.is_open(event, now)
    is_readable = event_chat.may_read(event, user)
    moderates = event_chat.moderates(event, user, tasks)
    lines = event_chat.lines(event, player) if is_readable else []
    return {
        "event": event,
        "chat": {
            "room": ChatLine.Room.EVENT,
            "lines": lines,
            "is_shown": is_readable and (is_open or bool(lines)),
            "may_write": is_open and player is not None and not player.is_guest,
            "is_open": is_open,
            "player": player,
            "moderates": moderates,
            "mutes": EventMute.objects.at(now).filter(event=event).select_related("player")
            if moderates
            else [],
            "act_url": reverse("event-chat-act", args=[event.slug]),
            **chat.addresses("event", event.slug, event.get_absolute_url()),
        },
    }


@players_only
def say(request: HttpRequest, player: Player, event: Event) -> HttpResponse:
    return chat.answer_line(
        request,
        lambda: service.say(event_id=event.pk, player=player, text=request.POST.get("text", "")),
        f"{event.get_absolute_url()}#chat",
    )


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, event: Event) -> HttpResponse:
    """One act of a moderator: the button's name says which."""
    user = signed_in(request)
    form = ChatActForm(request.POST)
    code = request.POST.get("act", "")
    if not form.is_valid():
        raise RefusedError("form-bad")
    service.CHAT_ACTS.run(code, event.pk, user, form.arguments())
    messages.success(request, service.CHAT_ACTS.by_code[code].done)
    return redirect(f"{event.get_absolute_url()}#chat")
