"""Actions of organisers and administrators."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.models.events import Event


class AuditEntry(models.Model):
    """One action, written in the transaction of the change. Rows are only ever added."""

    event = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.PROTECT, related_name="audit"
    )
    # The actor; None if the service acted.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    action = models.CharField(max_length=40)
    reason = models.CharField(max_length=200, blank=True)
    # The action that this one takes back.
    undoes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    detail = models.JSONField(default=dict)
    done_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.action} {self.detail}"
