"""Keys of forms: the result of the first submission of a form that is sent twice."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class FormKey(models.Model):
    """A submitted form, by its key. The row is written in the transaction of its effect.

    `owner` is an account's number, or a hash for a visitor without one. `digest` is the hash of the
    form's content.
    """

    owner = models.CharField(max_length=64)
    key = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    # The address of the answer. Empty for an answer without content.
    location = models.TextField(default="", blank=True)
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "key"], name="form_key_once"),
            models.CheckConstraint(
                condition=Q(key__length__gte=1, key__length__lte=40), name="form_key_has_a_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key[:12]}: {self.location}"
