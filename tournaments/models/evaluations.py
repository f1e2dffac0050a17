"""Thoughts of bots about a position before they moved."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.games import Game

# A score beyond this says no more than that the game is decided.
MAX_SCORE_CP = 1_000_000
MAX_DEPTH = 10_000
MAX_LINE = 400
MAX_TEXT = 200


class Evaluation(models.Model):
    """The last `info` of a bot before one of its plies. Rows are only ever added.

    A separate row, so that the plies of people carry no empty columns. A value that the bot left
    out is None or empty.
    """

    # No index: `evaluation_once` begins with this column. The number and the attempt are those of
    # the ply, which has no single key that is known when the row is added.
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="evaluations", db_index=False
    )
    attempt = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    # Hundredths of the bot's own unit, for the side that moved: above 0 is better for it.
    score_cp = models.IntegerField(null=True, blank=True)
    depth = models.PositiveSmallIntegerField(null=True, blank=True)
    nodes = models.PositiveBigIntegerField(null=True, blank=True)
    time_ms = models.PositiveIntegerField(null=True, blank=True)
    # The moves that it expected, its own first, as words of the line protocol with a space between.
    line = models.CharField(max_length=MAX_LINE, blank=True)
    text = models.CharField(max_length=MAX_TEXT, blank=True)

    class Meta:
        ordering = ["game", "attempt", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "attempt", "number"], name="evaluation_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, attempt__gte=1), name="evaluation_of_a_ply"
            ),
            models.CheckConstraint(
                condition=(
                    Q(score_cp__isnull=True)
                    | Q(score_cp__gte=-MAX_SCORE_CP, score_cp__lte=MAX_SCORE_CP)
                )
                & (Q(depth__isnull=True) | Q(depth__lte=MAX_DEPTH))
                & Q(line__length__lte=MAX_LINE, text__length__lte=MAX_TEXT),
                name="evaluation_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number} {self.score_cp}"
