"""Computations about large events: a table, a file or an explanation each."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q

from tournaments.models.events import Event

# If no worker has begun by then, none is expected.
BEGINS_WITHIN = timedelta(seconds=15)
# A process that has computed for longer than this has died.
ENDS_WITHIN = timedelta(minutes=2)


class ComputationQuerySet(models.QuerySet["Computation"]):
    def unclaimed(self, now: datetime) -> ComputationQuerySet:
        """Computations that no process works on at the moment."""
        return self.filter(
            Q(begun_at=None) | Q(begun_at=F("computed_at")) | Q(begun_at__lt=now - ENDS_WITHIN)
        )


class Computation(models.Model):
    """A computation about an event, and its latest value.

    `name` and `arguments` say what is computed (`services.results.computations`). The value is that of
    the event's state `mark` at `computed_at`, when its computation began.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="computations")
    name = models.CharField(max_length=120)
    # A list as JSON.
    arguments = models.CharField(max_length=500)
    # The build of the site, as another one may compute another value.
    build = models.CharField(max_length=16)
    mark = models.CharField(max_length=64, blank=True)
    # Compressed. None if the computation failed.
    value = models.BinaryField(null=True)
    # CPU seconds of the computation.
    cost_s = models.FloatField(default=0)
    # The last call of a worker, and the first request for a value that is not stored yet.
    asked_at = models.DateTimeField()
    wanted_since = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()

    objects = ComputationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "name", "arguments", "build"], name="computation_once"
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=True) | Q(computed_at__isnull=False),
                name="computation_value_when_computed",
            ),
        ]
        indexes = [models.Index(fields=["expires_at"], name="computation_expiry")]

    def __str__(self) -> str:
        return f"{self.name} {self.arguments}"

    @property
    def is_open(self) -> bool:
        """Return whether a worker was sent for and has not stored a value since."""
        return self.computed_at is None or self.asked_at > self.computed_at

    def is_coming(self, now: datetime) -> bool:
        """Return whether a worker computes it, or may still begin."""
        if self.begun_at is not None and self.begun_at >= self.asked_at:
            return now < self.begun_at + ENDS_WITHIN
        return now < self.asked_at + BEGINS_WITHIN
