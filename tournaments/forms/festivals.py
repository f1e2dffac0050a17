"""A festival: its name and its settings, and the acts on its sections."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Festival
from tournaments.models.festivals import MAX_DESCRIPTION, NAME_LENGTH
from tournaments.services.festivals.changes import About


class FestivalForm(forms.Form):
    """The name, the description and the settings of a festival."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=MAX_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    has_continuous_boards = forms.BooleanField(
        label=_("One series of board numbers"),
        required=False,
        initial=True,
        help_text=_(
            "The boards of a section are numbered after those of the sections before it, on pages and on "
            "sheets. Report files of a section count from 1. A change has an effect on later rounds."
        ),
    )

    prizes_by = forms.ChoiceField(
        label=_("Order of the prizes of the festival"),
        choices=Festival.PrizesBy.choices,
        initial=Festival.PrizesBy.PERCENT,
        help_text=_(
            "Percent compares players of sections with different numbers of rounds. Among equal ones the "
            "place in the section decides."
        ),
    )

    @classmethod
    def of_festival(cls, festival: Festival) -> FestivalForm:
        """Return the form with the current values."""
        return cls(initial={name: getattr(festival, name) for name in cls.base_fields})

    def about(self) -> About:
        """Return the values of a valid form."""
        values = self.cleaned_data
        return About(**{**values, "prizes_by": Festival.PrizesBy(values["prizes_by"])})


class FestivalActForm(forms.Form):
    """The argument of an act on a festival: an event, or the name of a player. The button says which."""

    event = forms.CharField(required=False, max_length=80)
    name = forms.CharField(required=False, max_length=80)

    def subject(self) -> str:
        """Return the argument of a valid form."""
        return str(self.cleaned_data["event"] or self.cleaned_data["name"])
