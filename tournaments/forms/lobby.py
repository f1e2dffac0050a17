"""The lobby: one choice of game, clock, side and rating, for all kinds of opponents."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from tournaments.forms.games import (
    BANKS,
    LIVE_CLOCKS,
    WITHOUT_CLOCK,
    ClockField,
    RulesetForm,
    SideField,
)
from tournaments.models import Study
from tournaments.models.players import NAME_LENGTH
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.text import rulesets

CUSTOM = "custom"
MAX_MINUTES = 180
MAX_INCREMENT_S = 180


class PlayClockField(ClockField):
    """A clock of the list, no clock, or a custom clock. It cleans to None for a custom clock."""

    def __init__(self) -> None:
        super().__init__()
        self.choices = [
            (_("Live"), LIVE_CLOCKS),
            (_("Correspondence"), BANKS),
            (_("Others"), [*WITHOUT_CLOCK, (CUSTOM, _("Custom clock, casual games only"))]),
        ]

    def clean(self, value: object) -> Clock | None:  # type: ignore[override]  # None: see the class
        return None if value == CUSTOM else super().clean(value)


class PlayForm(RulesetForm):
    """A choice of game and opponent. Fields that a button does not need remain empty."""

    clock = PlayClockField()
    minutes = forms.IntegerField(
        label=_("Minutes"),
        required=False,
        initial=20,
        widget=forms.NumberInput(attrs={"min": 1, "max": MAX_MINUTES}),
    )
    increment_s = forms.IntegerField(
        label=_("Seconds per move"),
        required=False,
        initial=15,
        widget=forms.NumberInput(attrs={"min": 0, "max": MAX_INCREMENT_S}),
    )
    side = SideField()
    is_rated = forms.BooleanField(label=_("Rated"), required=False)
    # A level's button sends it.
    bot = forms.CharField(required=False, max_length=NAME_LENGTH)
    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=NAME_LENGTH,
        help_text=_("A player's or bot's name. Leave empty to let anyone accept."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    vote = forms.ChoiceField(
        label=_("Secret vote on the set-up"),
        required=False,
        choices=lambda: [("", _("no vote")), *rulesets.all_votes()],
        help_text=lazy(rulesets.vote_explanations, str)(),
    )
    seats = forms.ChoiceField(
        label=_("Seats for"),
        required=False,
        choices=[("mine", _("me and a friend")), ("others", _("two other players"))],
    )

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - as Django's
        is_guest: bool = False,
        study: Study | None = None,
        **kwargs: Any,  # noqa: ANN401 - as Django's
    ) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        if study is not None:
            # A game from a position has the rules of its study, and is casual.
            self.fields["ruleset"].disabled = True
            self.initial["ruleset"] = study.ruleset
            for name in ("is_rated", "vote"):
                self.fields.pop(name, None)
        if is_guest:
            # Guests play casual games with opponents whom they need not ask.
            for name in ("is_rated", "opponent", "vote"):
                self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        is_custom = data.get("clock") is None and "clock" not in self.errors
        self._clean_figures(data, is_custom=is_custom)
        is_listed = not is_custom and not (data.get("clock") and data["clock"].kind.is_unlimited)
        if data.get("is_rated") and not is_listed:
            self.add_error(
                "is_rated", _("A rated game has a clock of the list. Choose one, or untick Rated.")
            )
        data["seats"] = data.get("seats") or "mine"
        if data["seats"] == "others":
            data["side"] = ""  # a host who does not play has no side
        return data

    def _clean_figures(self, data: dict[str, Any], *, is_custom: bool) -> None:
        """Make the custom clock from its figures, which otherwise are ignored."""
        if not is_custom:
            for name in ("minutes", "increment_s"):
                self.errors.pop(name, None)
            return
        minutes, increment_s = data.get("minutes"), data.get("increment_s")
        if minutes is None or not 1 <= minutes <= MAX_MINUTES:
            self._refuse("minutes", _("A clock of your own has 1 to 180 minutes."))
        if increment_s is None or not 0 <= increment_s <= MAX_INCREMENT_S:
            self._refuse("increment_s", _("A clock of your own adds 0 to 180 seconds."))
        if not self.errors and minutes is not None and increment_s is not None:
            data["clock"] = Clock(minutes * 60_000, increment_s * 1_000)

    def _refuse(self, name: str, sentence: Any) -> None:  # noqa: ANN401 - a lazy translation
        if name not in self.errors:
            self.add_error(name, sentence)


class QuickForm(PlayForm):
    """A choice of game by a player who waits for any opponent, with one of the popular clocks."""

    def clean(self) -> dict[str, Any]:
        is_custom = "clock" in self.cleaned_data and self.cleaned_data["clock"] is None
        data = super().clean()
        clock = data.get("clock")
        if is_custom or (clock and clock.kind.is_unlimited):
            self.add_error("clock", _("For quick pairing choose a live or correspondence clock."))
        return data
