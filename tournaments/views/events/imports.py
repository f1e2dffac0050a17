"""A foreign event from its FIDE report: looked at first, then imported."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments import limits as service_limits
from tournaments.errors import RefusedError, TooManyError
from tournaments.forms.imports import ReportForm
from tournaments.models import Event
from tournaments.queries.arbiter import foreign_reports, rule_comparison
from tournaments.queries.arbiter.rule_comparison import Comparison
from tournaments.services.accounts import throttles
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.text import limits as limit_text
from tournaments.text import over_board
from tournaments.text import refusals as refusal_text
from tournaments.views import once, refusals
from tournaments.views.access import signed_in, visitor_of


@refusals.refusal_as_message
@login_required
@once.once
def report(request: HttpRequest) -> HttpResponse:
    """Return the form, the contents of the file, or the import, by the name of the button."""
    form = ReportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "events/import.html", {"form": form})
    text = form.cleaned_data["text"]
    foreign = foreign_reports.read(text, rounds_total=form.cleaned_data["rounds_total"])
    choice = form.choice(foreign.name)
    asks_rounds = foreign.asks_rounds and choice.goes_on and choice.rounds_total is None
    comparison = (
        Comparison() if foreign.problems or asks_rounds else rule_comparison.of_report(foreign)
    )
    warnings = list(over_board.compared_rounds(comparison.differing, comparison.not_compared))
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
        "asks_rounds": asks_rounds,
        "warnings": warnings,
        "adjustments": over_board.adjustments(foreign.adjustments),
        "not_kept": [over_board.NOT_KEPT[each] for each in foreign.not_kept],
        "doubts": [refusal_text.sentence_of(f"report-{each}") for each in foreign.doubts],
    }
    if request.POST.get("action") == "import":
        try:
            event = _import(request, text, choice, comparison)
        except RefusedError as refusal:
            messages.error(request, refusal_text.sentence(refusal))
        except TooManyError as error:
            # The page keeps the file and the choices, so that they can be sent later.
            messages.error(request, limit_text.sentence(error.limit.subject, error.retry_after_s))
            answer = render(request, "events/import_preview.html", context, status=429)
            answer["Retry-After"] = str(error.retry_after_s)
            return answer
        else:
            messages.success(request, _("The event is here, with its players and its results."))
            for warning in warnings:
                messages.warning(request, warning)
            return redirect(event)
    return render(request, "events/import_preview.html", context)


@transaction.atomic
def _import(request: HttpRequest, text: str, choice: ImportChoice, comparison: Comparison) -> Event:
    """Create the event, counted as a created event. Looks at a file have their own limit."""
    throttles.count(visitor_of(request), service_limits.EVENTS, service_limits.EVENTS_OF_PLACE)
    return report_import.import_report(
        organiser=signed_in(request), text=text, choice=choice, comparison=comparison
    )
