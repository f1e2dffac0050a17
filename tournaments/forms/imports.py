"""A foreign event's FIDE report, and the organiser's choices for it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import trf
from tournaments.forms.games import RulesetField
from tournaments.models.events import MAX_ROUNDS
from tournaments.services.arbiter.report_import import ImportChoice

MAX_CHARACTERS = 1_000_000
GO_ON, KEEP = "go-on", "keep"


class ReportForm(forms.Form):
    """The report as a file or as text, its game, and the choice for the event."""

    upload = forms.FileField(label=_("TRF file"), required=False)
    text = forms.CharField(
        label=_("Or its text"),
        required=False,
        max_length=MAX_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    ruleset = RulesetField()
    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=80,
        help_text=_("Leave it empty for the name in the file."),
    )
    rounds_total = forms.IntegerField(
        label=_("Number of rounds"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_(
            "Leave it empty for the number in the file. Reports of finished events lack it."
        ),
    )
    future = forms.ChoiceField(
        label=_("The event"),
        choices=[
            (GO_ON, _("continues here at its next round")),
            (KEEP, _("is over, and kept with its results")),
        ],
        initial=GO_ON,
    )

    def clean(self) -> dict[str, Any]:
        """The text of the file, whichever way it came, is in `text`."""
        cleaned = super().clean() or {}
        upload = cleaned.get("upload")
        if upload is not None and upload.size > MAX_CHARACTERS:
            self.add_error("upload", _("The file is too large: 1 MB at most."))
        elif upload is not None:
            cleaned["text"] = trf.decoded(upload.read())
        if not cleaned.get("text", "").strip() and not self.errors:
            self.add_error("upload", _("Choose a file, or paste its text."))
        return cleaned

    def choice(self, foreign_name: str) -> ImportChoice:
        """Return the organiser's decisions. `foreign_name` is the name of the file."""
        cleaned = self.cleaned_data
        return ImportChoice(
            name=cleaned["name"] or foreign_name,
            ruleset=cleaned["ruleset"],
            goes_on=cleaned["future"] == GO_ON,
            rounds_total=cleaned["rounds_total"],
        )
