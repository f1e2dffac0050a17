"""What organisers do: create an event, and move it on step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.forms import BotEntryForm, EventForm, ProhibitionForm
from tournaments.models import Event
from tournaments.services.arbiter import forbidden_pairs
from tournaments.services.errors import RefusedError
from tournaments.services.events import entries, registration
from tournaments.services.rounds import lifecycle, publication, rounds
from tournaments.text import refusals as refusal_text
from tournaments.text import rulesets
from tournaments.views import refusals
from tournaments.views.access import get_event, members_only, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import User


# What the organiser reads after a step whose page does not say it.
_DONE = {
    "start": gettext_lazy("The event has started."),
    "cancel": gettext_lazy("The event is cancelled."),
    "discard": gettext_lazy("The draft is discarded."),
    "finish": gettext_lazy("The event takes no more rounds."),
}


@login_required
def new(request: HttpRequest) -> HttpResponse:
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            event = registration.create_event(organiser=signed_in(request), plan=form.plan())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("Your event is open for entries."))
            return redirect(event)
    formats = [(name, rulesets.ABOUT_FORMATS[key]) for key, name in Event.Format.choices]
    return render(request, "events/new.html", {"form": form, "formats": formats})


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """One step of the organiser: the button's name says which."""
    event, user = get_event(slug), signed_in(request)
    action = request.POST.get("action", "")
    if action == "bots":
        _enter_bots(request, event, user)
        return redirect(event)
    steps: dict[str, Callable[[], object]] = {
        "start": lambda: lifecycle.start_event(event_id=event.pk, actor=user),
        "cancel": lambda: registration.cancel_event(event_id=event.pk, actor=user),
        "draft": lambda: lifecycle.draft_next(event_id=event.pk, actor=user),
        "discard": lambda: rounds.discard_draft(event_id=event.pk, actor=user),
        "publish": lambda: publication.publish_round(event_id=event.pk, actor=user),
        "finish": lambda: lifecycle.finish_early(event_id=event.pk, actor=user),
    }
    if action not in steps:
        messages.error(request, _("There is no such step."))
        return redirect(event)
    steps[action]()
    if action in _DONE:
        messages.success(request, _DONE[action])
    target = "event-pairings" if action in {"draft", "publish"} else "event"
    return redirect(target, slug=slug)


def _enter_bots(request: HttpRequest, event: Event, user: User) -> None:
    form = BotEntryForm(request.POST, event=event)
    if not form.is_valid():
        messages.error(request, _("Please choose one bot or more."))
        return
    bots = form.cleaned_data["bots"]
    with transaction.atomic():  # all of them, or none
        for bot in bots:
            entries.enter(event_id=event.pk, player=bot, actor=user)
    words = ngettext("%(count)d bot has entered.", "%(count)d bots have entered.", len(bots))
    messages.success(request, words % {"count": len(bots)})


@members_only
@refusals.refusal_as_message
def forbid(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep some players apart."""
    event, user = get_event(slug), signed_in(request)
    form = ProhibitionForm(request.POST, event=event)
    if not form.is_valid():
        messages.error(request, _("Please choose at least two players, and rounds in order."))
        return redirect(event)
    cleaned = form.cleaned_data
    forbidden_pairs.forbid(
        event_id=event.pk,
        actor=user,
        entry_ids=[entry.pk for entry in cleaned["entries"]],
        first_round=cleaned["first_round"],
        last_round=cleaned["last_round"],
        note=cleaned["note"],
    )
    messages.success(request, _("They will not be paired with each other."))
    return redirect(event)


@members_only
@refusals.refusal_as_message
def allow(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let players meet who were kept apart."""
    event = get_event(slug)
    forbidden_pairs.allow(event_id=event.pk, actor=signed_in(request), prohibition_id=pk)
    messages.success(request, _("The forbidden pairing is lifted."))
    return redirect(event)
