"""What organisers do: create an event, and move it on step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.forms import BotEntryForm, EventForm
from tournaments.services import entries, events, plans, rounds
from tournaments.services.errors import RefusedError
from tournaments.views import refusals
from tournaments.views.access import get_event, members_only, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Event, User


@login_required
def new(request: HttpRequest) -> HttpResponse:
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create_event(
                organiser=signed_in(request), plan=plans.EventPlan(**form.cleaned_data)
            )
        except RefusedError as refusal:
            form.add_error(None, refusals.sentence(refusal))
        else:
            messages.success(request, _("Your event is open for entries."))
            return redirect(event)
    return render(request, "event_new.html", {"form": form})


@members_only
@refusals.told
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """One step of the organiser: the button's name says which."""
    event, user = get_event(slug), signed_in(request)
    events.require_organiser(event, user)
    action = request.POST.get("action", "")
    if action == "bot":
        _enter_bot(request, event, user)
        return redirect(event)
    steps: dict[str, Callable[[], object]] = {
        "start": lambda: events.start_event(event_id=event.pk, actor=user),
        "cancel": lambda: events.cancel_event(event_id=event.pk, actor=user),
        "draft": lambda: events.draft_next(event_id=event.pk, actor=user),
        "discard": lambda: rounds.discard_draft(event_id=event.pk, actor=user),
        "publish": lambda: rounds.publish_round(event_id=event.pk, actor=user),
        "finish": lambda: events.finish_early(event_id=event.pk, actor=user),
    }
    if action not in steps:
        messages.error(request, _("There is no such step."))
        return redirect(event)
    steps[action]()
    target = "event-pairings" if action in {"draft", "publish"} else "event"
    return redirect(target, slug=slug)


def _enter_bot(request: HttpRequest, event: Event, user: User) -> None:
    form = BotEntryForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Please choose a bot."))
        return
    entries.enter(event_id=event.pk, player=form.cleaned_data["bot"], actor=user)
