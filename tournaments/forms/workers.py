"""The form of a volunteer's machine."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models.volunteers import MAX_PROCESSES
from tournaments.services.volunteers.enrolment import Description


class WorkerForm(forms.Form):
    """A machine that an account enrols."""

    name = forms.CharField(
        label=_("Name of the machine"),
        max_length=60,
        help_text=_("Everybody sees it. The command gets the same name."),
    )
    processes = forms.IntegerField(
        label=_("Simultaneous matches"), min_value=1, max_value=MAX_PROCESSES, initial=1
    )

    @property
    def description(self) -> Description:
        """Return the machine of a valid form."""
        return Description(self.cleaned_data["name"], processes=self.cleaned_data["processes"])
