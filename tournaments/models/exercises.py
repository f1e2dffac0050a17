"""Progress of players in the courses of the games."""

from django.db import models

from tournaments.models.players import Player


class ExerciseDone(models.Model):
    """An exercise of a game's course that a player has done, by the names of both."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="exercises_done")
    family = models.CharField(max_length=40)
    name = models.CharField(max_length=40)
    done_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "family", "name"], name="exercise_done_once")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.family}/{self.name}"
