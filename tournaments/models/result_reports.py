"""Results that players report themselves, from their phones, in events over the board."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.entries import Entry
from tournaments.models.rounds import Pairing


class ResultReport(models.Model):
    """The report of one player about one game of a board. A second report replaces it.

    A result that both players report from their accounts is entered. The rows of a game are deleted when
    its result is cleared.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="player_reports")
    # The number of the game in the pairing, as of `Pairing.lines`.
    game = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    # As `Game.Result`: a player reports no forfeit.
    result = models.CharField(max_length=6)
    # The digest of a secret of the browser: one browser does not report for both players. That of an
    # account is the digest of its number.
    browser = models.CharField(max_length=64)
    # True if the player was signed in. Anybody in the hall can report for a player without an account.
    is_signed_in = models.BooleanField(default=False)
    reported_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "game", "entry"], name="result_report_once_a_side"
            ),
            models.CheckConstraint(
                condition=Q(result__in=["first", "second", "draw"]),
                name="result_report_result_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing}.{self.game}, {self.entry}: {self.result}"
