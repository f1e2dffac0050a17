"""Volunteers' workers: the public page, and those of an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from tournaments import database_time
from tournaments.edges.access import get_worker_for
from tournaments.errors import TournamentError
from tournaments.forms.workers import WorkerForm
from tournaments.models import Worker
from tournaments.queries.matches import volunteers
from tournaments.services.volunteers import enrolment
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """The connected workers, the throughput, and the queue."""
    return render(
        request, "bots/workers.html", {"overview": volunteers.overview(database_time.now())}
    )


@login_required
@require_http_methods(["GET", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    """The workers of the account, and a form to enrol one."""
    user = signed_in(request)
    form = WorkerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            enrolment.enrol(owner=user, description=form.description)
            return redirect("workers-mine")
        except TournamentError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
    context = {
        "form": form,
        "rows": volunteers.rows(Worker.objects.filter(owner=user)),
        "site": settings.SITE_URL,
    }
    return render(request, "bots/workers_mine.html", context, status=422 if form.is_bound else 200)


@members_only
@refusals.refusal_as_message
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """The end of a worker's leases."""
    enrolment.stop(get_worker_for(signed_in(request), pk).pk)
    return redirect("workers-mine")
