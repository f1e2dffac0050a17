"""Security events of accounts."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SecurityEvent(models.Model):
    """A sign-in, a failed one, or a change of the secrets and rights of an account, for its owner.

    Attributes:
        kind: the code of a `services.security.Kind`.
        detail: the name of the token or application that it is about, if any.
        network: the first bits of the visitor's network address. Empty if unknown.
        browser: the name of the browser and its system. Empty if unknown.
        times: equal failures within an hour are one row.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="security_events"
    )
    kind = models.CharField(max_length=30)
    detail = models.CharField(max_length=60, blank=True)
    network = models.CharField(max_length=43, blank=True)
    browser = models.CharField(max_length=60, blank=True)
    times = models.PositiveIntegerField(default=1)
    happened_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-happened_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"
