"""How somebody likes pages and boards: kept in a cookie, so that nobody needs an account for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import svg
from tournaments.services.errors import RefusedError
from tournaments.views import boards, figures, refusals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse

COOKIE = "settings"
_YEAR_S = 365 * 86_400
_LONGEST_COOKIE = 400

# What may be chosen, the default first, each value with its words.
CHOICES: Mapping[str, Mapping[str, str]] = {
    "appearance": {
        "auto": gettext_noop("as the device says"),
        "light": gettext_noop("light"),
        "dark": gettext_noop("dark"),
    },
    "palette": {
        "official": gettext_noop("official colours"),
        "safe": gettext_noop("colour-safe: told apart by every eye"),
    },
    "numbers": {
        "auto": gettext_noop("with the colour-safe palette"),
        "on": gettext_noop("always"),
        "off": gettext_noop("never"),
    },
    "coordinates": {"on": gettext_noop("shown"), "off": gettext_noop("hidden")},
    "confirm": {
        "auto": gettext_noop("on touch screens, and in games over days"),
        "on": gettext_noop("always"),
        "off": gettext_noop("never"),
    },
    "motion": {"auto": gettext_noop("as the device says"), "reduced": gettext_noop("reduced")},
}
_LEGENDS = {
    "appearance": gettext_noop("Appearance"),
    "palette": gettext_noop("Colours of boards"),
    "numbers": gettext_noop("Numbers on the bands of Morelli"),
    "coordinates": gettext_noop("Coordinates around boards"),
    "confirm": gettext_noop("Confirm a move before it is sent"),
    "motion": gettext_noop("Motion"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The chosen value of each of `CHOICES`."""

    appearance: str = "auto"
    palette: str = "official"
    numbers: str = "auto"
    coordinates: str = "on"
    confirm: str = "auto"
    motion: str = "auto"

    @property
    def look(self) -> svg.Look:
        """How boards are drawn."""
        has_numbers = self.palette == "safe" if self.numbers == "auto" else self.numbers == "on"
        return svg.Look(self.palette, self.coordinates == "on", has_numbers)

    @property
    def chosen(self) -> dict[str, str]:
        """All values by name."""
        return {name: getattr(self, name) for name in CHOICES}


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


def of(request: HttpRequest) -> Settings:
    """The settings of whoever asks; what a cookie says that may not be chosen counts for nothing."""
    text = request.COOKIES.get(COOKIE, "")
    given = dict(parse_qsl(text)) if len(text) <= _LONGEST_COOKIE else {}
    return Settings(**{name: given[name] for name in CHOICES if given.get(name) in CHOICES[name]})


@refusals.told
def settings(request: HttpRequest) -> HttpResponse:
    """The page of all settings; a form may also send a few of them and name the page to go back to."""
    if request.method == "POST":
        return _keep(request)
    current = of(request)
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
    sample = boards.draw(figures.poster("morelli"), look=current.look, id_prefix="sample")
    return render(request, "settings.html", {"questions": questions, "sample": sample})


def _keep(request: HttpRequest) -> HttpResponse:
    values = of(request).chosen
    for name, allowed in CHOICES.items():
        wished = request.POST.get(name, values[name])
        if wished not in allowed:
            raise RefusedError("setting-bad", f"{name} cannot be {wished[:40]!r}")
        values[name] = wished
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
