"""Who one is."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import NAME_LENGTH


class SignUpForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=NAME_LENGTH,
        help_text=_("What other players see: letters, digits, spaces and - _ . '"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        help_text=_("At least eight characters; not a common password."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
