"""Gauntlets: a version of one's own against one bot or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from tournaments import database_time
from tournaments.edges.access import get_gauntlet
from tournaments.errors import TournamentError
from tournaments.forms import GauntletForm, GauntletTermsForm
from tournaments.models import Gauntlet
from tournaments.queries.matches import queue
from tournaments.services import gauntlet_tables, gauntlets
from tournaments.services.notifications import news
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in

_LIST_LENGTH = 100
_LATEST = 30


@dataclass(frozen=True, slots=True)
class GauntletRow:
    """A gauntlet on the list, with its progress."""

    gauntlet: Gauntlet
    table: gauntlet_tables.Table


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """All gauntlets, the latest first."""
    latest = list(gauntlet_tables.listing()[:_LIST_LENGTH])
    tables = gauntlet_tables.tables(latest)
    context = {
        "rows": [GauntletRow(each, tables[each.pk]) for each in latest],
        "queue": queue.length(database_time.now()),
    }
    return render(request, "bots/gauntlets.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for the version and its settings, then for the opponents, and create a gauntlet from both."""
    user = signed_in(request)
    if request.method == "POST":
        form = GauntletForm(request.POST, owner=user)
        if form.is_valid():
            try:
                return redirect("gauntlet", gauntlets.start(user, form.plan()).pk)
            except TournamentError as refusal:
                form.add_error(None, refusal_text.sentence(refusal))
        return _form(request, form, form)
    has_terms = "ruleset" in request.GET
    terms = GauntletTermsForm(request.GET if has_terms else None, owner=user)
    if not has_terms:
        terms.initial.update(request.GET.dict())
    return _form(request, terms, GauntletForm(None, owner=user))


def _form(request: HttpRequest, terms: GauntletTermsForm, form: GauntletForm) -> HttpResponse:
    context: dict[str, object] = {"terms": terms, "form": form, "most": gauntlets.MAX_OPPONENTS}
    if terms.is_bound and not {"candidate", "ruleset", "clock"} & terms.errors.keys():
        context["opponents"] = gauntlets.possible_opponents(
            signed_in(request),
            terms.cleaned_data["candidate"],
            terms.cleaned_data["ruleset"],
            terms.terms,
        )
        context["by_fuel"] = terms.terms.fuel is not None
        context["chosen"] = set(request.POST.getlist("opponents"))
    status = 422 if form.is_bound else 200
    return render(request, "bots/gauntlet_new.html", context, status=status)


@require_GET
def gauntlet(request: HttpRequest, pk: int) -> HttpResponse:
    """Its table, its progress, and the latest games."""
    return render(request, "bots/gauntlet.html", _context(request, pk))


@require_GET
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part that changes while pairs are played."""
    return render(request, "bots/_gauntlet.html", _context(request, pk))


@members_only
@refusals.refusal_as_message
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """The end of a gauntlet before its last pair."""
    gauntlets.stop(gauntlet_id=get_gauntlet(pk).pk, actor=signed_in(request))
    return redirect("gauntlet", pk=pk)


def _context(request: HttpRequest, pk: int) -> dict[str, Any]:
    row = get_gauntlet(pk)
    topic = news.of_gauntlet(pk)
    table = gauntlet_tables.table(row)
    return {
        "gauntlet": row,
        "table": table,
        "most_pairs": row.pairs_each * len(table.rows),
        "latest": gauntlet_tables.pairs_of(row)[:_LATEST],
        "stop_reason": refusal_text.sentence_of(row.stop_code) if row.stop_code else "",
        "may_stop": request.user.is_authenticated
        and (request.user.pk == row.owner_id or request.user.is_superuser),
        "address": reverse("gauntlet-live", args=[pk]),
        "stream": f"?t={topic}&after={topic}={news.last_seqs([topic])[topic]}",
    }
