"""Bots that authors upload."""

from __future__ import annotations

import secrets

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

import games
from tournaments.services.bots import programs, versions
from tournaments.text import rulesets


def family_choices() -> list[tuple[str, str]]:
    """The games that a bot may play, by their families."""
    return [(family.name, str(rulesets.family_name(family.name))) for family in games.available()]


def _key() -> str:
    return secrets.token_urlsafe(18)


class VersionForm(forms.Form):
    """A version of a bot: the file, and its purpose."""

    file = forms.FileField(
        label=_("Program"),
        max_length=200,
        allow_empty_file=True,
        help_text=format_lazy(
            _(
                "Python as main.py or a .zip with main.py in it, one file of another language ({languages}), or a .wasm module. 5 MB at most, or 8 MiB for a module."
            ),
            languages=", ".join(
                f"{language} {suffix}" for suffix, language in programs.LANGUAGES.items()
            ),
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ",".join(programs.SUFFIXES)}),
    )
    families = forms.MultipleChoiceField(
        label=_("It plays"),
        choices=family_choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("It is checked in these games and plays no others."),
    )
    note = forms.CharField(
        label=_("Changes"),
        required=False,
        max_length=300,
        help_text=_("Visible to everyone."),
    )
    takes_over = forms.BooleanField(
        label=_("Activate it as soon as it passes its check"), required=False, initial=True
    )
    passes_on = forms.BooleanField(
        label=_("It replaces the previous version in running arenas and ladders"),
        required=False,
        initial=True,
    )
    key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput, initial=_key)

    def clean_file(self) -> UploadedFile:
        """Return the file as it came. Its bytes are read only if the file is not too large."""
        file = self.cleaned_data["file"]
        assert isinstance(file, UploadedFile)
        if (file.size or 0) > programs.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                _("The file is too large: 5 MB at most, or 8 MiB for a .wasm module.")
            )
        return file

    @property
    def upload(self) -> versions.Upload:
        """Return the upload of a valid form."""
        data = self.cleaned_data
        return versions.Upload(
            data=data["file"].read(),
            filename=data["file"].name,
            families=data["families"],
            note=data["note"],
            takes_over=data["takes_over"],
            passes_on=data["passes_on"],
            key=data["key"] or None,
        )


class BotForm(VersionForm):
    """A new bot with its first version."""

    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=versions.LINE_NAME_LENGTH,
        help_text=_("Versions are called after it: Nilo 1, Nilo 2."),
    )
    description = forms.CharField(label=_("Description"), required=False, max_length=300)

    field_order = ["name", "description", "file", "families", "note", "takes_over", "key"]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passed on as they came
        # There is no version before.
        del self.fields["passes_on"], self.fields["note"]

    @property
    def upload(self) -> versions.Upload:
        """See `VersionForm`."""
        self.cleaned_data |= {"passes_on": False, "note": ""}
        return super().upload


class RemoteGamesForm(forms.Form):
    """The games that a remote bot plays."""

    families = forms.MultipleChoiceField(
        label=_("It plays"), choices=family_choices, widget=forms.CheckboxSelectMultiple
    )


class RemoteBotForm(RemoteGamesForm):
    """A new remote bot."""

    name = forms.CharField(label=_("Name"), min_length=2, max_length=versions.LINE_NAME_LENGTH)
    description = forms.CharField(label=_("Description"), required=False, max_length=300)

    field_order = ["name", "description"]
