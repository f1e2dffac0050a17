"""Systems of clubs: the parameters are the organiser's."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.queries.formats.base import Format, Late
from tournaments.queries.formats.swiss import OF_WEIGHTS


class _Club(Format):
    late = Late.ALWAYS
    is_swiss = True
    has_forecast = True


class Keizer(_Club):
    """The Keizer system."""

    code = "keizer"
    repeats_byes = True
    about = _(
        "neighbours in the table meet, and again after some rounds. Wins against high places count more"
    )
    fields = (*Format.fields, "rounds_total", "rematch_gap", "bye_percent", "absence_percent")
    leading_tie_breaks = ("KEIZER", "PTS")
    usual_tie_breaks = ()
    meetings = {
        "keizer": _(
            "Keizer: place %(place)d meets place %(next_place)d, the nearest below with whom a "
            "meeting was possible."
        ),
    }
    about_bye = _("The bye goes to the lowest place of those who had the fewest byes.")
    refusals = {
        "gap": _(
            "They had met in round %(round)d. Two players could not meet again within this number of rounds: %(first)d."
        ),
        "completion": _(
            "Then the other players could not all have been paired without a second meeting within this number of rounds: "
            "%(first)d."
        ),
        "byes": _(
            "The bye goes to the lowest place of those who had the fewest byes: place %(now)d (byes so far: "
            "%(first)d). It would have gone to place %(then)d (byes so far: %(other_first)d)."
        ),
        "place": _(
            "The player in place %(first)d met the one in place %(now)d, the nearest below with whom a meeting was possible. "
            "The opponent would have been the one in place %(then)d."
        ),
    }


class McMahon(_Club):
    """The McMahon system."""

    code = "mcmahon"
    about = _("a Swiss in which the stronger begin with more points. No rematch")
    fields = (*Format.fields, "rounds_total", "bye", "bar_elo", "floor_elo", "step_elo")
    leading_tie_breaks = ("MMS",)
    usual_tie_breaks = ("SOS", "SOSOS", "PTS")
    meetings = {
        "mcmahon": _(
            "McMahon: %(first_score)s against %(second_score)s, with the scores to begin with."
        ),
    }
    about_bye = _(
        "No player has it a second time, or after a win without play. Among the others a low "
        "score is preferred, and among equal scores the lowest rank. The score differences "
        "on the boards count too."
    )
    refusals = OF_WEIGHTS

    def most_meetings(self, event: Event) -> int:
        return 1
