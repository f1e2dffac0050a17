"""The settings of an event in words: their names, their values, and the effect of a change."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.clocks import TimeControl
from tournaments.models import Event
from tournaments.text import limits, rulesets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db import models
    from django.utils.functional import _StrPromise

_NAMES: Mapping[str, _StrPromise] = {
    "name": gettext_lazy("Name"),
    "description": gettext_lazy("Description"),
    "ruleset": gettext_lazy("Game"),
    "format": gettext_lazy("Format"),
    "clock": gettext_lazy("Clock"),
    "rounds_total": gettext_lazy("Rounds"),
    "admits": gettext_lazy("Who may enter"),
    "admits_remote": gettext_lazy("Remote bots may enter"),
    "max_entries": gettext_lazy("Maximum number of players"),
    "is_rated": gettext_lazy("Rated"),
    "is_automatic": gettext_lazy("Automatic pairing"),
    "pause_s": gettext_lazy("Pause between rounds"),
    "tie_breaks": gettext_lazy("Tie-breaks"),
    "start_mode": gettext_lazy("Clocks start"),
    "grace_s": gettext_lazy("Grace time"),
    "starts_at": gettext_lazy("Starts at"),
    "registration_closes_at": gettext_lazy("Registration closes"),
    "check_in_opens_at": gettext_lazy("Check-in opens"),
    "min_centielo": gettext_lazy("Lowest rating"),
    "max_centielo": gettext_lazy("Highest rating"),
    "min_games": gettext_lazy("Rated games at least"),
    "needs_approval": gettext_lazy("You approve each entry"),
    "has_waiting_list": gettext_lazy("Waiting list"),
    "is_private": gettext_lazy("Private"),
    "access_code": gettext_lazy("Access code"),
    "most_half_byes": gettext_lazy("Half-point byes per player"),
    "last_half_bye_round": gettext_lazy("Last round with half-point byes"),
    "last_late_round": gettext_lazy("Late entries until round"),
    "keeps_clubs_apart": gettext_lazy("Players of one club do not meet"),
    "forbids_engine": gettext_lazy("No engine for the players until the event is over"),
    "is_accelerated": gettext_lazy("Accelerated (Baku)"),
    "allows_vacation": gettext_lazy("Clocks stop during vacations"),
    "duration_s": gettext_lazy("Duration"),
    "cycles": gettext_lazy("Number of cycles"),
    "groups": gettext_lazy("Groups or divisions"),
    "qualifiers": gettext_lazy("Qualifiers per group"),
    "promotion_places": gettext_lazy("Promotion and relegation places"),
    "seasons": gettext_lazy("Seasons"),
    "fuel": gettext_lazy("Fuel instead of the clock"),
    "win_halves": gettext_lazy("Points for a win"),
    "draw_halves": gettext_lazy("Points for a draw"),
    "loss_halves": gettext_lazy("Points for a loss"),
    "bye_halves": gettext_lazy("Points for a bye"),
    "games_per_pairing": gettext_lazy("Games per pairing"),
    "is_over_the_board": gettext_lazy("Over the board"),
    "board_time": gettext_lazy("Time at the board"),
    "min_guests": gettext_lazy("Players before the first round"),
    "pace_ms": gettext_lazy("Shortest time of a bot for a move"),
}
_RUNNING: Mapping[str, _StrPromise] = {
    "clock": gettext_lazy("from the next round on; games that have begun keep their clocks"),
    "rounds_total": gettext_lazy("the event ends after that round; accelerations stay as they are"),
    "is_automatic": gettext_lazy("from the next round on"),
    "pause_s": gettext_lazy("from the next round on"),
    "start_mode": gettext_lazy("from the next round on"),
    "grace_s": gettext_lazy("from the next round on"),
    "tie_breaks": gettext_lazy("the standings are computed again immediately, for all rounds"),
    "forbids_engine": gettext_lazy("at once, on all pages with a board"),
    "keeps_clubs_apart": gettext_lazy("in rounds that are not drafted yet"),
    "max_entries": gettext_lazy("at once; a waiting list moves up"),
}
_CONDITIONS = {"min_centielo", "max_centielo", "min_games", "needs_approval", "access_code"}
_IN_CENTIELO = {"min_centielo", "max_centielo"}
_MOMENTS = {"starts_at", "registration_closes_at", "check_in_opens_at"}
_CHOICES: Mapping[str, type[models.TextChoices]] = {
    "format": Event.Format,
    "start_mode": Event.Start,
    "admits": Event.Admits,
}
# The public log does not tell them.
_SECRETS = {"access_code"}


def sentences(event: Event, differences: Mapping[str, tuple[object, object]]) -> list[str]:
    """One line for each setting: its name, its value before and after, and what that does."""
    return [_sentence(event, name, before, after) for name, (before, after) in differences.items()]


def changes(stored: Mapping[str, Sequence[object]]) -> str:
    """The settings that an entry of the public log stores, each with its value before and after."""
    return "; ".join(
        label(name) if name in _SECRETS else _line(name, before, after)
        for name, (before, after) in stored.items()
    )


def label(name: str) -> str:
    """The name of a setting of `EventPlan`."""
    return str(_NAMES[name])


def _sentence(event: Event, name: str, before: object, after: object) -> str:
    line, effect = _line(name, before, after), _effect(event, name)
    return f"{line} ({effect})" if effect else line


def _line(name: str, before: object, after: object) -> str:
    return _("%(setting)s: %(before)s → %(after)s") % {
        "setting": label(name),
        "before": _value(name, before),
        "after": _value(name, after),
    }


def _effect(event: Event, name: str) -> str:
    if name in _CONDITIONS:
        return _("for new entries; those who have entered stay")
    if event.state == Event.State.RUNNING and name in _RUNNING:
        return str(_RUNNING[name])
    return ""


def _value(name: str, value: object) -> str:
    """A value of a plan, or as the log stores it, in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value in (None, ""):
        return "–"
    if isinstance(value, TimeControl):
        return value.text()
    if name in _MOMENTS:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return date_format(localtime(moment), "DATETIME_FORMAT")
    if isinstance(value, int):
        return _number(name, value)
    if name in _CHOICES:
        return str(_CHOICES[name](str(value)).label)
    if name == "ruleset":
        return rulesets.ruleset_name(str(value))
    if name == "tie_breaks":
        return str(value).replace(",", ", ")
    return str(value)[:80]


def _number(name: str, value: int) -> str:
    if name in _IN_CENTIELO:
        return str(value // 100)
    if name.endswith("_halves"):
        return f"{value / 2:g}"
    if name.endswith("_s"):
        return limits.span(value)
    return str(value)
