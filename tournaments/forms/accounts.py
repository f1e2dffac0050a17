"""Accounts: sign-up, sign-in, and passwords."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import forms as auth_forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.errors import RefusedError
from tournaments.models import BotLine, Scope, User
from tournaments.models.introductions import INTRODUCTION_LENGTH
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.queries.accounts import devices
from tournaments.services import security
from tournaments.services.accounts import passwords, throttles, tokens
from tournaments.text import refusals

_PASSWORD_HELP = _("At least twelve characters. No common password.")


class _FocusOnPassword(forms.Form):
    """A form of a name and a password that focuses the field to type again.

    A password is never sent back. Unless the name is refused, the focus is on the password.
    """

    name_field = "name"

    def add_error(self, field: Any, error: Any) -> None:  # noqa: ANN401 - as Django's
        super().add_error(field, error)
        is_name_refused = self.name_field in self.errors
        self.fields[self.name_field].widget.attrs["autofocus"] = is_name_refused
        self.fields["password"].widget.attrs["autofocus"] = not is_name_refused


class SignUpForm(_FocusOnPassword):
    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=NAME_LENGTH,
        help_text=_("Name for other players: letters, digits, spaces and - _ . '"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        help_text=_PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class ThrottledSignInForm(auth_forms.AuthenticationForm):
    """Django's form with a limit on wrong passwords, by name and by network, or by a known browser."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return super().clean()
        assert self.request is not None, "the view gives it"
        account = User.objects.filter(username=name).first()
        cookie = self.request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
        device = devices.known(account, cookie) if account is not None else ""
        attempt = throttles.sign_in(name, self.request.META.get("REMOTE_ADDR", ""), device=device)
        try:
            cleaned_data = super().clean()
        except ValidationError:
            attempt.fail(security.SIGN_IN_FAILED, account)
            raise
        attempt.forgive()
        return cleaned_data


class SignInForm(_FocusOnPassword, ThrottledSignInForm):
    """Sign in by the name others see, however it is capitalised."""

    name_field = "username"
    error_messages = {
        **auth_forms.AuthenticationForm.error_messages,
        "invalid_login": _("The name or the password is wrong. Passwords are case-sensitive."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django's
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")

    def clean_username(self) -> str:
        """Return the name of the account: `createsuperuser` keeps capitals, and a player's name has no capitals."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username=name).exists():
            return name
        return canonical_name(name)


class PasswordForm(forms.Form):
    """One's password again, before something that a thief of the session must not do."""

    password = forms.CharField(
        label=_("Your password"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class IntroductionForm(forms.Form):
    """A person's line about themselves, and the federation."""

    text = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=INTRODUCTION_LENGTH,
        help_text=_("One line on your page, with up to 200 characters. Everyone can read it."),
    )
    federation = forms.CharField(
        label=_("Federation"),
        required=False,
        max_length=3,
        help_text=_("A code of three letters, such as ESP. Left empty, your page shows none."),
        widget=forms.TextInput(attrs={"autocapitalize": "characters", "autocomplete": "off"}),
    )


class CodeForm(forms.Form):
    """A code of the second factor."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}
        ),
    )


class FactorForm(PasswordForm):
    """The form that turns the second factor on and off."""

    code = forms.CharField(
        label=_("Code of the app"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none"}),
    )


# A bot's token is made with the bot.
_WITHHELD = {Scope.BOTS_PLAY, Scope.MODERATE}


class TokenForm(PasswordForm):
    """A new access token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("Purpose, such as “my bot at home”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions of the token"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Public data may be read without a token."),
    )
    days = forms.TypedChoiceField(
        label=_("Duration"),
        coerce=int,
        initial=90,
        choices=lambda: [
            (days, ngettext("%(n)d day", "%(n)d days", days) % {"n": days}) for days in tokens.DAYS
        ],
    )

    line = forms.ModelChoiceField(
        BotLine.objects.none(),
        label=_("Plays as"),
        required=False,
        empty_label=_("you"),
        help_text=_("A token of a remote bot acts as that bot only."),
    )

    field_order = ("name", "line", "scopes", "days", "password")

    def __init__(
        self, owner: User, data: QueryDict | None = None, *, initial: dict[str, str] | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        withheld = {Scope.BOTS_PLAY} if tokens.may_moderate(owner) else _WITHHELD
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]  # it is of that class
            each for each in Scope.choices if each[0] not in withheld
        ]
        own = BotLine.objects.filter(owner=owner, versions__remote__isnull=False)
        self.fields["line"].queryset = own  # type: ignore[attr-defined]  # it is of that class
        if not own.exists():
            del self.fields["line"]

    def clean(self) -> dict[str, Any]:
        """Give a bot's token the scope that plays."""
        cleaned = super().clean() or {}
        if cleaned.get("line") and not cleaned.get("scopes"):
            cleaned["scopes"] = [Scope.BOTS_PLAY.value]
        return cleaned


class PasswordChangeForm(auth_forms.PasswordChangeForm):
    """Django's form with a limit on wrong passwords."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django's
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = _PASSWORD_HELP

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        try:
            passwords.require(self.user, password)
        except RefusedError as refusal:
            raise ValidationError(refusals.sentence(refusal), code=refusal.code) from refusal
        return password

    @transaction.atomic
    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        security.note(security.PASSWORD_CHANGE, user)
        return user


class PasswordSetForm(auth_forms.SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as Django's
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = _PASSWORD_HELP

    @transaction.atomic
    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        security.note(security.PASSWORD_RESET, user)
        return user


class PasswordResetForm(forms.Form):
    """The address to which a reset link goes, if it is the confirmed one of an account."""

    email = forms.EmailField(
        label=_("Your e-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
    )
