"""The state of the service, for administrators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.services import database_time
from tournaments.services.operations import overview
from tournaments.text import operations as words
from tournaments.views.access import signed_in

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@never_cache
@login_required
def health(request: HttpRequest) -> HttpResponse:
    """What an operator looks at first; there is no such page for anybody else."""
    if not signed_in(request).is_superuser:
        raise Http404
    state = overview.overview(database_time.now())
    context = {
        "overview": state,
        "probes": [
            (words.PROBES[probe.name], words.VERDICTS[probe.verdict], probe)
            for probe in state.readiness.probes
        ],
        "work": [(words.WORK[row.kind], row) for row in state.work],
    }
    return render(request, "operations/health.html", context)
