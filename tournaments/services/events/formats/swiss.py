"""Swiss systems: equal scores meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from tournaments.services.events.formats.base import Format, Late

if TYPE_CHECKING:
    from tournaments.models import Event


class _AnySwiss(Format):
    late = Late.FIRST_HALF
    is_swiss = True
    is_ranked_by_points = True
    has_forecast = True
    fields = (*Format.fields, "rounds_total", "bye", "games_per_pairing")

    def most_meetings(self, event: Event) -> int:
        return 1


class Dutch(_AnySwiss):
    """The FIDE (Dutch) system."""

    code = "dutch"
    about = _("equal scores meet, nobody twice, colours alternate; by the FIDE (Dutch) rules")
    fields = (*_AnySwiss.fields, "is_accelerated")
    can_accelerate = True


class Swiss(_AnySwiss):
    """A Swiss by weighted matching."""

    code = "swiss"
    about = _("equal scores meet, nobody twice, colours alternate; by a minimum-weight matching")
    about_bye = _(
        "Nobody has it a second time, or after a win without play. Among the others a low "
        "score is preferred, and among equal scores the lowest rank; the score differences "
        "on the boards weigh too."
    )
