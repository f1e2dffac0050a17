"""Days of the week in words."""

from __future__ import annotations

from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _


def names(bits: int) -> str:
    """Return the names of the days whose bits are set, the lowest for Monday."""
    days = [day for day in WEEKDAYS if bits >> day & 1]
    if len(days) == len(WEEKDAYS):
        return _("every day")
    words = WEEKDAYS if len(days) == 1 else WEEKDAYS_ABBR
    return ", ".join(str(words[day]) for day in days)
