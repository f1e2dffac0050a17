"""Rating lists that administrators upload."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.models import RatingList
from tournaments.models.rating_lists import ADDRESS_LENGTH, LIST_NAME_LENGTH

# Below the largest body that the front lets in.
MOST_BYTES = 15 * 1024 * 1024


class RatingListForm(forms.Form):
    """The name and the file of a list."""

    name = forms.CharField(
        label=_("Name of the list"),
        max_length=LIST_NAME_LENGTH,
        help_text=_("For example FIDE. A list of this name will be replaced."),
    )
    kind = forms.ChoiceField(
        label=_("Time control"),
        choices=RatingList.Kind.choices,
        help_text=_(
            "Rapid and blitz ratings of FIDE's combined file are stored as lists beside the standard one."
        ),
    )
    file = forms.FileField(label=_("File (text or XML of FIDE, CSV, or one of these as ZIP)"))

    def clean_file(self) -> UploadedFile:
        """Return the file, which is not in memory if it is large."""
        file = self.cleaned_data["file"]
        assert isinstance(file, UploadedFile)
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _(
                    "The file has more than 15 MB. Upload it as ZIP, or let the service download it from its address."
                )
            )
        return file


class RatingSourceForm(forms.Form):
    """The name and the address of a list."""

    name = forms.CharField(
        label=_("Name of the list"),
        max_length=LIST_NAME_LENGTH,
        help_text=_("For example FIDE. A list of this name will be replaced."),
    )
    kind = forms.ChoiceField(label=_("Time control"), choices=RatingList.Kind.choices)
    address = forms.CharField(
        label=_("Address of the file"),
        max_length=ADDRESS_LENGTH,
        help_text=_("It begins with https://. The service will download the file every day."),
    )
