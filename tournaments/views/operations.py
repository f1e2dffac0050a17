"""The state of the service, for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments import database_time
from tournaments.services.operations import overview
from tournaments.views.access import signed_in

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

PROBES: Mapping[str, StrPromise] = {
    "disk": _("Disk"),
    "redis": _("Redis"),
    "database": _("Database"),
    "migrations": _("Migrations"),
    "clock": _("Clock of this host"),
    "tick": _("Clock of the service"),
    "work": _("Waiting work"),
}
VERDICTS: Mapping[str, StrPromise] = {
    "ok": _("in order"),
    "degraded": _("limited"),
    "failing": _("out of order"),
}
WORK: Mapping[str, StrPromise] = {
    "replies": _("Replies of bots to people"),
    "matches": _("Matches of bots"),
    "checks": _("Checks of uploads"),
    "forecasts": _("Forecasts"),
    "mail": _("E-mails"),
}


@require_safe
@never_cache
@login_required
def health(request: HttpRequest) -> HttpResponse:
    """Return an operator's overview. The page does not exist for other users."""
    if not signed_in(request).is_superuser:
        raise Http404
    state = overview.overview(database_time.now())
    context = {
        "overview": state,
        "probes": [
            (PROBES[probe.name], VERDICTS[probe.verdict], probe) for probe in state.readiness.probes
        ],
        "work": [(WORK[row.kind], row) for row in state.work],
    }
    return render(request, "operations/health.html", context)
