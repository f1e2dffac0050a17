"""The input of the rating calculator."""

from __future__ import annotations

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.queries.ratings import calculator

RESULTS = [("2", _("won")), ("1", _("drawn")), ("0", _("lost"))]
TIME_CLASSES = [("standard", _("standard")), ("rapid", _("rapid")), ("blitz", _("blitz"))]
# Common spellings of a game's score, in half points.
_SCORES = {"1": 2, "½": 1, "0.5": 1, "0,5": 1, "1/2": 1, "=": 1, "0": 0}


class LedgerChangeForm(forms.Form):
    """One game by the formula of the ledger."""

    rating = forms.DecimalField(
        label=_("Your rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    opponent = forms.DecimalField(
        label=_("Opponent's rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    result = forms.TypedChoiceField(label=_("Result"), choices=RESULTS, coerce=int)
    k = forms.TypedChoiceField(
        label="K",
        choices=[(k, str(k)) for k in reversed(calculator.K_FACTORS)],
        coerce=int,
        help_text=_("40 in the first 30 games, then 20, and 10 once 2400 was reached."),
    )


class CasualChangeForm(forms.Form):
    """One casual game by Glicko-2."""

    rating = forms.DecimalField(
        label=_("Your rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    deviation = forms.DecimalField(
        label=_("Your RD"),
        min_value=45,
        max_value=500,
        decimal_places=2,
        help_text=_("Half the ± shown on the leaderboard. 500 before the first game."),
    )
    opponent = forms.DecimalField(
        label=_("Opponent's rating"), min_value=0, max_value=calculator.MAX_ELO, decimal_places=2
    )
    opponent_deviation = forms.DecimalField(
        label=_("Opponent's RD"), min_value=45, max_value=500, decimal_places=2
    )
    result = forms.TypedChoiceField(label=_("Result"), choices=RESULTS, coerce=int)


class FideChangeForm(forms.Form):
    """A period of rated games by FIDE's regulations."""

    rating = forms.IntegerField(label=_("Your rating"), min_value=0, max_value=calculator.MAX_ELO)
    k = forms.TypedChoiceField(
        label="K",
        choices=[(k, str(k)) for k in reversed(calculator.K_FACTORS)],
        initial=20,
        coerce=int,
    )
    time_class = forms.ChoiceField(label=_("Time control"), choices=TIME_CLASSES)
    games = forms.CharField(
        label=_("Games"),
        max_length=2000,
        help_text=_("One a line: the opponent's rating and 1, ½ (or 0.5) or 0, such as “1834 1”."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def clean_games(self) -> list[calculator.FideGame]:
        lines = [line.split() for line in str(self.cleaned_data["games"]).splitlines()]
        numbered = [(number, line) for number, line in enumerate(lines, start=1) if line]
        if len(numbered) > calculator.MAX_GAMES:
            raise forms.ValidationError(
                _("At most %(count)d games are possible."), params={"count": calculator.MAX_GAMES}
            )
        games = []
        for number, words in numbered:
            if len(words) != 2 or not re.fullmatch(r"[0-9]{1,4}", words[0]):
                raise forms.ValidationError(
                    _("Line %(number)d is not a rating and a result."), params={"number": number}
                )
            if int(words[0]) > calculator.MAX_ELO:
                raise forms.ValidationError(
                    _("Line %(number)d: no rating is above %(most)d."),
                    params={"number": number, "most": calculator.MAX_ELO},
                )
            if words[1] not in _SCORES:
                raise forms.ValidationError(
                    _("Line %(number)d: the result is 1, ½ (or 0.5) or 0."),
                    params={"number": number},
                )
            games.append(calculator.FideGame(int(words[0]), _SCORES[words[1]]))
        return games
