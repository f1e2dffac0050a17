"""Actions of organisers: create an event, and move it on step by step."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.edges import access
from tournaments.errors import RefusedError
from tournaments.forms.desk import StepForm
from tournaments.forms.entries import BotEntryForm, ProhibitionForm
from tournaments.forms.events import EventForm
from tournaments.models import Event, Festival, User
from tournaments.queries import formats
from tournaments.queries.events import conditions, festivals, plans, prizes
from tournaments.queries.events.plans import EventPlan
from tournaments.services.arbiter import forbidden_pairs
from tournaments.services.arbiter.steps import STEPS
from tournaments.services.events import bot_requests, entries, registration
from tournaments.services.festivals import changes
from tournaments.text import event_templates
from tournaments.text import refusals as refusal_text
from tournaments.views import common_lists, once, questions, refusals
from tournaments.views.access import get_event, members_only, signed_in

# The dates of an event, which an event like it does not take unless both are sections of a festival.
_DATES = ("starts_at", "registration_closes_at", "check_in_opens_at", "first_day", "last_day")
# The names of the sections of a festival.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FORM = "events/_new.html"


@refusals.refusal_as_message
@login_required
@once.once
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new event: empty, from a template, or like another event of the site."""
    like = _like(request)
    festival = _festival(request)
    template = request.GET.get("template", "")
    if request.method != "POST" and like is None and festival is None:
        return _page(request, None, _common_form(template))
    form = EventForm(request.POST or None, initial=_initial(template, like, festival))
    if request.method == "POST" and form.is_valid():
        plan = form.plan(None if like is None else plans.plan_of(like))
        try:
            event = _create(signed_in(request), festival, plan, like)
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("Your event is open for entries."))
            return redirect(event if festival is None else festival)
    context = _context(form) | {
        "like": like,
        "festival": festival,
        "has_prizes": like is not None and prizes.has_prizes(like),
    }
    return _page(request, festival, render_to_string(_FORM, context))


def _common_form(template: str) -> SafeString:
    """Return the form that is equal for all members: empty, or from a template."""
    name = template if template in event_templates.INITIAL else ""
    initial = event_templates.INITIAL.get(name)
    return common_lists.drawn(_FORM, None, lambda: _context(EventForm(initial=initial)), name)


def _context(form: EventForm) -> dict[str, Any]:
    about = [(name, formats.FORMATS[key].about) for key, name in Event.Format.choices]
    return {"form": form, "formats": about}


def _page(request: HttpRequest, festival: Festival | None, part: SafeString) -> HttpResponse:
    context = {"part": part, "festival": festival, "templates": event_templates.NAMES.items()}
    return render(request, "events/new.html", context)


def _festival(request: HttpRequest) -> Festival | None:
    """The festival of which the new event is to be a section, by `festival=SLUG` in the address or the form."""
    slug = request.POST.get("festival", "") or request.GET.get("festival", "")
    if not slug:
        return None
    festival = access.get_festival_for(signed_in(request), slug)
    if not festivals.may_change(festival, signed_in(request)):
        raise PermissionDenied
    return festival


def _create(user: User, festival: Festival | None, plan: EventPlan, like: Event | None) -> Event:
    if festival is None:
        return registration.create_event(organiser=user, plan=plan, prizes_of=like)
    return changes.create_section(festival_id=festival.pk, actor=user, plan=plan, prizes_of=like)


def _like(request: HttpRequest) -> Event | None:
    """The event that the new one is to be like, by `like=SLUG` in the address or the form."""
    slug = request.POST.get("like", "") or request.GET.get("like", "")
    if not slug:
        return None
    event = get_event(slug)
    if not conditions.may_see(event, signed_in(request), ""):
        raise Http404
    return event


def _initial(template: str, like: Event | None, festival: Festival | None) -> dict[str, object]:
    """Return the form's initial values, by that event or by the name of a template."""
    if like is None:
        initial = dict(event_templates.INITIAL.get(template, {}))
    else:
        dates = dict.fromkeys(() if festival is not None else _DATES)
        initial = {**EventForm.initial_of(like), **dates, "access_code": "", "is_private": False}
    if festival is not None:
        initial["name"] = f"{festival.name} {_LETTERS[festival.sections.count() % len(_LETTERS)]}"
    return initial


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, event: Event) -> HttpResponse:
    """One step of the organiser: the button's name says which."""
    user = signed_in(request)
    action = request.POST.get("action", "")
    if action in _OF_BOTS:
        _OF_BOTS[action](request, event, user)
        return redirect(event)
    if action not in STEPS.by_code:
        messages.error(request, _("There is no such step."))
        return redirect(event)
    form = StepForm(request.POST)
    if not form.is_valid():
        raise RefusedError("form-bad")
    own = STEPS.own(action, form.arguments())
    if (question := questions.ask(request, event, STEPS.by_code[action], own)) is not None:
        return question
    STEPS.run(action, event.pk, user, form.arguments())
    messages.success(request, STEPS.by_code[action].done)
    target = _TARGETS.get(action, "event-desk")
    if target == "event-results" and not event.is_over_the_board:
        target = "event-desk"  # the page of results is one of games over the board
    return redirect(target, slug=event.slug)


_TARGETS = {
    "publish": "event-pairings",
    "start-round": "event-pairings",
    "exchange-sides": "event-results",
    "postpone": "event-results",
    "order-tie": "event-standings",
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
        "The author of %(count)d bot was asked.",
        "The authors of %(count)d bots are asked.",
        len(bots),
    )
    messages.success(request, words % {"count": len(bots)})


_OF_BOTS = {"bots": _enter_bots, "ask-bots": _ask_for_bots}


@members_only
@refusals.refusal_as_message
def forbid(request: HttpRequest, event: Event) -> HttpResponse:
    """Keep some players apart."""
    user = signed_in(request)
    form = ProhibitionForm(request.POST, event=event)
    if not form.is_valid():
        messages.error(request, _("Please choose at least two players, and rounds in order."))
        return redirect("event-desk", slug=event.slug)
    cleaned = form.cleaned_data
    own = {**cleaned, "entry_ids": [entry.pk for entry in cleaned["entries"]]}
    del own["entries"]
    if (question := questions.ask(request, event, forbidden_pairs.forbid, own)) is not None:
        return question
    forbidden_pairs.forbid(event.pk, user, **own)
    messages.success(request, forbidden_pairs.forbid.done)
    return redirect("event-desk", slug=event.slug)


@members_only
@refusals.refusal_as_message
def allow(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Allow players to meet who were kept apart."""
    forbidden_pairs.allow(event_id=event.pk, actor=signed_in(request), prohibition_id=pk)
    messages.success(request, forbidden_pairs.allow.done)
    return redirect("event-desk", slug=event.slug)
