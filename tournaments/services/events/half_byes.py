"""The warning before a second half-point bye, by the staff, a captain or the player."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from tournaments.models import ByeRequest, Event
from tournaments.models.setting_types import Level
from tournaments.services.events.acts import ActWarning


def warnings(
    event: Event, *, entry_id: int, round_number: int, kind: str, **_others: object
) -> Iterator[ActWarning]:
    """Yield the warning of a half-point bye from the second one on."""
    byes = ByeRequest.objects.filter(entry=entry_id, kind=ByeRequest.Kind.HALF)
    others = byes.exclude(round_number=round_number).order_by("round_number")
    numbers = list(others.values_list("round_number", flat=True))
    if kind == ByeRequest.Kind.HALF and numbers:
        words = gettext("The player has half-point byes already, in rounds: %(rounds)s.")
        yield ActWarning(Level.CONFIRM, words % {"rounds": ", ".join(map(str, numbers))})
