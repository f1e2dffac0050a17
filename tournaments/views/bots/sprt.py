"""SPRT tests of one bot against another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments import database_time
from tournaments.errors import TournamentError
from tournaments.forms import SprtTestForm
from tournaments.models import SprtTest
from tournaments.queries.matches import queue
from tournaments.services import sprt_tests
from tournaments.services.notifications import news
from tournaments.text import refusals as refusal_text
from tournaments.views import access, refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.ratings.charts import llr

_LIST_LENGTH = 100
_LATEST = 30


@dataclass(frozen=True, slots=True)
class SprtTestRow:
    """An SPRT test on the list, with its progress."""

    sprt_test: SprtTest
    standing: sprt_tests.Standing


def index(request: HttpRequest) -> HttpResponse:
    rows = [
        SprtTestRow(sprt_test, standing)
        for sprt_test, standing in sprt_tests.standings(sprt_tests.listing()[:_LIST_LENGTH])
    ]
    return render(
        request, "bots/sprt_index.html", {"rows": rows, "queue": queue.length(database_time.now())}
    )


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
    standing = sprt_tests.standing(sprt_test)
    latest = sprt_test.pairs.filter(place__isnull=False).order_by("-place")[:_LATEST]
    return {
        "sprt_test": sprt_test,
        "standing": standing,
        "trace": llr.llr_chart(sprt_tests.trace(sprt_test), standing.lower, standing.upper),
        "latest": latest.prefetch_related("match__games"),
        "under_way": sprt_tests.under_way(sprt_test),
        "repetitions": sprt_tests.repetitions(sprt_test),
        "may_stop": request.user.is_authenticated
        and (request.user.pk == sprt_test.owner_id or request.user.is_superuser),
        "address": reverse("sprt-test-live", args=[pk]),
        "stream": f"?t={topic}&after={topic}={news.last_seqs([topic])[topic]}",
    }
