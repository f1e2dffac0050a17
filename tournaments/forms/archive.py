"""Searches for finished games and for players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import games
from tournaments.models import Player
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.records import archive
from tournaments.text import rulesets

_RESULTS = [
    ("", _("any")),
    ("won", _("won by the player")),
    ("lost", _("lost by the player")),
    ("draw", _("draw")),
    ("first", _("first player won")),
    ("second", _("second player won")),
]


class ArchiveForm(forms.Form):
    """A search of finished games. `search()` returns the query."""

    family = forms.ChoiceField(label=_("Game"), required=False)
    size = forms.IntegerField(label=_("Board size"), min_value=1, max_value=99, required=False)
    player = forms.CharField(label=_("Player"), max_length=NAME_LENGTH, required=False)
    opponent = forms.CharField(label=_("Opponent"), max_length=NAME_LENGTH, required=False)
    result = forms.ChoiceField(label=_("Result"), choices=_RESULTS, required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    only_rated = forms.BooleanField(label=_("Rated games only"), required=False)
    before = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - of Django
        super().__init__(*args, **kwargs)
        families = [(f.name, rulesets.family_name(f.name)) for f in games.available()]
        self.fields["family"].choices = [("", _("any")), *families]  # type: ignore[attr-defined]

    def clean_player(self) -> Player | None:
        return self._player("player")

    def clean_opponent(self) -> Player | None:
        return self._player("opponent")

    def _player(self, field: str) -> Player | None:
        name = str(self.cleaned_data[field])
        player = archive.player_named(name) if name else None
        if name and player is None:
            raise forms.ValidationError(_("No player has this name."))
        return player

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = self.cleaned_data
        of_player = data.get("result") in {"won", "lost"}
        if of_player and not self.errors and data["player"] is None:
            self.add_error("player", _("Name the player who won or lost."))
        since, until = data.get("since"), data.get("until")
        if since and until and until < since:
            self.add_error("until", _("This day comes before the first."))
        return data

    def search(self) -> archive.Search:
        """Return the query of a valid form."""
        data = {name: value for name, value in self.cleaned_data.items() if name != "before"}
        return archive.Search(**data)
