"""Gauntlets: a version of one's own against one bot or several. Tunings are gauntlets that change its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from tournaments import database_time
from tournaments.edges.access import get_gauntlet
from tournaments.errors import TournamentError
from tournaments.forms.gauntlets import (
    GauntletForm,
    GauntletListForm,
    GauntletTermsForm,
    TuningForm,
)
from tournaments.models import Gauntlet
from tournaments.queries.bots import gauntlet_tables, tunings
from tournaments.queries.matches import queue
from tournaments.services import gauntlets
from tournaments.services.notifications import news
from tournaments.text import refusals as refusal_text
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.ratings.charts import paths

_A_PAGE = 50
_LATEST = 30
_LATEST_ITERATIONS = 10


@dataclass(frozen=True, slots=True)
class GauntletRow:
    """A gauntlet on the list, with its progress."""

    gauntlet: Gauntlet
    table: gauntlet_tables.Table


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """All gauntlets, or those of a kind, a game or a state. The latest come first."""
    form = GauntletListForm(request.GET)
    is_valid = form.is_valid()
    chosen = gauntlet_tables.listing(**form.cleaned_data) if is_valid else Gauntlet.objects.none()
    page = Paginator(chosen, _A_PAGE).get_page(request.GET.get("page"))
    tables = gauntlet_tables.tables(list(page))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "rows": [GauntletRow(each, tables[each.pk]) for each in page],
        "is_filtered": any(form.cleaned_data.values()),
        "query": query.urlencode(),
        "queue": queue.length(database_time.now()),
    }
    return render(request, "bots/gauntlets.html", context, status=200 if is_valid else 400)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Ask for the version and its settings, then for the opponents, and create a gauntlet from both."""
    return _new(request, GauntletForm)


@login_required
@require_http_methods(["GET", "POST"])
def tuning_new(request: HttpRequest) -> HttpResponse:
    """Ask for the version and its settings, then for the parameters and the opponent of a tuning."""
    return _new(request, TuningForm)


def _new(request: HttpRequest, whole_form: type[GauntletForm | TuningForm]) -> HttpResponse:
    user = signed_in(request)
    if request.method == "POST":
        form = whole_form(request.POST, owner=user)
        if form.is_valid():
            try:
                return redirect("gauntlet", gauntlets.start(user, form.plan()).pk)
            except TournamentError as refusal:
                words = (refusal_text.sentence(refusal), refusal_text.particulars(refusal))
                form.add_error(None, " ".join(filter(None, words)))
        return _form(request, form, form)
    has_terms = "ruleset" in request.GET
    terms = GauntletTermsForm(request.GET if has_terms else None, owner=user)
    if not has_terms:
        terms.initial.update(request.GET.dict())
    form = whole_form(None, owner=user)
    if isinstance(form, TuningForm) and terms.is_valid():
        form.suggest(terms.cleaned_data["candidate"])
    return _form(request, terms, form)


def _form(
    request: HttpRequest, terms: GauntletTermsForm, form: GauntletForm | TuningForm
) -> HttpResponse:
    is_tuning = isinstance(form, TuningForm)
    context: dict[str, object] = {
        "terms": terms,
        "form": form,
        "most": 1 if is_tuning else gauntlets.MAX_OPPONENTS,
        "is_tuning": is_tuning,
    }
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
        **(_tuning_context(row) if row.is_tuning else _latest_pairs(row)),
        "stop_reason": refusal_text.sentence_of(row.stop_code) if row.stop_code else "",
        "may_stop": request.user.is_authenticated
        and (request.user.pk == row.owner_id or request.user.is_superuser),
        "address": reverse("gauntlet-live", args=[pk]),
        "stream": f"?t={topic}&after={topic}={news.last_seq(topic)}",
    }


def _latest_pairs(row: Gauntlet) -> dict[str, object]:
    return {"latest": gauntlet_tables.pairs_of(row)[:_LATEST]}


def _tuning_context(row: Gauntlet) -> dict[str, object]:
    """Return the courses of the parameters with their charts, and the latest iterations."""
    courses = tunings.parameter_courses(row)
    return {
        "courses": [(each, paths.course_chart(each.estimates)) for each in courses],
        "results": len(courses[0].estimates) - 1,
        "iterations": tunings.iterations_of(row)[:_LATEST_ITERATIONS],
    }
