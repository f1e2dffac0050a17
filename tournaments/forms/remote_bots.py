"""Remote bots: what they are called, and what they accept."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

import games
from tournaments.models.remote_bots import MAX_GAMES
from tournaments.services.bots import versions
from tournaments.services.bots.remote_bots import Terms
from tournaments.services.clocks.game_clocks import MAX_CLOCK_MS
from tournaments.text import rulesets


def _families() -> list[tuple[str, str]]:
    return [(family.name, str(rulesets.family_name(family.name))) for family in games.available()]


class RemoteTermsForm(forms.Form):
    """What a remote bot accepts."""

    families = forms.MultipleChoiceField(
        label=_("It plays"), choices=_families, widget=forms.CheckboxSelectMultiple
    )
    least_s = forms.IntegerField(
        label=_("Shortest clock"),
        min_value=1,
        max_value=MAX_CLOCK_MS // 1000,
        initial=10,
        help_text=_("Seconds at the start."),
    )
    most_s = forms.IntegerField(
        label=_("Longest clock"),
        min_value=1,
        max_value=MAX_CLOCK_MS // 1000,
        initial=3600,
        help_text=_("Seconds at the start."),
    )
    takes = forms.ChoiceField(
        label=_("Games"),
        choices=[
            ("both", _("rated and casual")),
            ("rated", _("rated only")),
            ("casual", _("casual only")),
        ],
        initial="both",
    )
    max_games = forms.IntegerField(
        label=_("Games at once"), min_value=1, max_value=MAX_GAMES, initial=1
    )

    @property
    def terms(self) -> Terms:
        """What was chosen, when the form is valid."""
        data = self.cleaned_data
        return Terms(
            families=data["families"],
            least_s=data["least_s"],
            most_s=data["most_s"],
            takes_rated=data["takes"] != "casual",
            takes_casual=data["takes"] != "rated",
            max_games=data["max_games"],
        )


class RemoteBotForm(RemoteTermsForm):
    """A new remote bot."""

    name = forms.CharField(label=_("Name"), min_length=2, max_length=versions.LINE_NAME_LENGTH)
    description = forms.CharField(label=_("Description"), required=False, max_length=300)

    field_order = ["name", "description"]
