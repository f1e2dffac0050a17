"""Remote bots: what they are called, and what they play."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.bots import family_choices
from tournaments.services.bots import versions


class RemoteGamesForm(forms.Form):
    """The games that a remote bot plays."""

    families = forms.MultipleChoiceField(
        label=_("It plays"), choices=family_choices, widget=forms.CheckboxSelectMultiple
    )


class RemoteBotForm(RemoteGamesForm):
    """A new remote bot."""

    name = forms.CharField(label=_("Name"), min_length=2, max_length=versions.LINE_NAME_LENGTH)
    description = forms.CharField(label=_("Description"), required=False, max_length=300)

    field_order = ["name", "description"]
