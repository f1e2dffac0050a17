"""Times in words: clocks, spans and fuel."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models.timing import ClockKind, Timed

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


def clock_of(timed: Timed) -> str:
    """Words for a clock: `10 min + 5 s`, `5 min, 3 s free`, `7 days + 1 day, at most 14 days`, `no clock`, `100 M fuel a ply`."""
    fuel = getattr(timed, "fuel", None)  # challenges have none
    if fuel is not None:
        return fuel_text(fuel)
    initial = duration(timed.clock_initial_ms / 1000)
    words = {"initial": initial, "ply": duration(timed.clock_increment_ms / 1000)}
    kind = getattr(timed, "clock_kind", ClockKind.FISCHER)  # SPRT tests have bots' clocks only
    if kind == ClockKind.UNLIMITED:
        return _("no clock")
    if timed.clock_increment_ms and kind == ClockKind.DELAY:
        return _("%(initial)s, %(ply)s delay") % words
    if timed.clock_increment_ms and kind == ClockKind.BANK:
        cap = duration((timed.clock_cap_ms or 0) / 1000)
        return _("%(initial)s + %(ply)s per move (max %(cap)s)") % {**words, "cap": cap}
    return fischer(timed.clock_initial_ms, timed.clock_increment_ms)


def fischer(initial_ms: int, increment_ms: int) -> str:
    """Words for a clock with an increment or without: `10 min + 5 s`."""
    spans_ms = (initial_ms, increment_ms) if increment_ms else (initial_ms,)
    return " + ".join(duration(span_ms / 1000) for span_ms in spans_ms)


def fuel_text(units: int) -> str:
    """Units of fuel per ply, such as `100 M fuel per ply`, with the letter of thousands or millions."""
    for letter, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if units % size == 0:
            return _("%(amount)s fuel per ply") % {"amount": f"{units // size} {letter}"}
    return _("%(amount)s fuel per ply") % {"amount": units}


def duration(seconds: float) -> str:
    """A round number of the largest unit that fits: `7 days`, `12 h`, `10 min`, `20 s`."""
    if seconds >= _DAY_S and seconds % _DAY_S == 0:
        days = int(seconds // _DAY_S)
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if seconds >= _HOUR_S and seconds % _HOUR_S == 0:
        return _("%(count)d h") % {"count": seconds // _HOUR_S}
    if seconds >= _MINUTE_S and seconds % _MINUTE_S == 0:
        return _("%(count)d min") % {"count": seconds // _MINUTE_S}
    return _("%(count)s s") % {"count": f"{seconds:g}"}


def waiting_time(seconds: int) -> str:
    """Return a rounded time: `4 s`, `40 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return duration(round(seconds, -1) if seconds >= 10 else seconds)
    minutes = round(seconds / _MINUTE_S)
    return duration(minutes * _MINUTE_S if minutes < 90 else round(minutes / 60) * _HOUR_S)
