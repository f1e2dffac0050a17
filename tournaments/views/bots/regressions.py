"""Regressions of a bot: its new versions against the first one, by night."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.edges.access import get_own_line_for
from tournaments.errors import RefusedError
from tournaments.forms.gauntlets import RegressionForm
from tournaments.models import Gauntlet
from tournaments.queries.bots import gauntlet_tables
from tournaments.services import regressions
from tournaments.text import refusals as refusal_text
from tournaments.views import access
from tournaments.views.ratings.charts import pool as pool_charts

_LATEST = 30


@dataclass(frozen=True, slots=True)
class RegressionRow:
    """A regression with its table, and the bar of its difference if a pair has counted."""

    gauntlet: Gauntlet
    table: gauntlet_tables.Table
    bar: pool_charts.ErrorBar | None


def rows_of(line_id: int) -> list[RegressionRow]:
    """Return the latest regressions of a line. The bars have one scale, with a line at 0."""
    latest = list(gauntlet_tables.listing(regressions_of=line_id)[:_LATEST])
    tables = gauntlet_tables.tables(latest)
    values = {
        pk: (elo.elo, elo.low, elo.high)
        for pk, table in tables.items()
        if (elo := table.total.elo) is not None
    }
    bars = pool_charts.interval_bars(list(values.values()), 0) if values else []
    by_id = dict(zip(values, bars, strict=True))
    return [RegressionRow(each, tables[each.pk], by_id.get(each.pk)) for each in latest]


@login_required
@require_http_methods(["GET", "POST"])
def regression(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the form with the terms of a bot's regressions."""
    line = get_own_line_for(access.signed_in(request), pk)
    latest = line.versions.latest("version")
    form = RegressionForm.of(regressions.of_line(line.pk), latest, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            form.save(line)
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("bot-line", line.pk)
    status = 422 if form.is_bound else 200
    return render(request, "bots/regression.html", {"form": form, "line": line}, status=status)
