"""Applications of others: their descriptions."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models.oauth import ADDRESS_LENGTH, NAME_LENGTH


class ApplicationForm(forms.Form):
    """The description of an application."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    homepage = forms.CharField(
        label=_("Home page"),
        max_length=ADDRESS_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )
    redirect_uris = forms.CharField(
        label=_("Redirect addresses"),
        max_length=10 * ADDRESS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_(
            "One a line: https, or http://127.0.0.1 for a program on the user's own machine, where any port may follow."
        ),
    )

    def clean_redirect_uris(self) -> list[str]:
        """Return the lines that are not empty."""
        text: str = self.cleaned_data["redirect_uris"]
        return [line.strip() for line in text.splitlines() if line.strip()]


class NewApplicationForm(ApplicationForm):
    """A new application."""

    is_confidential = forms.BooleanField(
        label=_("It runs on a server and keeps a secret"),
        required=False,
        help_text=_("Leave this empty for a program in a browser, on a telephone or on a desktop."),
    )
