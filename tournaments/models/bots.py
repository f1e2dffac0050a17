"""Bots, and the matches of bots that workers play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.players import Player

if TYPE_CHECKING:
    from datetime import datetime

MAX_LOSSES = 3


class Bot(models.Model):
    """The program behind a bot player."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="bot")
    # A built-in engine with its options, as `engine.players` names it: `search:200`.
    engine = models.CharField(max_length=60)
    description = models.CharField(max_length=300, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="bots",
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["player__name"]

    def __str__(self) -> str:
        return self.player.name


class MatchQuerySet(models.QuerySet["Match"]):
    def due(self, now: datetime) -> MatchQuerySet:
        """Matches that wait for a worker, or whose worker has been silent past its lease."""
        waits = Q(state=Match.State.QUEUED, due_at__lte=now)
        lost = Q(state=Match.State.LEASED, lease_until__lt=now)
        return self.filter(waits | lost)

    def exhibited(self) -> MatchQuerySet:
        """Matches that are being shown at a pace for people."""
        return self.filter(state=Match.State.LEASED, pace_ms__gt=0)


class Match(models.Model):
    """One game, or a pair with sides exchanged, between two bots: the unit of work that a worker claims by lease."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        LEASED = "leased", _("being played")
        DONE = "done", _("played")
        FAILED = "failed", _("given up")

    state = models.CharField(max_length=6, choices=State.choices, default=State.QUEUED)
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    # When a worker was last told of it, so that a busy queue is not filled with repetitions.
    woken_at = models.DateTimeField(null=True, blank=True)
    # How often it was claimed; with the id it is the token every report must carry.
    attempt = models.PositiveSmallIntegerField(default=0)
    # How many of its workers were lost or failed; a match that kills its workers is given up.
    losses = models.PositiveSmallIntegerField(default=0)
    pace_ms = models.PositiveIntegerField(default=0)
    # An exhibition starts again, with sides exchanged, this many times more.
    encores = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(
                condition=Q(losses__lte=MAX_LOSSES) & Q(losses__lte=F("attempt")),
                name="match_losses_bounded",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "leased", "done", "failed"]),
                name="match_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="leased", lease_until__isnull=False)
                | (~Q(state="leased") & Q(lease_until__isnull=True)),
                name="match_leased_until",
            ),
        ]
        indexes = [
            models.Index(
                F("due_at"), condition=Q(state__in=["queued", "leased"]), name="match_due"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"
