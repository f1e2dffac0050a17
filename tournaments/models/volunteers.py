"""Volunteers' machines, and the matches under fuel that they play."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Match

MAX_PROCESSES = 64


class Priority(models.IntegerChoices):
    """The order of an author's matches for volunteers."""

    LOW = 1, _("low")
    NORMAL = 2, _("normal")
    HIGH = 3, _("high")


class SharedMatch(models.Model):
    """A waiting match that volunteers may play. A match without a row is played by the site."""

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="shared"
    )
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.NORMAL)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(priority__gte=1, priority__lte=3), name="shared_match_priority_known"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.match_id} for volunteers"


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Enrolled workers."""

    def connected(self, now: datetime) -> WorkerQuerySet:
        """Return the workers that have asked for a match lately and may play."""
        return self.filter(stopped_at=None, seen_at__gt=now - Worker.PRESENT)


class Worker(models.Model):
    """A volunteer's machine, enrolled by an account."""

    # A worker that has not asked for this time is away, or plays a long match.
    PRESENT = timedelta(minutes=10)

    class Stop(models.TextChoices):
        OWNER = "owner", _("stopped by its owner")
        WRONG = "wrong", _("stopped because of a wrong transcript")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="workers"
    )
    name = models.CharField(max_length=60)
    # Its system, processors and Python, as it says itself.
    machine = models.CharField(max_length=200, blank=True)
    processes = models.PositiveSmallIntegerField(default=1)
    enrolled_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    stop_code = models.CharField(max_length=5, choices=Stop.choices, blank=True)

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["-seen_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="worker_name_once"),
            models.CheckConstraint(
                condition=Q(name__length__gte=1)
                & Q(processes__gte=1, processes__lte=MAX_PROCESSES),
                name="worker_described",
            ),
            models.CheckConstraint(
                condition=Q(stopped_at__isnull=True, stop_code="")
                | Q(stopped_at__isnull=False, stop_code__in=["owner", "wrong"]),
                name="worker_stopped_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class WorkerRun(models.Model):
    """A match that was leased to a worker, with the transcripts that came back.

    A run that is `CHECKING` waits for its replay, and becomes `VERIFIED` or `WRONG`. `COUNTED` ones
    have no replay, and are `REVOKED` when the worker was wrong elsewhere. `LOST` ones were not
    returned in time, and `RETURNED` ones are left to the site.
    """

    class State(models.TextChoices):
        LEASED = "leased"
        CHECKING = "checking"
        COUNTED = "counted"
        VERIFIED = "verified"
        WRONG = "wrong"
        REVOKED = "revoked"
        LOST = "lost"
        RETURNED = "returned"

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="runs")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="worker_runs")
    # The claim of the match: a report counts only while the match is at this attempt.
    attempt = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.LEASED)
    leased_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    # The text of each game, as `python -m engine verify` reads it. Retention removes it.
    transcripts = models.JSONField(default=list, blank=True)
    has_transcripts = models.BooleanField(default=True)
    busy_ms = models.PositiveIntegerField(default=0)
    # The units of fuel that its plies were allowed.
    fuel = models.PositiveBigIntegerField(default=0)
    # The first wrong ply of a wrong transcript, and the reason of a wrong or returned one.
    ply = models.PositiveIntegerField(null=True, blank=True)
    detail = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "attempt"], name="worker_run_once"),
            models.CheckConstraint(
                condition=Q(state="leased", ended_at__isnull=True)
                | (~Q(state="leased") & Q(ended_at__gte=F("leased_at"))),
                name="worker_run_ended",
            ),
        ]
        indexes = [
            models.Index(
                F("id"),
                condition=Q(state__in=["leased", "checking"]),
                name="worker_run_open",
            ),
            models.Index(fields=["ended_at"], name="worker_run_ended_at"),
            models.Index(
                fields=["ended_at"],
                name="worker_run_transcripts",
                condition=Q(has_transcripts=True),
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.match_id}, attempt {self.attempt}: {self.state}"
