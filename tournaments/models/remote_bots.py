"""Bots that run at their authors' and play by the API: what they play, and whether they are there."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from tournaments.models.bots import Bot

MAX_GAMES = 8


class RemoteBot(models.Model):
    """What a remote bot accepts, as its author says, and when it was last heard of.

    Attributes:
        least_ms, most_ms: what a clock may have at the start.
        max_games: how many games it plays at once.
        seen_at: the last request or open stream of a program that plays for it, to some seconds.
    """

    bot = models.OneToOneField(
        Bot, primary_key=True, on_delete=models.CASCADE, related_name="remote"
    )
    least_ms = models.PositiveIntegerField()
    most_ms = models.PositiveIntegerField()
    takes_rated = models.BooleanField(default=True)
    takes_casual = models.BooleanField(default=True)
    max_games = models.PositiveSmallIntegerField(default=1)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(least_ms__gte=1000, least_ms__lte=F("most_ms")),
                name="remote_bot_clocks_in_order",
            ),
            models.CheckConstraint(
                condition=Q(max_games__gte=1, max_games__lte=MAX_GAMES),
                name="remote_bot_games_bounded",
            ),
            models.CheckConstraint(
                condition=Q(takes_rated=True) | Q(takes_casual=True),
                name="remote_bot_takes_games",
            ),
        ]

    def __str__(self) -> str:
        return f"remote bot {self.bot_id}"
