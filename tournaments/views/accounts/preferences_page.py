"""The page on which a visitor chooses the preferences for pages and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

import games
from tournaments.errors import RefusedError
from tournaments.text import rulesets
from tournaments.views import preferences, refusals
from tournaments.views.games import boards
from tournaments.views.preferences import CHOICES, COOKIE

_YEAR_S = 365 * 86_400
_LEGENDS = {
    "appearance": gettext_noop("Appearance"),
    "palette": gettext_noop("Colours of boards"),
    "numbers": gettext_noop("Numbers on bands"),
    "coordinates": gettext_noop("Coordinates around boards"),
    "confirm": gettext_noop("Confirm a move before it is sent"),
    "sound": gettext_noop("Sounds in games"),
    "motion": gettext_noop("Motion"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that may be chosen, in words."""

    value: str
    text: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Question:
    """One of the settings as the page asks for it."""

    name: str
    legend: str
    answers: Sequence[Answer]


@refusals.refusal_as_message
def preferences_page(request: HttpRequest) -> HttpResponse:
    """Return the page of all settings.

    A form may send some of the settings and the page to return to.
    """
    if request.method == "POST":
        return _keep(request)
    current = preferences.of(request)
    questions = [
        Question(
            name,
            _(_LEGENDS[name]),
            [
                Answer(value, _(text), current.chosen[name] == value)
                for value, text in values.items()
            ],
        )
        for name, values in CHOICES.items()
    ]
    sample = boards.draw(
        rulesets.poster(games.available()[0].name), look=current.look, id_prefix="sample"
    )
    return render(request, "accounts/preferences.html", {"questions": questions, "sample": sample})


def _keep(request: HttpRequest) -> HttpResponse:
    values = preferences.of(request).chosen
    for name, allowed in CHOICES.items():
        value = request.POST.get(name, values[name])
        if value not in allowed:
            raise RefusedError("setting-bad", f"{name} cannot be {value[:40]!r}")
        values[name] = value
    response = redirect(refusals.return_path(request))
    response.set_cookie(
        COOKIE,
        urlencode(values),
        max_age=_YEAR_S,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response
