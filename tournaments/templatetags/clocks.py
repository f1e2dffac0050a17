"""Lengths of time and clocks in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tournaments.queries.clocks.ledger import Line

register = template.Library()

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


@register.filter
def lasting(milliseconds: int) -> str:
    """A length of time in its two largest units: `0.3 s`, `12.4 s`, `2 min 5 s`, `3 h`, `4 d 2 h`."""
    if milliseconds < _MINUTE_S * 1000:
        return _("%(count)s s") % {"count": f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")}
    seconds = round(milliseconds / 1000)
    if seconds < _HOUR_S:
        large, small = divmod(seconds, _MINUTE_S)
        words = _("%(large)d min %(small)d s") if small else _("%(large)d min")
    elif seconds < _DAY_S:
        large, small = divmod(seconds // _MINUTE_S, 60)
        words = _("%(large)d h %(small)d min") if small else _("%(large)d h")
    else:
        large, small = divmod(seconds // _HOUR_S, 24)
        words = _("%(large)d d %(small)d h") if small else _("%(large)d d")
    return words % {"large": large, "small": small}


@register.filter
def seconds_lasting(seconds: int) -> str:
    """A length of time in seconds, in its two largest units."""
    return lasting(1000 * seconds)


@register.filter
def change(charge: Line) -> str:
    """Return the effect of a charge on the clock, with its sign: `+2 s`, `−10.4 s`."""
    if not charge.ms:
        return "±0"
    sign = "+" if charge.ms > 0 else "\N{MINUS SIGN}"
    return sign + lasting(abs(charge.ms))
