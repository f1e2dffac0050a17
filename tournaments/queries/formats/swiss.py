"""Swiss systems: equal scores meet."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.queries.formats.base import Format, Late

# The reasons of a weighted matching, by the part of the penalty that would have been larger.
OF_WEIGHTS = {
    "absolute": _(
        "Then more boards would have had two players who both had to get the same colour."
    ),
    "scores": _(
        "Then the scores on the boards would have been further apart, or the bye would have gone to a higher score."
    ),
    "colours": _("Then fewer or weaker colour preferences would have been met."),
    "fold": _(
        "Then the players of fewer boards would have been half a score group apart, or the bye would have gone to "
        "a higher rank."
    ),
    "order": _("That pairing would have been as good."),
    "neighbours": _(
        "The system compares each player with the 24 next in rank only. It did not look at this pairing."
    ),
}


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
    about = _("equal scores meet, no rematch, colours alternate. FIDE (Dutch) rules")
    fields = (*_AnySwiss.fields, "is_accelerated")
    can_accelerate = True
    rules = _("FIDE (Dutch) System, C.04.3, in force since 1 February 2026")
    about_bye = _(
        "The bye goes to the player who is left over at the end, of the lowest score that can be "
        "left out."
    )


class Dutch2017(Dutch):
    """The FIDE (Dutch) system as it was until January 2026."""

    code = "dutch-2017"
    about = _("equal scores meet, no rematch, colours alternate. FIDE (Dutch) rules of 2017")
    rules = _("FIDE (Dutch) System, C.04.3, in force until 31 January 2026")
    is_out_of_force = True


class _ByeFirst(_AnySwiss):
    fields = (*_AnySwiss.fields, "is_accelerated")
    can_accelerate = True
    about_bye = _(
        "The bye is given before the pairing: to the lowest score without which the "
        "others can all be paired, then to the player with the most games, then to the "
        "lowest rank."
    )


class Dubov(_ByeFirst):
    """The Dubov system."""

    code = "dubov"
    about = _(
        "equal scores meet, by rating, with opponents as strong on average as those of the others"
    )
    rules = _("Dubov System, C.04.4.1, in force since 1 February 2026")


class Burstein(_ByeFirst):
    """The Burstein system."""

    code = "burstein"
    about = _(
        "equal scores meet, the better results so far against the worse, in round 1 as in the Dutch system"
    )
    rules = _("Burstein System, C.04.4.2, in force since 1 February 2026")


class Lim(_ByeFirst):
    """The Lim system."""

    code = "lim"
    fields = (*_ByeFirst.fields, "maxi_elo")
    about = _(
        "equal scores meet, the middle scores last, and a colour never comes three times in a row"
    )
    rules = _("Lim System, C.04.4.3, in force since 1 February 2026")
    about_bye = _(
        "The bye is given before the pairing: to the lowest rank in the lowest score group "
        "without whom the others can all be paired, in round 1 to the lowest rating."
    )


class DoubleSwiss(_ByeFirst):
    """The Double-Swiss system."""

    code = "double-swiss"
    about = _("equal scores meet in matches of two games. No rematch")
    fields = (*Format.fields, "rounds_total")
    can_accelerate = False
    has_matches = True
    rules = _("Double-Swiss System, C.04.5, in force since 1 February 2026")


class Swiss(_AnySwiss):
    """A Swiss by weighted matching."""

    code = "swiss"
    refusals = OF_WEIGHTS
    about = _("equal scores meet, no rematch, colours alternate. Minimum-weight matching")
    about_bye = _(
        "No player has it a second time, or after a win without play. Among the others a "
        "low score is preferred, and among equal scores the lowest rank. The score "
        "differences on the boards count too."
    )
