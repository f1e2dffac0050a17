"""What a round was paired from, for anybody to take home; and the round paired once more, here and now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render

from tournaments.models import Round
from tournaments.services import disputes
from tournaments.services.events import LARGE_FIELD
from tournaments.views.access import get_event
from tournaments.views.events import tab_context

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Event


def _public_round(request: HttpRequest, event: Event, number: int) -> Round:
    found = event.rounds.filter(number=number).first()
    is_organiser = request.user.is_authenticated and event.organiser_id == request.user.pk
    if found is None or (found.state == Round.State.DRAFT and not is_organiser):
        raise Http404
    return found


def problem(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The round's problem as it was stored: a FIDE report file with the answer in comments, or JSON."""
    played = _public_round(request, get_event(slug), number)
    name = f"{slug}-{number}"
    if played.report:
        text, kind, ending = played.report, "text/plain; charset=utf-8", "trf"
    else:
        whole = {
            "engine": played.engine,
            "problem": played.problem,
            "answer": played.evidence,
        }
        text, kind, ending = json.dumps(whole, indent=1), "application/json", "json"
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response


def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The round paired once more; for large fields, where that takes its time, only the organiser may ask."""
    event = get_event(slug)
    played = _public_round(request, event, number)
    context = tab_context(request, event, "pairings")
    if played.seats.count() > LARGE_FIELD and not context["is_organiser"]:
        raise PermissionDenied
    verdict = disputes.pair_again(played)
    names = dict(event.entries.exclude(tpn=None).values_list("tpn", "player__name"))
    context |= {
        "shown": played,
        "verdict": verdict,
        "only_then": [_named(d, names) for d in verdict.only_then],
        "only_now": [_named(d, names) for d in verdict.only_now],
    }
    return render(request, "event_again.html", context)


def _named(difference: disputes.Difference, names: dict[Any, str]) -> tuple[str, str]:
    second = difference.second
    return names[difference.first], names[second] if second is not None else ""
