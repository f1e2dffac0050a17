"""Rating pools: which games are rated together, and how."""

from __future__ import annotations

from django.db import connection, models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import games


class PoolManager(models.Manager["Pool"]):
    def locked_by_many(self, pk: int) -> Pool:
        """Return the pool, which does not change until the transaction ends. Others may hold the same lock.

        On SQLite there is one writer.
        """
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM tournaments_pool WHERE id = %s FOR SHARE", [pk])
        return self.get(pk=pk)


class Pool(models.Model):
    """Games whose results are rated together.

    They share game, edition, size class, time class, and kind of players.

    `queries.ratings.pools` tells the pool of a game. A pool without a kind is older than the kinds,
    and has no games.
    """

    class Kind(models.TextChoices):
        EVENTS = "events", _("people, events")
        PEOPLE = "people", _("people")
        BOTS = "bots", _("bots")
        MIXED = "mixed", _("people and bots")
        REMOTE = "remote", _("with remote bots")

    class System(models.TextChoices):
        # Values of `tournaments.ratings.systems.SystemName`.
        LISTS = "lists", _("monthly lists, FIDE B.02")
        GLICKO2 = "glicko2", _("Glicko-2")
        RUNNING = "running", _("Elo after each game")

    class TimeClass(models.TextChoices):
        BLITZ = "blitz", _("blitz")
        RAPID = "rapid", _("rapid")
        STANDARD = "standard", _("standard")
        CORRESPONDENCE = "correspondence", _("correspondence")

    class SizeClass(models.TextChoices):
        SMALL = "small", _("up to 9×9")
        LARGE = "large", _("10×10 to 13×13")
        GIANT = "giant", _("giant boards")

    key = models.CharField(max_length=60, unique=True)
    family = models.CharField(max_length=20)
    edition = models.CharField(max_length=20, blank=True)
    size_class = models.CharField(max_length=8, choices=SizeClass.choices, blank=True)
    time_class = models.CharField(max_length=16, choices=TimeClass.choices, blank=True)
    kind = models.CharField(max_length=8, choices=Kind.choices, blank=True)
    system = models.CharField(max_length=8, choices=System.choices, default=System.RUNNING)
    # Months before this one are closed, if games are rated by lists.
    closed_until = models.DateField(null=True, blank=True)

    objects = PoolManager()

    class Meta:
        ordering = ["key"]
        constraints = [
            models.CheckConstraint(
                condition=Q(system__in=["glicko2", "running"])
                | Q(system="lists", closed_until__isnull=False),
                name="pool_lists_are_closed_until",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Return the name of the pool in the reader's language."""
        if not self.kind:
            return self.key
        parts = [self.game_name, self.get_time_class_display(), self.get_kind_display()]
        return " · ".join(str(part) for part in parts)

    @property
    def game_name(self) -> str:
        """The game, edition and size class."""
        presentation = games.family_of(self.family).presentation
        edition = presentation.options.get(("edition", self.edition))
        parts = [presentation.name, edition and gettext(edition)]
        parts.append(self.get_size_class_display())
        return ", ".join(str(part) for part in parts if part)
