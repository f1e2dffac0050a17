"""Attendance: the players whose pages of a game are open, as the web processes write it down."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.games import Game, Side


class WebProcess(models.Model):
    """A web process with open streams. It renews its lease while it lives.

    Attributes:
        key: a random name, new at each start.
        lease_until: after this moment its players do not count as present.
    """

    key = models.CharField(max_length=32, unique=True)
    started_at = models.DateTimeField()
    lease_until = models.DateTimeField()

    def __str__(self) -> str:
        return self.key


class Attendance(models.Model):
    """A player at the table of a live game, seen by one web process.

    The row is written when the first stream of the player opens in the process, and when the last one has been closed
    for some seconds.

    Attributes:
        process: None after the end of the process.
        left_at: None while a stream is open.
    """

    # No index: `attendance_once` begins with this column.
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="attendances", db_index=False
    )
    side = models.CharField(max_length=6, choices=Side.choices)
    process = models.ForeignKey(WebProcess, null=True, blank=True, on_delete=models.PROTECT)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "side", "process"], name="attendance_once"),
            models.CheckConstraint(
                condition=Q(side__in=["first", "second"]), name="attendance_side_known"
            ),
            models.CheckConstraint(
                condition=Q(process__isnull=False) | Q(left_at__isnull=False),
                name="attendance_ends_with_its_process",
            ),
        ]
        indexes = [
            models.Index(
                fields=["left_at"],
                condition=Q(left_at__isnull=False),
                name="attendance_departures",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.side}"
