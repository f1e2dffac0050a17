"""The schedules of the service, for administrators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.errors import RefusedError
from tournaments.forms.schedules import ScheduleForm
from tournaments.models import Schedule, User
from tournaments.services.rounds import schedules
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_ACTS: Mapping[str, tuple[Callable[..., None], _StrPromise]] = {
    "pause": (schedules.pause, gettext_lazy("The schedule was paused.")),
    "resume": (schedules.resume, gettext_lazy("The schedule was resumed.")),
    "delete": (schedules.delete, gettext_lazy("The schedule was deleted. Its past events stay.")),
}


def _administrator(request: HttpRequest) -> User:
    """Return the administrator. The page does not exist for other users."""
    user = signed_in(request)
    if not user.is_superuser:
        raise Http404
    return user


@login_required
def page(request: HttpRequest) -> HttpResponse:
    """The schedules, and the form of a new one."""
    user = _administrator(request)
    form = ScheduleForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            schedules.create(actor=user, plan=form.plan(), timetable=form.timetable())
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The schedule was created. Its events follow in a minute."))
            return redirect("schedules")
    rows = [(each, _weekday_names(each.weekdays)) for each in Schedule.objects.all()]
    return render(request, "operations/schedules.html", {"form": form, "rows": rows})


@login_required
@refusals.refusal_as_message
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a schedule."""
    user = _administrator(request)
    schedule = get_object_or_404(Schedule, pk=pk)
    is_post = request.method == "POST"
    form = ScheduleForm(request.POST if is_post else None, schedule=schedule)
    if is_post and form.is_valid():
        try:
            schedules.change(
                schedule_id=pk, actor=user, plan=form.plan(), timetable=form.timetable()
            )
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The schedule was changed."))
            return redirect("schedules")
    return render(request, "operations/schedule.html", {"form": form, "schedule": schedule})


@members_only
@refusals.refusal_as_message
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause, resume or delete a schedule."""
    user = _administrator(request)
    code = request.POST.get("act", "")
    if code not in _ACTS:
        raise RefusedError("form-bad", code[:40])
    function, done = _ACTS[code]
    function(schedule_id=pk, actor=user)
    messages.success(request, done)
    return redirect("schedules")


@members_only
@refusals.refusal_as_message
def add_usual(request: HttpRequest) -> HttpResponse:
    """Add a daily arena and a weekly Swiss of each game."""
    count = schedules.add_usual(actor=_administrator(request))
    messages.success(request, _("New schedules: %(count)d") % {"count": count})
    return redirect("schedules")


def _weekday_names(bits: int) -> str:
    """Return the names of the days whose bits are set, the lowest for Monday."""
    days = [day for day in WEEKDAYS if bits >> day & 1]
    if len(days) == len(WEEKDAYS):
        return _("every day")
    words = WEEKDAYS if len(days) == 1 else WEEKDAYS_ABBR
    return ", ".join(str(words[day]) for day in days)
