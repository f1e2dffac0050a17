"""Suites of start positions: the list, one of them, and those of authors."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

import games
from tournaments.edges.files import attachment
from tournaments.errors import RefusedError
from tournaments.forms.suites import SuiteForm
from tournaments.models import Suite
from tournaments.services.bots import suites
from tournaments.text import refusals as refusal_text
from tournaments.views import access, preferences, refusals
from tournaments.views.games import boards

_A_PAGE = 50
_BOARDS = 12
# Field of the form that causes each refusal. All other refusals concern the starts.
_FIELDS = {
    "suite-name": "name",
    "suite-name-taken": "name",
    "ruleset-bad": "ruleset",
    "suites-many": None,
}


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    page = Paginator(suites.listing(), _A_PAGE).get_page(request.GET.get("page"))
    return render(request, "bots/suites.html", {"page": page})


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = SuiteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            suite = form.add(access.signed_in(request))
        except RefusedError as refusal:
            words = (refusal_text.sentence(refusal), refusal_text.particulars(refusal))
            form.add_error(_FIELDS.get(refusal.code, "starts"), " ".join(filter(None, words)))
        else:
            return redirect(suite)
    return render(
        request, "bots/suite_new.html", {"form": form}, status=422 if form.is_bound else 200
    )


@require_GET
def suite(request: HttpRequest, pk: int) -> HttpResponse:
    row = access.get_suite(pk)
    context = {
        "suite": row,
        "boards": _boards(row, request),
        "is_own": request.user.is_authenticated and row.owner_id == request.user.pk,
    }
    return render(request, "bots/suite.html", context)


@require_GET
def file(request: HttpRequest, pk: int) -> HttpResponse:
    """The suite as `python -m engine match --suite` reads it."""
    row = access.get_suite(pk)
    text = f"# {row.name}: {row.ruleset}\n{row.setups}\n"
    return attachment(text, "text/plain; charset=utf-8", f"rayuela-suite-{pk}.txt")


@access.members_only
@refusals.refusal_as_message
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    row = access.get_suite(pk)
    suites.delete(suite_id=row.pk, actor=access.signed_in(request))
    messages.success(request, _("%(name)s was deleted.") % {"name": row.name})
    return redirect("suites")


def _boards(row: Suite, request: HttpRequest) -> list[SafeString]:
    """The first starts as small boards."""
    ruleset, look = games.load(row.ruleset), preferences.of(request).look
    return [
        boards.draw(games.starting_position(ruleset, start), look=look, id_prefix=f"start-{place}")
        for place, start in enumerate(row.starts[:_BOARDS])
    ]
