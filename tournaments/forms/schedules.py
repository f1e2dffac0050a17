"""A schedule: the settings of its events, their days and their time."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from tournaments.forms.games import EventClockField, RulesetField
from tournaments.models import Event, Schedule
from tournaments.models.events import MAX_ROUNDS
from tournaments.models.schedules import MAX_FIELD, MAX_OPEN_H, NAME_LENGTH, ZONE_LENGTH
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events.plans import EventPlan
from tournaments.services.rounds.schedules import Timetable

_MINUTE_S = 60
_MAX_MINUTES = 24 * 60
_SAME = (
    "name",
    "ruleset",
    "format",
    "is_rated",
    "time_of_day",
    "zone",
    "field_size",
    "opens_before_h",
)


class ScheduleForm(forms.Form):
    """The fields of a schedule."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        help_text=_("The name of an event will have the day behind it."),
    )
    ruleset = RulesetField()
    format = forms.ChoiceField(
        label=_("Format"),
        choices=[
            (each.value, each.label)
            for each in Event.Format
            if not (each.is_of_teams or formats.FORMATS[each].bots_only)
        ],
        initial=Event.Format.ARENA.value,
    )
    clock = EventClockField()
    duration_minutes = forms.IntegerField(
        label=_("Duration of an arena in minutes"),
        min_value=1,
        max_value=_MAX_MINUTES,
        initial=60,
    )
    rounds_total = forms.IntegerField(
        label=_("Rounds of other formats"), min_value=1, max_value=MAX_ROUNDS, initial=5
    )
    is_rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Days of the week"),
        choices=list(WEEKDAYS.items()),
        coerce=int,
        initial=list(WEEKDAYS),
        widget=forms.CheckboxSelectMultiple,
    )
    time_of_day = forms.TimeField(
        label=_("Start"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    zone = forms.CharField(
        label=_("Time zone"),
        max_length=ZONE_LENGTH,
        initial="UTC",
        help_text=_("For example Europe/Madrid. The time of day stays when the clocks change."),
    )
    field_size = forms.IntegerField(
        label=_("Bots fill up to this number of players"),
        min_value=0,
        max_value=MAX_FIELD,
        initial=8,
        help_text=_("0 for no bots."),
    )
    opens_before_h = forms.IntegerField(
        label=_("Registration opens, hours before the start"),
        min_value=1,
        max_value=MAX_OPEN_H,
        initial=24,
    )

    def __init__(self, data: QueryDict | None = None, *, schedule: Schedule | None = None) -> None:
        super().__init__(data, initial=_values(schedule) if schedule is not None else None)
        if schedule is not None:
            clock, ruleset = self.fields["clock"], self.fields["ruleset"]
            assert isinstance(clock, EventClockField)
            assert isinstance(ruleset, RulesetField)
            clock.offer(game_clocks.clock_of(schedule).text())
            ruleset.offer(schedule.ruleset)

    def plan(self) -> EventPlan:
        """Return the settings of the events of a valid form."""
        cleaned = self.cleaned_data
        is_continuous = formats.FORMATS[cleaned["format"]].is_continuous
        return EventPlan(
            **{name: cleaned[name] for name in ("name", "ruleset", "format", "clock", "is_rated")},
            rounds_total=cleaned["rounds_total"],
            duration_s=cleaned["duration_minutes"] * _MINUTE_S if is_continuous else 0,
            admits=Event.Admits.BOTH,
        )

    def timetable(self) -> Timetable:
        """Return the days, the time and the bots of a valid form."""
        names = ("time_of_day", "zone", "field_size", "opens_before_h")
        weekdays = sum(1 << day for day in set(self.cleaned_data["weekdays"]))
        return Timetable(**{name: self.cleaned_data[name] for name in names}, weekdays=weekdays)


def _values(schedule: Schedule) -> dict[str, object]:
    """Return the values of the fields of a schedule."""
    return {name: getattr(schedule, name) for name in _SAME} | {
        "clock": game_clocks.clock_of(schedule).text(),
        "duration_minutes": schedule.duration_s // _MINUTE_S or 60,
        "rounds_total": schedule.rounds_total or 5,
        "weekdays": [day for day in WEEKDAYS if schedule.weekdays >> day & 1],
    }
