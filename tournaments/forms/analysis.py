"""What somebody pastes to see it on a board."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.games import RulesetField


class PasteForm(forms.Form):
    text = forms.CharField(
        label=_("Position or record"),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=_("A position as one line, a record as text, or a record as JSON."),
    )
    ruleset = RulesetField()
