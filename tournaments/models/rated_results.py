"""Results of games that count in the rating report alone."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from tournaments.models.games import Game


class RatedResultQuerySet(models.QuerySet["RatedResult"]):
    def of_event(self, event_id: int) -> RatedResultQuerySet:
        """Return those that differ from the results of the standings, in the order of rounds and boards."""
        rows = self.filter(game__pairing__event=event_id).exclude(result=F("game__result"))
        return rows.order_by("game__pairing__round__number", "game__pairing__board", "game__number")


class RatedResult(models.Model):
    """The result of a game for the rating report. Standings and pairings have that of the game."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="rated_result")
    result = models.CharField(max_length=14, choices=Game.Result.choices)

    objects = RatedResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(result__in=Game.Result.values), name="rated_result_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.result}"
