"""Searches by authors for the games of a version."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import games
from tournaments.models import Bot, Event, Game
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.bots.bot_games import BotResult, BotSearch
from tournaments.text import rulesets

_RESULTS = [
    ("", _("any")),
    (BotResult.WON, _("won")),
    (BotResult.LOST, _("lost")),
    (BotResult.DRAWN, _("drawn")),
    (BotResult.VOID, _("not counted")),
    (BotResult.GOING_ON, _("in progress")),
]
_FAILED = "failed"


class BotGamesForm(forms.Form):
    """A search of the games of one version. `search()` returns the query."""

    opponent = forms.CharField(
        label=_("Opponent"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("A part of the name."),
    )
    result = forms.ChoiceField(label=_("Result"), choices=_RESULTS, required=False)
    ending = forms.ChoiceField(label=_("Ended"), required=False)
    event = forms.ModelChoiceField(
        label=_("Event"),
        queryset=Event.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("any"),
    )
    family = forms.ChoiceField(label=_("Game"), required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    before = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:  # noqa: ANN401 - of Django
        super().__init__(*args, **kwargs)
        families = [(f.name, rulesets.family_name(f.name)) for f in games.available()]
        failed = (_FAILED, _("any failure of the bot"))
        self.fields["family"].choices = [("", _("any")), *families]  # type: ignore[attr-defined]
        self.fields["ending"].choices = [("", _("any")), failed, *Game.Ending.choices]  # type: ignore[attr-defined]
        events = Event.objects.filter(entries__player=bot.player).order_by("-created_at")
        self.fields["event"].queryset = events  # type: ignore[attr-defined]

    def search(self) -> BotSearch:
        """Return the query of a valid form."""
        data = self.cleaned_data
        has_failed = data["ending"] == _FAILED
        return BotSearch(
            opponent=data["opponent"],
            result=BotResult(data["result"]) if data["result"] else None,
            ending="" if has_failed else data["ending"],
            has_failed=has_failed,
            event=data["event"],
            family=data["family"],
            since=data["since"],
            until=data["until"],
        )


class ComparisonForm(forms.Form):
    """Two versions of a line."""

    one = forms.ModelChoiceField(label=_("Version"), queryset=Bot.objects.none())
    other = forms.ModelChoiceField(label=_("Against"), queryset=Bot.objects.none())

    def __init__(self, *args: Any, line_id: int, **kwargs: Any) -> None:  # noqa: ANN401 - of Django
        super().__init__(*args, **kwargs)
        versions = Bot.objects.filter(line=line_id).select_related("player").order_by("-version")
        for name in ("one", "other"):
            self.fields[name].queryset = versions  # type: ignore[attr-defined]
