"""A foreign event from its FIDE report: looked at first, then imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.forms.imports import ReportForm
from tournaments.services.arbiter import foreign_reports, report_import
from tournaments.services.errors import RefusedError
from tournaments.text import refusals as refusal_text
from tournaments.views import once, refusals
from tournaments.views.access import signed_in

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@refusals.refusal_as_message
@login_required
@once.once
def report(request: HttpRequest) -> HttpResponse:
    """The form, what the file says, and the import: the button's name says which."""
    form = ReportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "events/import.html", {"form": form})
    text = form.cleaned_data["text"]
    foreign = foreign_reports.read(text)
    choice = form.choice(foreign.name)
    context = {
        "form": form,
        "text": text,
        "choice": choice,
        "future": form.cleaned_data["future"],
        "foreign": foreign,
        "played": len(foreign.rounds),
        "problems": [
            (problem, refusal_text.sentence_of(problem.code)) for problem in foreign.problems
        ],
        "is_possible": not foreign.problems and not (choice.goes_on and foreign.obstacle),
    }
    if request.POST.get("action") == "import":
        try:
            event = report_import.import_report(
                organiser=signed_in(request), text=text, choice=choice
            )
        except RefusedError as refusal:
            messages.error(request, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The event is here, with its players and its results."))
            return redirect(event)
    return render(request, "events/import_preview.html", context)
