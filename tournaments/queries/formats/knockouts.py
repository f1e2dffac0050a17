"""Knock-outs."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.pairing import PairingProblem, double_knockout, knockout
from tournaments.pairing.brackets import Draw
from tournaments.queries.formats.base import Format, Problem

# The fields of formats with ties.
TIE_FIELDS = (
    *("tie_games", "extra_games", "has_extra_pairs"),
    *("extra_clock", "armageddon_percent"),
)


class Knockout(Format):
    """Single elimination."""

    code = "knockout"
    about = _("a lost tie eliminates. A level tie has extra games")
    fields = (*Format.fields, "has_third_place", *TIE_FIELDS)
    has_draw = True
    has_forecast = True
    meetings = {
        "tie": _(
            "The bracket pairs seed %(higher_seed)d and seed %(lower_seed)d. A level tie "
            "has extra games: two, unless the overview has another number. Then an armageddon game "
            "decides if the overview has one. Otherwise the higher seed advances, over the board the "
            "player whom the arbiter names."
        ),
        "third-place": _("The losers of the semi-finals play for third place."),
    }

    def places(self, event: Event, problem: Problem) -> Sequence[Sequence[int]]:
        return knockout.places(problem())

    def draw(self, problem: PairingProblem) -> Draw:
        return knockout.draw(problem)


class Match(Knockout):
    """Two players, who play a match of games."""

    code = "match"
    about = _("two players play a match of games. A level match has extra games")
    fields = (*Format.fields, *TIE_FIELDS)
    draw_name = _("Score of the match")
    no_draw_yet = _("The match begins when the event starts.")
    meetings = {
        "match": _(
            "The match of the two players. The sides alternate from game to game, and it ends as soon as one "
            "player cannot be caught. A level match has extra games: two, unless the overview has another "
            "number. Then an armageddon game decides if the overview has one. Otherwise the player with "
            "pairing number %(higher_seed)d wins, over the board the player whom the arbiter names."
        ),
    }


class DoubleKnockout(Format):
    """Double elimination."""

    code = "double-knockout"
    about = _("two lost ties eliminate. A level tie has extra games")
    fields = (*Format.fields, *TIE_FIELDS)
    has_draw = True
    has_forecast = True
    meetings = {
        "losers-tie": _(
            "Losers' bracket: seed %(higher_seed)d against seed %(lower_seed)d. Both "
            "have lost once. The next loss eliminates."
        ),
        "final": _(
            "The final: the winner of the winners' bracket meets the winner of the losers' bracket."
        ),
        "reset-final": _(
            "Bracket reset: the player from the losers' bracket won the final, so both have "
            "lost once, and this tie decides."
        ),
    }

    def places(self, event: Event, problem: Problem) -> Sequence[Sequence[int]]:
        return double_knockout.places(problem())

    def draw(self, problem: PairingProblem) -> Draw:
        return double_knockout.draw(problem)
