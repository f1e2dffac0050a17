"""A club: its words, and the acts on its members."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Club
from tournaments.models.clubs import (
    CLUB_INTRODUCTION_LENGTH,
    CLUB_NAME_LENGTH,
    SHORT_NAME_LENGTH,
)
from tournaments.services.clubs import About


class ClubForm(forms.Form):
    """The words of a club."""

    short_name = forms.CharField(
        label=_("Short name"), required=False, max_length=SHORT_NAME_LENGTH
    )
    federation = forms.CharField(
        label=_("Federation"),
        required=False,
        max_length=3,
        help_text=_("Three letters, such as ESP."),
    )
    place = forms.CharField(label=_("Place"), required=False, max_length=80)
    address = forms.CharField(
        label=_("Web address"),
        required=False,
        max_length=200,
        help_text=_("It begins with https://."),
    )
    introduction = forms.CharField(
        label=_("Introduction"),
        required=False,
        max_length=CLUB_INTRODUCTION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    @classmethod
    def of_club(cls, club: Club) -> ClubForm:
        """Return the form with the words of the club."""
        return cls(initial={name: getattr(club, name) for name in cls.base_fields})

    def about(self) -> About:
        """Return the words of a valid form."""
        return About(**{name: self.cleaned_data[name] for name in ClubForm.base_fields})


class NewClubForm(ClubForm):
    """A new club: its name too."""

    name = forms.CharField(
        label=_("Name"),
        max_length=CLUB_NAME_LENGTH,
        help_text=_("It stays. Entries and teams with this name belong to the club."),
    )
    field_order = ("name", *ClubForm.base_fields)


class ClubActForm(forms.Form):
    """The player whom an act concerns: yourself, if it is empty. The button names the act."""

    player = forms.IntegerField(required=False, min_value=1, max_value=2**53)
