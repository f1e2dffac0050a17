"""Webhooks: the address, the kinds of news, and the switch."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.accounts import PasswordForm
from tournaments.models.webhooks import ADDRESS_LENGTH
from tournaments.services.notifications import kinds


class _KindsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label=_("Kinds of news"),
        required=False,
        choices=lambda: [(code, code) for code in kinds.codes_of_accounts()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All news of your account if you choose none."),
    )


class WebhookForm(_KindsForm):
    """A change of a webhook."""

    is_active = forms.BooleanField(label=_("Send news to this address"), required=False)


class NewWebhookForm(_KindsForm, PasswordForm):
    """A new webhook."""

    address = forms.CharField(
        label=_("Address"),
        max_length=ADDRESS_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )

    field_order = ("address", "kinds", "password")
