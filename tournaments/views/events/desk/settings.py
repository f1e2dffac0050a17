"""The settings of an event as long as they do not matter yet, and the times of its rounds."""

from __future__ import annotations

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments import database_time
from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.desk import RoundTimesForm
from tournaments.forms.events import EventForm
from tournaments.models import Event, Round
from tournaments.queries.arbiter import rule_comparison
from tournaments.queries.events import plans
from tournaments.queries.events.staff import Task
from tournaments.queries.results import fide_rules
from tournaments.services.events import settings
from tournaments.text import over_board, setting_effects
from tournaments.text import refusals as refusal_text
from tournaments.views import questions, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.events.desk.page import context_of
from tournaments.views.events.for_all import slim_rounds


@login_required
def settings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Change settings: first show the effect of each change, then make the confirmed change."""
    user = signed_in(request)
    context = context_of(request, event)
    if Task.SETTINGS not in context["may"]:
        raise PermissionDenied
    form = EventForm(request.POST or None, initial=EventForm.initial_of(event))
    form.fix_all_but(settings.changeable(event))
    # The second of two organisers with the page open sees what the first has changed.
    present = _digest(event)
    is_stale = request.POST.get("present", present) != present
    context |= {"form": form, "effects": [], "present": present, "is_stale": is_stale}
    if fide_rules.is_long(event, database_time.now().date()):
        context |= {"is_long": True, "rating_tie_breaks": fide_rules.rating_tie_breaks(event)}
    if request.method == "POST" and form.is_valid():
        plan = form.plan(plans.plan_of(event))
        last = rule_comparison.of_last_round(event, plan.rounds_total)
        warnings = list(over_board.compared_rounds(last.differing, last.not_compared))
        effects = setting_effects.sentences(event, settings.differences(event, plan))
        context["effects"] = [*effects, *warnings]
        if "confirm" in request.POST and not is_stale:
            try:
                question = questions.ask(request, event, settings.change, {"plan": plan})
                if question is not None:
                    return question
                settings.change(event_id=event.pk, actor=user, plan=plan)
            except TournamentError as refusal:
                form.add_error(None, refusal_text.sentence(refusal))
            else:
                messages.success(request, settings.change.done)
                for warning in warnings:
                    messages.warning(request, warning)
                return redirect("event-desk", slug=event.slug)
        elif not context["effects"]:
            messages.info(request, _("Nothing has changed."))
    published = slim_rounds(event).exclude(state=Round.State.DRAFT)
    context["times_form"] = RoundTimesForm(event=event, published=list(published))
    return render(request, "events/desk/settings.html", context)


def _digest(event: Event) -> str:
    """Return a text that tells other settings of the event apart."""
    return hashlib.sha256(repr(plans.plan_of(event)).encode()).hexdigest()[:16]


@members_only
@refusals.refusal_as_message
def round_times(request: HttpRequest, event: Event) -> HttpResponse:
    published = slim_rounds(event).exclude(state=Round.State.DRAFT)
    form = RoundTimesForm(request.POST, event=event, published=list(published))
    if not form.is_valid():
        raise RefusedError("form-bad")
    settings.plan_rounds(event_id=event.pk, actor=signed_in(request), times=form.times())
    messages.success(request, settings.plan_rounds.done)
    return redirect("event-settings", slug=event.slug)
