"""Players whose games and events another player follows."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from tournaments.models.players import Player


class Follow(models.Model):
    """A player who follows another one. Only the follower sees it."""

    follower = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="follow_once"),
            models.CheckConstraint(condition=~Q(follower=F("followed")), name="follow_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.follower} follows {self.followed}"
