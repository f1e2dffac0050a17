"""Webhooks: the address, the kinds of news, and the switch."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.accounts import PasswordForm
from tournaments.models import Event, EventTopic
from tournaments.models.webhooks import ADDRESS_LENGTH
from tournaments.services.notifications import kinds


class _KindsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label=_("Kinds of news"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All news of your account if you choose none."),
    )

    def __init__(self, *args: Any, event: Event | None = None, **kwargs: Any) -> None:  # noqa: ANN401 - of Django's forms
        super().__init__(*args, **kwargs)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)
        if event is None:
            field.choices = [(code, code) for code in kinds.codes_of_accounts()]
        else:
            field.choices = EventTopic.choices
            field.label = _("Topics")
            field.help_text = _("All topics of the event if you choose none.")


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
