"""The clock that something is played with: its columns wherever there is one."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.clocks import Kind

# All kinds but the bank, which has a cap.
_WITHOUT_CAP = [kind.value for kind in Kind if not kind.is_over_days]


class ClockKind(models.TextChoices):
    """The kinds of a clock, as in `tournaments.clocks.Kind`."""

    FISCHER = "fischer", _("increment after each move")
    DELAY = "delay", _("delay: the first seconds of each turn are free")
    BANK = "bank", _("correspondence bank")
    UNLIMITED = "unlimited", _("no clock")


class Timed(models.Model):
    """A model with a clock. `tournaments.clocks.TimeControl` explains the figures."""

    clock_kind = models.CharField(
        max_length=9, choices=ClockKind.choices, default=ClockKind.FISCHER
    )
    clock_initial_ms = models.PositiveIntegerField()
    clock_increment_ms = models.PositiveIntegerField(default=0)
    # The maximum of a bank.
    clock_cap_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_over_days(self) -> bool:
        """Return whether its games last for days."""
        return Kind(self.clock_kind).is_over_days

    @property
    def is_unlimited(self) -> bool:
        """Return whether no time is measured."""
        return Kind(self.clock_kind).is_unlimited


def clock_constraints(name: str) -> Iterator[models.CheckConstraint]:
    """Return the constraints of every clock, for the table `name`."""
    has_cap = Q(clock_cap_ms__isnull=False)
    yield models.CheckConstraint(
        condition=Q(clock_kind__in=_WITHOUT_CAP, clock_cap_ms__isnull=True)
        | (Q(clock_kind=Kind.BANK.value, clock_cap_ms__gte=models.F("clock_initial_ms")) & has_cap),
        name=f"{name}_clock_known",
    )
