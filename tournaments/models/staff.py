"""Helpers of an organiser, and announcements to the players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event


class StaffMember(models.Model):
    """A helper in an event. `queries.events.staff` gives the tasks of each role."""

    class Role(models.TextChoices):
        DEPUTY = "deputy", _("deputy arbiter")
        PAIRINGS = "pairings", _("pairings")
        RESULTS = "results", _("results")
        CHECK_IN = "check-in", _("check-in")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="staff")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_roles"
    )
    role = models.CharField(max_length=8, choices=Role.choices)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="staff_member_once"),
            models.CheckConstraint(
                condition=Q(role__in=["deputy", "pairings", "results", "check-in"]),
                name="staff_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.event}"


class Announcement(models.Model):
    """A message of the organiser to all participants of an event. Rows are only ever added."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="announcements")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.CharField(max_length=500)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(text__length__gte=1, text__length__lte=500),
                name="announcement_text_length",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.text[:40]}"


class RoundTime(models.Model):
    """The planned start of the games of a round."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="round_times")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_time_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_time_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.event}, round {self.number}: {self.starts_at}"
