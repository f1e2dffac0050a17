"""The parts of an author's suite of start positions."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.games import RulesetField
from tournaments.models import Suite, User
from tournaments.models.suites import MAX_SETUPS, MAX_TEXT, NAME_LENGTH
from tournaments.services.bots import suites

_MAX_PLIES = 20
_MAX_SEED = 2**31 - 1


class SuiteForm(forms.Form):
    """A new suite: a list of starts, or openings that are drawn."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    ruleset = RulesetField()
    starts = forms.CharField(
        label=_("Start positions"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 10, "class": "mono", "spellcheck": "false"}),
        help_text=_(
            "One per line: a set-up as in records, or a position. Lines that begin with "
            "# are ignored. Leave empty for openings."
        ),
    )
    plies = forms.IntegerField(
        label=_("Plies of an opening"), initial=4, min_value=1, max_value=_MAX_PLIES
    )
    count = forms.IntegerField(
        label=_("Number of openings"), initial=200, min_value=1, max_value=MAX_SETUPS
    )
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=0, max_value=_MAX_SEED)

    def add(self, owner: User) -> Suite:
        """Add the suite of a valid form. Raises RefusedError as the services do."""
        data = self.cleaned_data
        about = {"owner": owner, "name": data["name"], "ruleset": data["ruleset"]}
        if data["starts"].strip():
            return suites.add(**about, text=data["starts"])
        return suites.add_openings(
            **about, plies=data["plies"], count=data["count"], seed=data["seed"]
        )
