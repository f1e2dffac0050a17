"""Questions before an act, as its warnings ask for them. No switch leaves one out.

The form of the act comes back with what was typed. A page that has asked the first question sends `confirm`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Event
from tournaments.models.setting_types import Level
from tournaments.services.events import act_warnings
from tournaments.services.events.acts import ActWarning, Declaration
from tournaments.views import refusals
from tournaments.views.access import signed_in

_ANSWERS = ("confirm", "is_understood")


def ask(
    request: HttpRequest, event: Event, act: Declaration, own: Mapping[str, Any]
) -> HttpResponse | None:
    """Return the next question before the act, or None if all are answered. Raises the errors of the act."""
    return page(request, event, act_warnings.before(act, event, signed_in(request), own))


def page(
    request: HttpRequest, event: Event, warnings: Sequence[ActWarning], *, back: str = ""
) -> HttpResponse | None:
    """Return the next question that these warnings ask, or None if all are answered."""
    answered = Level.SIMPLE + sum(_is_answered(request, name) for name in _ANSWERS)
    open_warnings = [each for each in warnings if each.level > answered]
    if not open_warnings:
        return None
    is_second = answered > Level.SIMPLE
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and name not in _ANSWERS
    ]
    context = {
        "event": event,
        "sentences": [each.sentence for each in open_warnings],
        "is_second": is_second,
        "fields": fields,
        # Without an address the page that has asked the first question comes back.
        "back": back or ("next" in request.POST and refusals.return_path(request)) or "",
    }
    return render(request, "events/question.html", context)


def _is_answered(request: HttpRequest, name: str) -> bool:
    """Return whether the answer was sent, and those before it."""
    return all(each in request.POST for each in _ANSWERS[: _ANSWERS.index(name) + 1])
