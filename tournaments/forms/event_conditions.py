"""The part of an event's form about its dates, its entries, its byes and its clocks' start."""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.models.events import MAX_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_LOWEST, _HIGHEST = 100, 4000


class MomentField(forms.DateTimeField):
    """A moment as the browser's own field has it, in the zone that the form names."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - whatever a field takes
        super().__init__(
            required=False,
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
            **options,
        )


class ZonedForm(forms.Form):
    """A form with moments in the reader's time zone, which its script fills in; in UTC without one."""

    time_zone = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Take the moments for times of the zone."""
        cleaned = super().clean() or {}
        zone = _zone(cleaned.pop("time_zone", ""))
        for name, field in self.fields.items():
            moment: datetime | None = cleaned.get(name)
            if isinstance(field, MomentField) and moment is not None:
                cleaned[name] = moment.replace(tzinfo=zone)
        return cleaned


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo("UTC")


class ConditionsForm(ZonedForm):
    """Dates, entry conditions, byes, and when clocks start."""

    starts_at = MomentField(
        label=_("Starts at"),
        help_text=_("An automatic event starts then by itself; another shows the date."),
    )
    registration_closes_at = MomentField(label=_("Registration closes"))
    check_in_opens_at = MomentField(
        label=_("Check-in opens"),
        help_text=_("From then to the start players say that they are there; others do not play."),
    )
    min_rating = forms.IntegerField(
        label=_("Lowest rating"), required=False, min_value=_LOWEST, max_value=_HIGHEST
    )
    max_rating = forms.IntegerField(
        label=_("Highest rating"), required=False, min_value=_LOWEST, max_value=_HIGHEST
    )
    min_games = forms.IntegerField(
        label=_("Rated games at least"), required=False, min_value=0, max_value=1000
    )
    needs_approval = forms.BooleanField(label=_("You approve each entry"), required=False)
    has_waiting_list = forms.BooleanField(
        label=_("Waiting list"),
        required=False,
        help_text=_("When all places are taken; who waits longest gets the next place."),
    )
    access_code = forms.CharField(
        label=_("Access code"),
        required=False,
        max_length=40,
        help_text=_("Asked of everybody who enters; the invitation link contains it."),
    )
    is_private = forms.BooleanField(
        label=_("Private"),
        required=False,
        help_text=_("In no list, and seen only with the access code or by those who take part."),
    )
    keeps_clubs_apart = forms.BooleanField(
        label=_("Players of one club do not meet"), required=False
    )
    forbids_engine = forms.BooleanField(
        label=_("No engine for the players until the event is over"),
        required=False,
        help_text=_(
            "On pages of this site. During a game of their own they have none in any event."
        ),
    )
    most_half_byes = forms.IntegerField(
        label=_("Half-point byes per player"), required=False, min_value=0, max_value=MAX_ROUNDS
    )
    last_half_bye_round = forms.IntegerField(
        label=_("Last round with half-point byes"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
    )
    last_late_round = forms.IntegerField(
        label=_("Late entries until round"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_("Left empty: until half of the rounds are paired."),
    )
    start_mode = forms.ChoiceField(
        label=_("Clocks start"), choices=Event.Start.choices, required=False
    )
    grace_minutes = forms.IntegerField(
        label=_("Grace time in minutes"),
        required=False,
        min_value=1,
        max_value=7 * 24 * 60,
        help_text=_(
            "Who has not come to the board by then forfeits. Left empty, the clock decides."
        ),
    )

    @property
    def condition_fields(self) -> Iterable[forms.BoundField]:
        """The fields of this part, as far as the form has them."""
        return [self[name] for name in ConditionsForm.base_fields if name in self.fields]

    @staticmethod
    def conditions(cleaned: dict[str, Any]) -> dict[str, Any]:
        """The values of this part as a plan has them; they are taken out of `cleaned`."""
        low, high = cleaned.pop("min_rating", None), cleaned.pop("max_rating", None)
        minutes, most = cleaned.pop("grace_minutes", None), cleaned.pop("most_half_byes", None)
        moments = ("starts_at", "registration_closes_at", "check_in_opens_at")
        numbers = ("last_half_bye_round", "last_late_round")
        return {
            **{name: cleaned.pop(name, None) for name in (*moments, *numbers)},
            "min_centielo": None if low is None else 100 * low,
            "max_centielo": None if high is None else 100 * high,
            "grace_s": None if minutes is None else 60 * minutes,
            "most_half_byes": 1 if most is None else most,
            "min_games": cleaned.pop("min_games", None) or 0,
            "start_mode": cleaned.pop("start_mode", "") or Event.Start.PUBLICATION.value,
        }

    @staticmethod
    def initial_conditions(event: Event) -> dict[str, Any]:
        """The values of this part as the form shows those of `event`."""
        same = (
            *("starts_at", "registration_closes_at", "check_in_opens_at", "min_games"),
            *("needs_approval", "has_waiting_list", "access_code", "is_private"),
            *("keeps_clubs_apart", "forbids_engine", "most_half_byes"),
            *("last_half_bye_round", "last_late_round", "start_mode"),
        )
        return {
            **{name: getattr(event, name) for name in same},
            "min_rating": None if event.min_centielo is None else event.min_centielo // 100,
            "max_rating": None if event.max_centielo is None else event.max_centielo // 100,
            "grace_minutes": None if event.grace_s is None else event.grace_s // 60,
        }
