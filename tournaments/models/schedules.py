"""Schedules: events that the service itself creates, starts and ends on days of the week."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.db.models import Q

from tournaments.models.events import Event
from tournaments.models.timing import Timed, clock_constraints

# The name of an event has the day behind it.
NAME_LENGTH = 60
ZONE_LENGTH = 64
MAX_FIELD = 32
MAX_OPEN_H = 14 * 24
_ALL_DAYS = 127


class Schedule(Timed):
    """The settings of events that recur, and their days, their time and their bots."""

    name = models.CharField(max_length=NAME_LENGTH)
    ruleset = models.CharField(max_length=120)
    format = models.CharField(max_length=16, choices=Event.Format.choices)
    # As in events: 0 rounds in formats without common rounds, 0 seconds in the others.
    rounds_total = models.PositiveSmallIntegerField()
    duration_s = models.PositiveIntegerField(default=0)
    is_rated = models.BooleanField(default=True)
    time_of_day = models.TimeField()
    # A name of the IANA database.
    zone = models.CharField(max_length=ZONE_LENGTH)
    # A bit for each day of the week, the lowest for Monday.
    weekdays = models.PositiveSmallIntegerField()
    # Bots fill the field up to this number of players. 0 for no bots.
    field_size = models.PositiveSmallIntegerField()
    # The event is created this long before its start.
    opens_before_h = models.PositiveSmallIntegerField()
    paused_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=NAME_LENGTH),
                name="schedule_has_a_name",
            ),
            models.CheckConstraint(
                condition=Q(weekdays__gte=1, weekdays__lte=_ALL_DAYS), name="schedule_has_days"
            ),
            models.CheckConstraint(
                condition=Q(field_size__lte=MAX_FIELD)
                & Q(opens_before_h__gte=1, opens_before_h__lte=MAX_OPEN_H),
                name="schedule_in_range",
            ),
            *clock_constraints("schedule"),
        ]

    def __str__(self) -> str:
        return self.name

    def is_on(self, day: date) -> bool:
        """Return whether there is an event on `day`."""
        return bool(self.weekdays >> day.weekday() & 1)


class Occurrence(models.Model):
    """An event of a schedule, whose start makes it unique. `schedule` is None when it was deleted or changed."""

    schedule = models.ForeignKey(
        Schedule, on_delete=models.SET_NULL, null=True, blank=True, related_name="occurrences"
    )
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="occurrence")
    starts_at = models.DateTimeField(db_index=True)
    # That of the schedule when the first player entered: bots come even if the schedule is deleted.
    field_size = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["starts_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["schedule", "starts_at"], name="occurrence_once_a_start"
            )
        ]

    def __str__(self) -> str:
        return str(self.event)
