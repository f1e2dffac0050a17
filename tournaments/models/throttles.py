"""How often something was tried lately: what limits guessed passwords."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Throttle(models.Model):
    """The tries that were counted under a key until a moment, after which the count begins anew.

    The key is a hash: neither a name nor a network address can be read from the row.
    """

    key = models.CharField(max_length=90, unique=True)
    tries = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(key__length__gte=1, key__length__lte=90), name="throttle_has_a_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key[:24]}: {self.tries}"
