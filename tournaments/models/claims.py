"""People with accounts who say that they are a player of an organiser's list."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.entries import Entry
from tournaments.models.players import Player


class EntryClaim(models.Model):
    """A claim of a player on an entry. The organiser accepts it or not, once.

    Accepted, the entry and its games belong to `player` and no longer to `listed`.
    """

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        REFUSED = "refused"

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="claims")
    # The player without an account whom the organiser had entered.
    listed = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    # The author of the claim.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entry_claims")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "player"], name="entry_claim_once"),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(state="accepted"), name="entry_claim_accepted_once"
            ),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True, answered_by__isnull=True)
                | Q(
                    state__in=["accepted", "refused"],
                    answered_at__isnull=False,
                    answered_by__isnull=False,
                ),
                name="entry_claim_answered_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} for {self.listed}: {self.state}"
