"""SPRT tests of one bot against another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments import database_time
from tournaments.errors import TournamentError
from tournaments.forms.sprt import SprtListForm, SprtTestForm
from tournaments.models import SprtTest
from tournaments.queries.bots import sprt_tables
from tournaments.queries.matches import queue
from tournaments.services import sprt_tests
from tournaments.services.notifications import news
from tournaments.text import clocks
from tournaments.text import refusals as refusal_text
from tournaments.views import access, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.ratings.charts import paths

_A_PAGE = 50
_LATEST = 30


@dataclass(frozen=True, slots=True)
class SprtTestRow:
    """An SPRT test on the list, with its progress."""

    sprt_test: SprtTest
    standing: sprt_tables.Standing


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All SPRT tests, or those of a game or a state. Running ones come first."""
    form = SprtListForm(request.GET)
    is_valid = form.is_valid()
    tests = sprt_tables.listing(**form.cleaned_data) if is_valid else SprtTest.objects.none()
    page = Paginator(sprt_tables.running_first(tests), _A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "rows": [SprtTestRow(*each) for each in sprt_tables.standings(list(page))],
        "is_filtered": any(form.cleaned_data.values()),
        "query": query.urlencode(),
        "queue": queue.length(database_time.now()),
    }
    return render(request, "bots/sprt_index.html", context, status=200 if is_valid else 400)


@login_required
def new(request: HttpRequest) -> HttpResponse:
    form = SprtTestForm(
        request.POST or None,
        owner=signed_in(request),
        candidate_id=_number(request.GET.get("candidate", "")),
        suite_id=_number(request.GET.get("suite", "")),
    )
    if request.method == "POST" and form.is_valid():
        try:
            test = sprt_tests.start(signed_in(request), form.plan())
        except TournamentError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            return redirect("sprt-test", pk=test.pk)
    return render(request, "bots/sprt_new.html", {"form": form})


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def sprt_test(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "bots/sprt.html", _context(request, pk))


def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part that changes while pairs are played."""
    return render(request, "bots/_sprt.html", _context(request, pk))


@members_only
@refusals.refusal_as_message
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    sprt_tests.stop(sprt_test_id=access.get_sprt_test(pk).pk, actor=signed_in(request))
    return redirect("sprt-test", pk=pk)


def _context(request: HttpRequest, pk: int) -> dict[str, Any]:
    sprt_test = access.get_sprt_test(pk)
    topic = news.of_sprt_test(pk)
    standing = sprt_tables.standing(sprt_test)
    second = sprt_tables.second_clock(sprt_test)
    latest = sprt_test.pairs.filter(place__isnull=False).order_by("-place")[:_LATEST]
    return {
        "sprt_test": sprt_test,
        "stages": sprt_tables.stages(sprt_test),
        "second_clock": clocks.fischer(second.initial_ms, second.increment_ms) if second else "",
        "standing": standing,
        "trace": paths.llr_chart(sprt_tables.trace(sprt_test), standing.lower, standing.upper),
        "latest": latest.prefetch_related("match__games"),
        "under_way": sprt_tables.under_way(sprt_test),
        "repetitions": sprt_tables.repetitions(sprt_test),
        "may_stop": request.user.is_authenticated
        and (request.user.pk == sprt_test.owner_id or request.user.is_superuser),
        "address": reverse("sprt-test-live", args=[pk]),
        "stream": f"?t={topic}&after={topic}={news.last_seq(topic)}",
    }
