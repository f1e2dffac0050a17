"""Questions of an organiser before an event."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.forms.formats import FormatSelect
from tournaments.forms.games import EventClockField, RulesetField
from tournaments.forms.setting_fields import field_of
from tournaments.models import Event
from tournaments.models.event_settings import SETTINGS
from tournaments.models.events import MAX_ROUNDS
from tournaments.queries.forecasts import courses
from tournaments.queries.forecasts.plans import Idea

_MOST_PLAYERS = 300


class ForecastForm(forms.Form):
    """A format, a field and a clock.

    The form is sent by GET, so that users can share the address of an answer.
    """

    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(key, name) for key, name in Event.Format.choices if key in courses.FORMATS],
        initial=Event.Format.DUTCH,
        widget=FormatSelect,
    )
    ruleset = RulesetField()
    players = forms.IntegerField(
        label=_("Players"), min_value=2, max_value=_MOST_PLAYERS, initial=24
    )
    rounds_total = forms.IntegerField(
        label=_("Rounds"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        initial=5,
        help_text=_("Only for a Swiss. In the other formats the number follows from the players."),
    )
    spread_elo = forms.TypedChoiceField(
        label=_("Spread of the ratings"),
        coerce=int,
        choices=[
            (50, _("very even (standard deviation 50)")),
            (100, _("even (100)")),
            (200, _("a club (200)")),
            (300, _("an open (300)")),
            (400, _("very mixed (400)")),
        ],
        initial=200,
    )
    deviation_elo = forms.TypedChoiceField(
        label=_("Uncertainty of the ratings"),
        coerce=int,
        choices=[
            (50, _("well: many games (error 50)")),
            (100, _("fairly: some games (100)")),
            (200, _("badly: few games (200)")),
            (350, _("not at all: newcomers (350)")),
        ],
        initial=100,
    )
    clock = EventClockField()
    pause_s = field_of(SETTINGS["pause_s"])
    games_per_pairing = field_of(SETTINGS["games_per_pairing"])
    cycles = forms.TypedChoiceField(
        label=_("Number of cycles"),
        required=False,
        coerce=int,
        choices=[(1, _("Single round robin")), (2, _("Double round robin"))],
        initial=1,
    )
    groups = forms.IntegerField(
        label=_("Groups"), required=False, min_value=1, max_value=100, initial=4
    )
    qualifiers = forms.IntegerField(
        label=_("Qualifiers per group"), required=False, min_value=1, max_value=100, initial=2
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        field = self.fields["clock"]
        assert isinstance(field, EventClockField)
        field.offer(str(self.data.get("clock", "")))

    def idea(self) -> Idea:
        """Return the plan of the form. A field that was left blank takes the usual value."""
        usual = {
            "rounds_total": 5,
            "games_per_pairing": 1,
            "cycles": 1,
            "groups": 4,
            "qualifiers": 2,
        }
        return Idea(
            **{name: value or usual.get(name, value) for name, value in self.cleaned_data.items()}
        )
