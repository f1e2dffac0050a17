"""Lines of people about themselves."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.players import Player

INTRODUCTION_LENGTH = 200


class Introduction(models.Model):
    """A person's line about themselves and their federation, a code of three letters. Either can be empty."""

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="introduction"
    )
    text = models.CharField(max_length=INTRODUCTION_LENGTH, blank=True)
    federation = models.CharField(max_length=3, blank=True)
    written_at = models.DateTimeField()
    # Set while the text is one that a moderator has hidden.
    hidden_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(text__length__lte=INTRODUCTION_LENGTH), name="introduction_in_bounds"
            ),
            models.CheckConstraint(
                condition=Q(federation="") | Q(federation__length=3),
                name="introduction_federation_code",
            ),
            models.CheckConstraint(
                condition=~Q(text="") | ~Q(federation=""), name="introduction_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(hidden_at=None) | ~Q(text=""), name="introduction_hidden_text"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.text[:40]}"

    @property
    def visible_text(self) -> str:
        """Return the text, or an empty one if a moderator has hidden it."""
        return "" if self.hidden_at else self.text
