"""A visitor's preferences for pages and boards, kept in a cookie, so that no account is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, gettext_noop

from games import svg

COOKIE = "settings"
_LONGEST_COOKIE = 400

# The choices, the default first, each value with its words.
CHOICES: Mapping[str, Mapping[str, str]] = {
    "appearance": {
        "auto": gettext_noop("system"),
        "light": gettext_noop("light"),
        "dark": gettext_noop("dark"),
    },
    "palette": {
        "official": gettext_noop("official colours"),
        "safe": gettext_noop("colour-blind friendly"),
    },
    "numbers": {
        "auto": gettext_noop("with the colour-blind friendly palette"),
        "on": gettext_noop("always"),
        "off": gettext_noop("never"),
    },
    "coordinates": {"on": gettext_noop("shown"), "off": gettext_noop("hidden")},
    "confirm": {
        "auto": gettext_noop("on touch screens, and in correspondence games"),
        "on": gettext_noop("always"),
        "off": gettext_noop("never"),
    },
    "sound": {"on": gettext_noop("moves, captures, the end"), "off": gettext_noop("none")},
    "motion": {"auto": gettext_noop("system"), "reduced": gettext_noop("reduced")},
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The chosen value of each of `CHOICES`."""

    appearance: str = "auto"
    palette: str = "official"
    numbers: str = "auto"
    coordinates: str = "on"
    confirm: str = "auto"
    sound: str = "on"
    motion: str = "auto"

    @property
    def look(self) -> svg.Look:
        """Return the style of boards."""
        has_numbers = self.palette == "safe" if self.numbers == "auto" else self.numbers == "on"
        return svg.Look(self.palette, self.coordinates == "on", has_numbers)

    @property
    def chosen(self) -> dict[str, str]:
        """All values by name."""
        return {name: getattr(self, name) for name in CHOICES}


def of(request: HttpRequest) -> Preferences:
    """Return the preferences in the visitor's cookie.

    A value outside `CHOICES` counts as the default.
    """
    text = request.COOKIES.get(COOKIE, "")
    given = dict(parse_qsl(text)) if len(text) <= _LONGEST_COOKIE else {}
    return Preferences(
        **{name: given[name] for name in CHOICES if given.get(name) in CHOICES[name]}
    )


def has_common_cookies(request: HttpRequest) -> bool:
    """Return whether the request has only cookies of which a page depends on the words alone.

    A page may depend otherwise on a session, a guest and a message (Django keeps them in a cookie).
    """
    common = {COOKIE, settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
    return request.COOKIES.keys() <= common


def language_of(request: HttpRequest) -> str | None:
    """Return the language that the address of a file names, or that of the request.

    A calendar that asks for the file again sends no cookie.
    """
    language = request.GET.get("language", "")
    return language if language in dict(settings.LANGUAGES) else get_language()
