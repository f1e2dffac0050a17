"""Templates of events: initial values for the form of a new event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

NAMES: Mapping[str, _StrPromise] = {
    "club-evening": _("Club evening: five rounds, step by step"),
    "arena": _("Arena: one hour"),
    "round-robin": _("Round robin of a small group"),
    "correspondence": _("Correspondence Swiss"),
    "bots": _("League of bots"),
}
INITIAL: Mapping[str, Mapping[str, object]] = {
    "club-evening": {
        "format": Event.Format.DUTCH,
        "rounds_total": 5,
        "clock": "600+10",
        "is_automatic": False,
        "start_mode": Event.Start.BUTTON,
        "grace_minutes": 10,
    },
    "arena": {"format": Event.Format.ARENA, "clock": "180+2", "duration_s": 3600},
    "round-robin": {"format": Event.Format.ROUND_ROBIN, "clock": "600+10", "max_entries": 10},
    "correspondence": {
        "format": Event.Format.DUTCH,
        "rounds_total": 5,
        "clock": "259200+43200<604800",
        "pause_s": 86400,
    },
    "bots": {
        "format": Event.Format.LEAGUE,
        "admits": Event.Admits.BOTS,
        "clock": "10+0.1",
        "seasons": 2,
    },
}
