"""Events of clocks: every charge, every outage of the service, every vacation."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments import clocks
from tournaments.models.games import Game, Side
from tournaments.models.players import Player


class ClockCharge(models.Model):
    """A change of a clock in a game that people play, and why, apart from the turn of a ply.

    The charges of a turn that ended with a ply are in the row of the ply. `queries.clocks.ledger` has
    all. Rows are only ever added: a trigger refuses the rest.
    """

    class Reason(models.TextChoices):
        # Values of `tournaments.clocks.Reason`.
        OUTAGE = "outage", _("the service was away")
        VACATION = "vacation", _("on vacation")
        GRACE = "grace", _("grace for the first move of a remote bot")
        DELAY = "delay", _("delay")
        LAG = "lag", _("network lag compensation")
        FLOOR = "floor", _("beyond the end of the clock")
        SPENT = "spent", _("thinking")
        INCREMENT = "increment", _("increment")
        CAP = "cap", _("capped")
        GIFT = "gift", _("added by the opponent")
        ARBITER = "arbiter", _("added by the arbiter")
        TAKEBACK = "takeback", _("takebacks")
        FLAG = "flag", _("the clock had run down")

    # No index: `charge_seq_once` begins with this column.
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="charges", db_index=False)
    # Counts the rows of the game, takebacks included.
    seq = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField()
    # The ply that the turn was for.
    ply = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=6, choices=Side.choices)
    reason = models.CharField(max_length=9, choices=Reason.choices)
    # Negative values reduce the time. A vacation is longer than any clock.
    ms = models.BigIntegerField()
    remaining_ms = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="charge_seq_once"),
            models.CheckConstraint(condition=Q(remaining_ms__gte=0), name="charge_leaves_no_debt"),
            models.CheckConstraint(
                condition=Q(seq__gte=1, ply__gte=1, side__in=["first", "second"])
                & Q(reason__in=[reason.value for reason in clocks.Reason]),
                name="charge_words_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seq} {self.side}: {self.reason} {self.ms:+}"


class Heartbeat(models.Model):
    """The time of the last tick, in one row. A missing tick is noticed by it."""

    beat_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="heartbeat_one")]

    def __str__(self) -> str:
        return str(self.beat_at)


class OutageQuerySet(models.QuerySet["Outage"]):
    def since(self, moment: datetime) -> OutageQuerySet:
        return self.filter(ended_at__gt=moment)


class Outage(models.Model):
    """A time in which the service was away. Rows are only ever added."""

    started_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField()

    objects = OutageQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__gt=F("started_at")), name="outage_has_a_length"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.started_at} - {self.ended_at}"


class VacationQuerySet(models.QuerySet["Vacation"]):
    def running(self) -> VacationQuerySet:
        return self.filter(ended_at__isnull=True)


class Vacation(models.Model):
    """Days on which the banks of a player are stopped.

    Rows are added, and ended once. A trigger refuses other changes.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="vacations")
    days = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    # The announced end. `ended_at` may be earlier, and marks the end.
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = VacationQuerySet.as_manager()

    class Meta:
        ordering = ["player", "-started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(ended_at__isnull=True), name="vacation_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(days__gte=1, days__lte=366, ends_at__gt=F("started_at"))
                & (Q(ended_at__isnull=True) | Q(ended_at__gte=F("started_at"))),
                name="vacation_days_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.days} days from {self.started_at}"
