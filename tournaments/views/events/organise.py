"""What organisers do: create an event, and move it on step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.forms import BotEntryForm, EventForm, ProhibitionForm
from tournaments.forms.desk import BoardForm, PublicationForm, TieForm
from tournaments.models import Event
from tournaments.services.arbiter import forbidden_pairs, results
from tournaments.services.errors import RefusedError
from tournaments.services.events import (
    bot_requests,
    conditions,
    entries,
    formats,
    prizes,
    registration,
)
from tournaments.services.rounds import interruptions, lifecycle, publication, rounds
from tournaments.text import event_templates
from tournaments.text import refusals as refusal_text
from tournaments.views import once, refusals
from tournaments.views.access import get_event, members_only, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import User


@refusals.refusal_as_message
@login_required
@once.once
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new event: empty, from a template, or like another event of the site."""
    like = _like(request)
    initial = _initial(request, like)
    form = EventForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            event = registration.create_event(
                organiser=signed_in(request), plan=form.plan(), prizes_of=like
            )
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("Your event is open for entries."))
            return redirect(event)
    about = [(name, formats.FORMATS[key].about) for key, name in Event.Format.choices]
    context = {"form": form, "formats": about, "templates": event_templates.NAMES.items()}
    context |= {"like": like, "has_prizes": like is not None and prizes.has_prizes(like)}
    return render(request, "events/new.html", context)


def _like(request: HttpRequest) -> Event | None:
    """The event that the new one is to be like, by `like=SLUG` in the address or the form."""
    slug = request.POST.get("like", "") or request.GET.get("like", "")
    if not slug:
        return None
    event = get_event(slug)
    if not conditions.may_see(event, signed_in(request), ""):
        raise Http404
    return event


def _initial(request: HttpRequest, like: Event | None) -> dict[str, object]:
    """What the form begins with, by that event or by `template=NAME` in the address."""
    if like is not None:
        dates = dict.fromkeys(("starts_at", "registration_closes_at", "check_in_opens_at"))
        return {**EventForm.initial_of(like), **dates, "access_code": "", "is_private": False}
    return dict(event_templates.INITIAL.get(request.GET.get("template", ""), {}))


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """One step of the organiser: the button's name says which."""
    event, user = get_event(slug), signed_in(request)
    action = request.POST.get("action", "")
    if action in _OF_BOTS:
        _OF_BOTS[action](request, event, user)
        return redirect(event)
    if action not in _STEPS:
        messages.error(request, _("There is no such step."))
        return redirect(event)
    _STEPS[action](event, user, request)
    if words := _DONE.get(action):
        messages.success(request, words)
    return redirect(_TARGETS.get(action, "event-desk"), slug=slug)


def _publish(event: Event, user: User, request: HttpRequest) -> None:
    form = PublicationForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    publication.publish_round(
        event_id=event.pk, actor=user, starts_at=form.cleaned_data["starts_at"]
    )


def _exchange_sides(event: Event, user: User, request: HttpRequest) -> None:
    form = BoardForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    results.exchange_sides(event_id=event.pk, actor=user, **form.cleaned_data)


def _let_through(event: Event, user: User, request: HttpRequest) -> None:
    form = TieForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    results.let_through(event_id=event.pk, actor=user, **form.cleaned_data)


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")


_STEPS: dict[str, Callable[[Event, User, HttpRequest], object]] = {
    "start": lambda event, user, _request: lifecycle.start_event(event_id=event.pk, actor=user),
    "cancel": lambda event, user, request: interruptions.cancel(
        event_id=event.pk, actor=user, reason=_reason(request)
    ),
    "draft": lambda event, user, _request: lifecycle.draft_next(event_id=event.pk, actor=user),
    "discard": lambda event, user, _request: rounds.discard_draft(event_id=event.pk, actor=user),
    "publish": _publish,
    "start-round": lambda event, user, _request: publication.start_round(
        event_id=event.pk, actor=user
    ),
    "take-back": lambda event, user, request: publication.take_back(
        event_id=event.pk, actor=user, reason=_reason(request)
    ),
    "exchange-sides": _exchange_sides,
    "let-through": _let_through,
    "pause": lambda event, user, request: interruptions.pause(
        event_id=event.pk, actor=user, reason=_reason(request)
    ),
    "go-on": lambda event, user, _request: interruptions.go_on(event_id=event.pk, actor=user),
    "finish": lambda event, user, _request: lifecycle.finish_early(event_id=event.pk, actor=user),
}
_TARGETS = {
    "publish": "event-pairings",
    "start-round": "event-pairings",
    "exchange-sides": "event-results",
}
_DONE = {
    "start": gettext_lazy("The event has started."),
    "cancel": gettext_lazy("The event is cancelled; its players are told."),
    "draft": gettext_lazy("The draft is ready, or being made."),
    "discard": gettext_lazy("The draft is discarded."),
    "publish": gettext_lazy("The round is published."),
    "start-round": gettext_lazy("The games have begun."),
    "take-back": gettext_lazy("The round is a draft again; its players are told."),
    "exchange-sides": gettext_lazy("The board has its colours exchanged."),
    "let-through": gettext_lazy("The log has who goes through."),
    "pause": gettext_lazy("The event is paused; its players are told."),
    "go-on": gettext_lazy("The event goes on."),
    "finish": gettext_lazy("The event ends."),
}


def _enter_bots(request: HttpRequest, event: Event, user: User) -> None:
    bots = BotEntryForm(request.POST, event=event, user=user).chosen("bots")
    if not bots:
        messages.error(request, _("Please choose one bot or more."))
        return
    entries.enter_all(event_id=event.pk, players=bots, actor=user)
    words = ngettext("%(count)d bot has entered.", "%(count)d bots have entered.", len(bots))
    messages.success(request, words % {"count": len(bots)})


def _ask_for_bots(request: HttpRequest, event: Event, user: User) -> None:
    bots = BotEntryForm(request.POST, event=event, user=user).chosen("askable")
    if not bots:
        messages.error(request, _("Please choose one bot or more."))
        return
    for bot in bots:
        bot_requests.request(event_id=event.pk, player=bot, actor=user)
    words = ngettext(
        "The author of %(count)d bot is asked.",
        "The authors of %(count)d bots are asked.",
        len(bots),
    )
    messages.success(request, words % {"count": len(bots)})


_OF_BOTS = {"bots": _enter_bots, "ask-bots": _ask_for_bots}


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
