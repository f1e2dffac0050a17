"""The permissions that an author gives others for a bot."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models import BotConsent, Event
from tournaments.models.consents import LEAST_CLOCK_MS, MAX_GAMES
from tournaments.queries.clocks.game_clocks import MAX_CLOCK_MS
from tournaments.services.accounts.bot_consents import Consent
from tournaments.text import rulesets

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_LONGEST_NAMES = 2_000
# Names of the fields that are shown in seconds.
_CLOCK_FIELDS = ("least", "most", "least_increment", "most_increment")


def _boards() -> list[tuple[str, str]]:
    return [choice for _group, choices in rulesets.ruleset_choices() for choice in choices]


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


class SecondsField(forms.DecimalField):
    """A part of a clock in seconds, to a thousandth. It cleans to milliseconds."""

    def __init__(self, label: _StrPromise, *, least_ms: int, help_text: _StrPromise) -> None:
        super().__init__(
            label=label,
            min_value=least_ms / 1000,
            max_value=MAX_CLOCK_MS // 1000,
            decimal_places=3,
            help_text=help_text,
        )

    def clean(self, value: object) -> int:
        """The milliseconds of a valid number of seconds."""
        seconds: Decimal = super().clean(value)
        return round(1000 * seconds)


class ConsentForm(forms.Form):
    """The games and events that others may begin with a bot."""

    takes_rated = forms.BooleanField(label=_("Others may begin rated games"), required=False)
    takes_casual = forms.BooleanField(label=_("Others may begin casual games"), required=False)
    takes_matches = forms.BooleanField(
        label=_("Other authors may play matches and gauntlets against it"),
        required=False,
        help_text=_("They are not rated."),
    )
    lends_modules = forms.BooleanField(
        label=_("Volunteers' machines get its module"),
        required=False,
        help_text=_(
            "Then they can play its matches under fuel. Volunteers can copy the module, so leave this off for a secret one."
        ),
    )
    opponents = forms.ChoiceField(label=_("Opponents"), choices=BotConsent.Opponents.choices)
    least = SecondsField(
        _("Shortest clock"), least_ms=LEAST_CLOCK_MS, help_text=_("Seconds at the start.")
    )
    most = SecondsField(
        _("Longest clock"), least_ms=LEAST_CLOCK_MS, help_text=_("Seconds at the start.")
    )
    least_increment = SecondsField(_("Least increment"), least_ms=0, help_text=_("Seconds a move."))
    most_increment = SecondsField(_("Most increment"), least_ms=0, help_text=_("Seconds a move."))
    takes_unlimited = forms.BooleanField(label=_("It plays without a clock too"), required=False)
    max_games = forms.IntegerField(label=_("Simultaneous games"), min_value=1, max_value=MAX_GAMES)
    open_formats = forms.MultipleChoiceField(
        label=_("Events of others that may enter it without asking"),
        choices=Event.Format.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    takes_requests = forms.BooleanField(
        label=_("Organisers of other events may ask me"), required=False
    )
    rulesets = forms.MultipleChoiceField(
        label=_("Boards"),
        choices=_boards,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Leave this empty to allow every board of its games."),
    )
    refused_accounts = forms.CharField(
        label=_("Not with these accounts"),
        required=False,
        max_length=_LONGEST_NAMES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("Names, one a line. Their bots are meant too."),
    )

    @classmethod
    def of(cls, consent: Consent, data: QueryDict | None = None) -> ConsentForm:
        """Return the form with the current permissions."""
        initial: dict[str, object] = {name: getattr(consent, name) for name in Consent.__slots__}
        initial |= {name: _seconds(getattr(consent, f"{name}_ms")) for name in _CLOCK_FIELDS}
        initial["refused_accounts"] = "\n".join(consent.refused_accounts)
        form = cls(data, initial=initial)
        field = form.fields["rulesets"]
        assert isinstance(field, forms.MultipleChoiceField)
        known = _boards()
        others = [key for key in consent.rulesets if key not in dict(known)]
        field.choices = [*known, *((key, rulesets.ruleset_name(key)) for key in others)]
        return form

    @property
    def consent(self) -> Consent:
        """Return the choices of a valid form."""
        data = dict(self.cleaned_data)
        clocks_ms = {f"{name}_ms": data.pop(name) for name in _CLOCK_FIELDS}
        names = [name.strip() for name in data.pop("refused_accounts").splitlines()]
        return Consent(**data, **clocks_ms, refused_accounts=tuple(name for name in names if name))
