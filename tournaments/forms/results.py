"""Results typed by the organiser of an event over the board."""

from __future__ import annotations

from django import forms

from tournaments.models import Game
from tournaments.services.arbiter.results import ENTERED

# As they are typed and read. The last is for the double forfeit, which has no sign of its own.
KEYS = {
    "1": Game.Result.FIRST,
    "0": Game.Result.SECOND,
    "=": Game.Result.DRAW,
    "+": Game.Result.FIRST_FORFEIT,
    "-": Game.Result.SECOND_FORFEIT,
    "x": Game.Result.DOUBLE_FORFEIT,
}


class ResultForm(forms.Form):
    """The result of a board; empty takes it back."""

    round_number = forms.IntegerField(min_value=1, max_value=400)
    board = forms.IntegerField(min_value=1, max_value=5000)
    game = forms.IntegerField(required=False, min_value=1, max_value=2)
    result = forms.ChoiceField(
        required=False, choices=[("", ""), *((each.value, each.value) for each in ENTERED)]
    )
    # What the page had there.
    page_result = forms.CharField(required=False, max_length=14)
