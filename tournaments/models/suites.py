"""Suites of start positions, from which the pairs of SPRT tests begin."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from tournaments.models.players import User

NAME_LENGTH = 60
# The limit of `engine.suites`.
MAX_SETUPS = 1_000
MAX_TEXT = 500_000


class SuiteQuerySet(models.QuerySet["Suite"]):
    def usable_by(self, user: User) -> SuiteQuerySet:
        """The author's own, and those of the house."""
        return self.filter(Q(owner=user) | Q(owner__isnull=True))


class Suite(models.Model):
    """Start positions of one rule set. A suite never changes. It may be deleted if it is not used."""

    # None of those of the house.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="suites",
        null=True,
        blank=True,
    )
    name = models.CharField(max_length=NAME_LENGTH)
    ruleset = models.CharField(max_length=120)
    # One a line, as games keep them.
    setups = models.TextField(max_length=MAX_TEXT)
    count = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField()

    objects = SuiteQuerySet.as_manager()

    class Meta:
        ordering = ["ruleset", "name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "ruleset", "name"], name="suite_name_once_an_author"
            ),
            models.UniqueConstraint(
                fields=["ruleset", "name"],
                condition=Q(owner__isnull=True),
                name="suite_of_the_house_once",
            ),
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=NAME_LENGTH),
                name="suite_has_a_name",
            ),
            models.CheckConstraint(
                condition=Q(count__gte=1, count__lte=MAX_SETUPS)
                & Q(setups__length__gte=1, setups__length__lte=MAX_TEXT),
                name="suite_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("suite", args=[self.pk])

    @property
    def starts(self) -> list[str]:
        """The set-ups in the order of their author."""
        return self.setups.split("\n")
