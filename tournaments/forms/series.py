"""A series: its name and rules, and the acts on its events and rows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models import Event, Series
from tournaments.models.series import (
    MAX_DESCRIPTION,
    MAX_EVENTS,
    MAX_KEY,
    NAME_LENGTH,
    SeriesMethod,
    SharedPlaces,
)
from tournaments.services.series.changes import About, Arguments
from tournaments.standings.series import Method, Rules, Shared
from tournaments.text.house import event_name

# A usual list of a Grand Prix.
_USUAL_POINTS = "25 20 16 13 11 10 9 8 7 6 5 4 3 2 1"


class SeriesForm(forms.Form):
    """The name and the rules of a series."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=MAX_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    method = forms.ChoiceField(
        label=_("Points of an event"), choices=SeriesMethod.choices, initial=SeriesMethod.PLACES
    )
    place_points = forms.CharField(
        label=_("Points by place"),
        required=False,
        max_length=1200,
        initial=_USUAL_POINTS,
        help_text=_("Whole numbers from the first place on. Later places have no points."),
    )
    shared = forms.ChoiceField(
        label=_("Shared places"), choices=SharedPlaces.choices, initial=SharedPlaces.SHARE
    )
    best = forms.IntegerField(
        label=_("Number of results that count"),
        required=False,
        min_value=0,
        max_value=MAX_EVENTS,
        help_text=_("The best results of each player. If the field is empty, all results count."),
    )

    @classmethod
    def of_series(cls, series: Series) -> SeriesForm:
        """Return the form with the current values."""
        names = ("name", "description", "method", "place_points", "shared")
        values = {name: getattr(series, name) for name in names}
        return cls(initial={**values, "best": series.best or None})

    def about(self) -> About:
        """Return the name and the description of a valid form."""
        return About(self.cleaned_data["name"], self.cleaned_data["description"])

    def rules(self) -> Rules:
        """Return the rules of a valid form. Raises RefusedError `series-rules`."""
        cleaned = self.cleaned_data
        words = re.split(r"[\s,;/]+", cleaned["place_points"].strip())
        if not all(re.fullmatch(r"[0-9]{1,5}", word) for word in words if word):
            raise RefusedError("series-rules", cleaned["place_points"][:NAME_LENGTH])
        return Rules(
            Method(cleaned["method"]),
            tuple(int(word) for word in words if word),
            Shared(cleaned["shared"]),
            cleaned["best"] or 0,
        )


class SeriesEventForm(forms.Form):
    """An event that is added: one of the organiser's, or another public one by its address."""

    own = forms.ChoiceField(label=_("One of your events"), required=False)
    address = forms.CharField(
        label=_("Or the address of another public event"), required=False, max_length=200
    )

    def __init__(self, *args: object, events: Iterable[Event], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # whatever a form takes
        choices = [("", "–"), *((event.slug, event_name(event)) for event in events)]
        self.fields["own"] = forms.ChoiceField(
            label=self.fields["own"].label, required=False, choices=choices
        )


class SeriesActForm(forms.Form):
    """The arguments of an act on a series. The button says which."""

    own = forms.CharField(required=False, max_length=200)
    address = forms.CharField(required=False, max_length=200)
    person = forms.CharField(required=False, max_length=MAX_KEY)
    other = forms.CharField(required=False, max_length=MAX_KEY)

    def arguments(self) -> Arguments:
        """Return the arguments of a valid form."""
        cleaned = self.cleaned_data
        slug = cleaned["address"].strip().rstrip("/").rpartition("/")[2] or cleaned["own"]
        return Arguments(slug, cleaned["person"], cleaned["other"])


class CategoryForm(forms.Form):
    """A part of the table: players of one category, of one club or of both."""

    category = forms.CharField(required=False, max_length=60)
    club = forms.CharField(required=False, max_length=60)
