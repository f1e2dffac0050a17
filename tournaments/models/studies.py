"""Findings at the analysis board, shared by a short link."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

from tournaments.models.games import Game

KEY_LENGTH = 10
MAX_TREE_TEXT = 60_000


class Study(models.Model):
    """A position with a tree of moves, named by the hash of its content.

    Rows are only ever added.
    """

    key = models.CharField(max_length=KEY_LENGTH, primary_key=True)
    ruleset = models.CharField(max_length=120)
    # The position the tree begins with, as the rules write it down.
    start = models.CharField(max_length=4096)
    tree = models.TextField(blank=True, max_length=MAX_TREE_TEXT)
    # The node that was looked at when it was passed on.
    at = models.PositiveSmallIntegerField(default=0)
    # The game from which the study began.
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="studies"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "key"]
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                condition=Q(key__length=KEY_LENGTH), name="study_key_of_its_length"
            ),
            models.CheckConstraint(
                condition=Q(start__length__gte=1, start__length__lte=4096),
                name="study_begins_somewhere",
            ),
            models.CheckConstraint(
                condition=Q(tree__length__lte=MAX_TREE_TEXT), name="study_tree_length"
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="study_by_day")]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("study", args=[self.key])
