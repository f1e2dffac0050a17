"""Forecasts: the requests, and the answers of the simulation."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event

KEY_LENGTH = 64


class ForecastQuerySet(models.QuerySet["Forecast"]):
    def open(self) -> ForecastQuerySet:
        return self.filter(state=Forecast.State.OPEN)

    def due(self, now: datetime) -> ForecastQuerySet:
        """Return the forecasts that wait for a worker, or whose worker has been silent past its lease."""
        return self.open().filter(Q(lease_until__isnull=True) | Q(lease_until__lt=now))


class Forecast(models.Model):
    """A request to simulate, called by the hash of everything the answer depends on, and its answer."""

    class State(models.TextChoices):
        OPEN = "open", _("being computed")
        DONE = "done", _("computed")
        FAILED = "failed", _("failed")

    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    # The event whose end is forecast. None for a plan of an event.
    event = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.PROTECT, related_name="forecasts"
    )
    # `tournaments.forecasts.Course` or `Plan`, with the number of events to simulate.
    request = models.JSONField()
    seed = models.BigIntegerField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    # `tournaments.forecasts.EventForecast` or `PlanForecast`.
    answer = models.JSONField(null=True, blank=True)
    # The error, for developers.
    error = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    # The time of the last call for a worker.
    woken_at = models.DateTimeField(null=True, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)

    objects = ForecastQuerySet.as_manager()

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(key__length=KEY_LENGTH), name="forecast_key_of_its_length"
            ),
            models.CheckConstraint(
                condition=Q(state="open", answer__isnull=True, computed_at__isnull=True)
                | Q(state="done", answer__isnull=False, computed_at__isnull=False)
                | (Q(state="failed", answer__isnull=True) & ~Q(error="")),
                name="forecast_answer_when_done",
            ),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(state="open"), name="forecast_open"),
        ]

    def __str__(self) -> str:
        return self.key[:12]
