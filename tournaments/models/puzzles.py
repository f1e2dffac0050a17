"""Puzzles from finished games, and the players who try them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from tournaments.models.games import Game
from tournaments.models.players import Player
from tournaments.ratings.glicko2 import Standing


class Rated(models.Model):
    """A rating of puzzles and their solvers, by Glicko-2, in hundredths of an Elo point."""

    centielo = models.PositiveIntegerField(default=1500_00)
    deviation_centielo = models.PositiveIntegerField(default=500_00)
    volatility_billionths = models.PositiveIntegerField(default=90_000_000)
    rated_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def standing(self) -> Standing:
        """Return the rating with its deviation and volatility."""
        return Standing(self.centielo, self.deviation_centielo, self.volatility_billionths)

    def take(self, standing: Standing) -> Self:
        """Replace the rating, without storing it."""
        self.centielo = standing.rating_centielo
        self.deviation_centielo = standing.deviation_centielo
        self.volatility_billionths = standing.volatility_billionths
        return self

    @property
    def elo(self) -> int:
        """Return the rating in whole points."""
        return round(self.centielo / 100)


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    def of(self, family: str) -> PuzzleQuerySet:
        return self.filter(family=family, withdrawn_at=None)


class Puzzle(Rated):
    """A position with one good move, and the line that follows it.

    Attributes:
        ruleset, position: the texts that `games` reads.
        line: the moves, those of the solver at even places.
        game, ply: the origin, or None for a puzzle of the stock.
        withdrawn_at, withdrawn_reason: since when a moderator has it no longer given, and the reason.
    """

    family = models.CharField(max_length=40)
    ruleset = models.CharField(max_length=120)
    position = models.TextField()
    line = models.JSONField()
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="puzzles"
    )
    ply = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.CharField(max_length=200, blank=True)

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "position"], name="puzzle_once"),
            models.CheckConstraint(
                condition=Q(game=None, ply=None) | Q(game__isnull=False, ply__isnull=False),
                name="puzzle_has_an_origin_or_none",
            ),
        ]
        indexes = [models.Index(fields=["family", "centielo"], name="puzzle_by_rating")]

    def __str__(self) -> str:
        return f"puzzle {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("puzzle", args=[self.pk])


class PuzzleRating(Rated):
    """The rating of a player as a solver of the puzzles of a game."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="puzzle_ratings")
    family = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "family"], name="puzzle_rating_once")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.family} {self.elo}"


class PuzzleTry(models.Model):
    """The first try of a player at a puzzle, which alone is rated. The ratings are those of the player."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="puzzle_tries")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.PROTECT, related_name="all_tries")
    is_solved = models.BooleanField()
    tried_at = models.DateTimeField()
    before_centielo = models.PositiveIntegerField(null=True, blank=True)
    after_centielo = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "puzzle"], name="puzzle_try_once"),
            models.CheckConstraint(
                condition=Q(before_centielo=None, after_centielo=None)
                | Q(before_centielo__isnull=False, after_centielo__isnull=False),
                name="puzzle_try_rated_or_not",
            ),
        ]
        indexes = [models.Index(fields=["player", "tried_at"], name="puzzle_try_by_day")]

    def __str__(self) -> str:
        return f"{self.player} at {self.puzzle}"

    @property
    def elo_before(self) -> int:
        """Return the player's rating before, in whole points, of a rated try."""
        return round((self.before_centielo or 0) / 100)

    @property
    def elo_after(self) -> int:
        """Return the player's rating after, in whole points, of a rated try."""
        return round((self.after_centielo or 0) / 100)


class PuzzleReport(models.Model):
    """A player's report that a puzzle is wrong, in words for the moderators. It is open until one decides."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="puzzle_reports")
    text = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["puzzle", "reporter"],
                condition=Q(resolved_at=None),
                name="puzzle_report_open_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.reporter} reports {self.puzzle}"


class PuzzleSearch(models.Model):
    """The game of a family up to which finished games were searched for puzzles, in the order of their ends."""

    family = models.CharField(max_length=40, primary_key=True)
    last_game = models.PositiveBigIntegerField(default=0)
    last_ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.family} up to game {self.last_game}"
