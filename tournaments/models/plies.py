"""The record of a game: its plies, and the corrections of its result."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournaments.models.games import Game, Side


class Correction(models.Model):
    """A result that an arbiter has corrected, or the colours of a game over the board.

    Rows are only ever added. A game's result changes only by one of them.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="corrections")
    seq = models.PositiveSmallIntegerField()
    before = models.CharField(max_length=14, choices=Game.Result.choices)
    after = models.CharField(max_length=14, choices=Game.Result.choices)
    # The sides were exchanged. `before` is a result by the former sides and `after` the same one by
    # the present sides.
    is_exchange = models.BooleanField(default=False)
    reason = models.CharField(max_length=200)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["game", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="correction_seq_once"),
            models.CheckConstraint(
                condition=(~Q(before=F("after")) | Q(is_exchange=True)) & Q(seq__gte=1),
                name="correction_changes_something",
            ),
            models.CheckConstraint(
                condition=Q(reason__length__gte=1, reason__length__lte=200),
                name="correction_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.before} -> {self.after}"


class Ply(models.Model):
    """One ply of a game's record. Rows are only ever added: a trigger refuses the rest."""

    # No index: `ply_once` begins with this column.
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="plies", db_index=False)
    attempt = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=6, choices=Side.choices)
    move = models.CharField(max_length=200)
    spent_ms = models.PositiveIntegerField()
    remaining_ms = models.PositiveIntegerField()
    # Bots: the time by the clock on the wall and the time of the processor. `spent_ms` is the
    # charged time.
    wall_ms = models.PositiveIntegerField(null=True, blank=True)
    cpu_ms = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField()
    # The charges of the turn, as `clocks.written` has them. None for games between bots, which have no
    # ledger, for plies that were not played in this attempt, and for those of 0.3.0, in `ClockCharge`.
    charges = models.CharField(max_length=250, null=True, blank=True)  # noqa: DJ001 - None is elsewhere
    # Given by the client with its move, so that a repeated request is one move. Without an index: the
    # plies of a game are few, and are looked through under its lock.
    client_key = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - None is no key

    class Meta:
        verbose_name_plural = "plies"
        ordering = ["game", "attempt", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "attempt", "number"], name="ply_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="ply_counts_from_one"),
            models.CheckConstraint(
                condition=Q(side__in=["first", "second"]), name="ply_side_known"
            ),
            models.CheckConstraint(
                condition=Q(move__length__gte=1, move__length__lte=200), name="ply_move_length"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number} {self.move}"
