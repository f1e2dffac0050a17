"""The settings of an event in words: their names, their values, and the effect of a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.clocks import TimeControl
from tournaments.models import Event
from tournaments.models.event_settings import SETTINGS
from tournaments.models.setting_types import Unit
from tournaments.text import limits, rulesets
from tournaments.text.points import halves

# Characters of a value in a line about a change.
_LONGEST = 80


def sentences(event: Event, differences: Mapping[str, tuple[object, object]]) -> list[str]:
    """Return one line for each setting: its name, its value before and after, and the effect of the change."""
    return [_sentence(event, name, before, after) for name, (before, after) in differences.items()]


def changes(stored: Mapping[str, Sequence[object]]) -> str:
    """The settings that an entry of the public log stores, each with its value before and after.

    Settings of earlier releases that are gone are left out.
    """
    return "; ".join(
        label(name) if SETTINGS[name].is_secret else _line(name, before, after)
        for name, (before, after) in stored.items()
        if name in SETTINGS
    )


def label(name: str) -> str:
    """The name of a setting of `EventPlan`."""
    return str(SETTINGS[name].label)


def facts(event: Event) -> Iterator[tuple[str, str]]:
    """The settings that the overview of an event tells besides its format and its clock: title and words."""
    for name, each in SETTINGS.items():
        value = getattr(event, name, None)
        if each.fact and value != each.default:
            title, words = each.fact
            yield str(title), str(words or _value(name, value))


def _sentence(event: Event, name: str, before: object, after: object) -> str:
    line, effect = _line(name, before, after), SETTINGS[name].effect_in(event.state)
    return f"{line} ({effect})" if effect else line


def _line(name: str, before: object, after: object) -> str:
    return _("%(setting)s: %(before)s → %(after)s") % {
        "setting": label(name),
        "before": _value(name, before)[:_LONGEST],
        "after": _value(name, after)[:_LONGEST],
    }


def moment(text: str) -> str:
    """Return a moment, as the log stores it, in the reader's language and time zone."""
    return date_format(localtime(datetime.fromisoformat(text)), "DATETIME_FORMAT")


def _value(name: str, value: object) -> str:
    """A value of a plan, or as the log stores it, in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value in (None, ""):
        return "–"
    if choices := SETTINGS[name].choices:
        return str(choices(str(value)).label)
    if isinstance(value, int):
        return _number(SETTINGS[name].unit, value)
    text = value.text() if isinstance(value, TimeControl) else str(value)
    match SETTINGS[name].unit:
        case Unit.MOMENT:
            return moment(text)
        case Unit.DAY:
            return date_format(date.fromisoformat(text))
        case Unit.RULESET:
            return rulesets.ruleset_name(text)
        case Unit.TIE_BREAKS:
            return text.replace(",", ", ")
        case _:
            return text


def _number(unit: Unit, value: int) -> str:
    match unit:
        case Unit.RATING:
            return str(value // 100)
        case Unit.HALVES:
            return halves(value)
        case Unit.SPAN:
            return limits.span(value)
        case _:
            return str(value)
