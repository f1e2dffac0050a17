"""Games: the game, its clock, and the moves."""

from __future__ import annotations

import contextlib

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models.games import Side
from tournaments.queries.clocks import vacation_days
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.text import rulesets

# Clocks in the spelling of `TimeControl.text`, by speed.
LIVE_CLOCKS = [
    ("180+2", _("Blitz: 3 min + 2 s")),
    ("300d3", _("Blitz: 5 min, 3 s delay")),
    ("300+5", _("Blitz: 5 min + 5 s")),
    ("600+10", _("Rapid: 10 min + 10 s")),
    ("900d10", _("Rapid: 15 min, 10 s delay")),
    ("1800+20", _("Standard: 30 min + 20 s")),
]
BANKS = [
    ("259200+43200<604800", _("3 days + 12 h per move (max 7 days)")),
    ("604800+86400<1209600", _("7 days + 1 day per move (max 14 days)")),
    ("864000+129600<864000", _("10 days + 36 h per move (max 10 days)")),
]
WITHOUT_CLOCK = [("unlimited", _("No clock, casual games only"))]
CLOCKS = [*LIVE_CLOCKS, *BANKS, *WITHOUT_CLOCK]

# No person could move a piece by hand in these.
CLOCKS_OF_BOTS = [
    ("10+0.1", _("10 seconds + 0.1")),
    ("60+0.6", _("1 minute + 0.6")),
]
_GROUPS_OF_EVENTS = [
    (_("Live"), LIVE_CLOCKS),
    (_("Correspondence"), BANKS),
    (_("For bots alone"), CLOCKS_OF_BOTS),
]


class ClockField(forms.ChoiceField):
    """One of the clocks on offer. It cleans to a `Clock`."""

    def __init__(self) -> None:
        super().__init__(choices=CLOCKS, initial="600+10", label=_("Clock"))

    def clean(self, value: object) -> Clock:
        return Clock.read(str(super().clean(value)))


class EventClockField(ClockField):
    """One of the clocks of an event: those for people, and shorter ones for bots."""

    def __init__(self) -> None:
        super().__init__()
        self.choices = _GROUPS_OF_EVENTS

    def offer(self, text: str) -> None:
        """Offer a clock that is not on the menu. An invalid clock is not offered."""
        if not text or self.valid_value(text):
            return
        with contextlib.suppress(RefusedError):
            custom = (_("Custom"), [(text, Clock.read(text).text())])
            self.choices = [*_GROUPS_OF_EVENTS, custom]


class MeasuredField(forms.CharField):
    """Milliseconds measured by a page. Any other text counts as no measurement."""

    def clean(self, value: object) -> int | None:
        text = str(value or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else None


class RulesetField(forms.ChoiceField):
    """A rule set of the menus, or any other that `games` knows. It cleans to its key."""

    def __init__(self) -> None:
        super().__init__(label=_("Game"), choices=rulesets.ruleset_choices)
        self._special: tuple[str, list[tuple[str, str]]] | None = None

    def valid_value(self, value: object) -> bool:
        return rulesets.canonical_key(str(value)) is not None

    def offer(self, key: str) -> None:
        """Put a rule set that is not on the menus at the head of the choices."""
        canonical = rulesets.canonical_key(key)
        offered = rulesets.ruleset_choices()
        if canonical and all(canonical != each for _group, keys in offered for each, _name in keys):
            self._special = (str(_("Custom")), [(canonical, rulesets.ruleset_name(canonical))])
            self.choices = self.groups()

    @property
    def has_special(self) -> bool:
        """Return whether a rule set that is not on the menus is offered."""
        return self._special is not None

    def groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the choices by game, after the special rule set if there is one."""
        offered = rulesets.ruleset_choices()
        return offered if self._special is None else [self._special, *offered]


class SideField(forms.ChoiceField):
    """The first player as the challenger wishes, or empty for a random choice."""

    def __init__(self) -> None:
        super().__init__(
            label=_("First move"),
            required=False,
            choices=[
                ("", _("random")),
                (Side.FIRST, _("me")),
                (Side.SECOND, _("my opponent")),
            ],
        )


class RulesetForm(forms.Form):
    """Begins with a game to choose."""

    ruleset = RulesetField()

    def offer(self, ruleset: str) -> None:
        """Offer `ruleset` as a choice, whether the menus have it or not."""
        field = self.fields["ruleset"]
        assert isinstance(field, RulesetField)
        field.offer(ruleset)


class MoveForm(forms.Form):
    """A move as the page or a person sends it. The rules decide on its meaning."""

    move = forms.CharField(max_length=4096, strip=True)
    ply = forms.IntegerField(min_value=0, max_value=100_000)
    # The attempt at the ply that the player saw, because some plies were taken back.
    attempt = forms.IntegerField(required=False, min_value=1, max_value=100_000)
    thought_ms = MeasuredField(required=False)
    client_key = forms.CharField(required=False, max_length=40)


class VacationForm(forms.Form):
    """The length of an absence."""

    days = forms.IntegerField(
        label=_("Days"),
        min_value=1,
        max_value=vacation_days.BUDGET_DAYS,
        initial=7,
        help_text=_("Whole days, from now on. You can come back sooner."),
    )


class PasteForm(forms.Form):
    text = forms.CharField(
        label=_("Position or record"),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=_("A position as one line, a record as text, or a record as JSON."),
    )
    ruleset = RulesetField()
