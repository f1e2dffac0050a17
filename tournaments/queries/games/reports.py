"""Reports of players, as moderators read them."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import ChatReport, PlayerReport, PuzzleReport


def of_lines(*, is_open: bool) -> QuerySet[ChatReport]:
    """Return the reports about lines that wait for a verdict, or that have one."""
    return ChatReport.objects.filter(verdict__isnull=is_open).select_related(
        *("line__author", "line__game__first", "line__game__second", "line__event"),
        "line__recipient",
        *("reporter", "resolver"),
    )


def of_players() -> QuerySet[PlayerReport]:
    """Return the open reports about players."""
    rows = PlayerReport.objects.filter(resolved_at=None)
    return rows.select_related("reported__introduction", "reporter")


def of_puzzles() -> QuerySet[PuzzleReport]:
    """Return the open reports about puzzles."""
    return PuzzleReport.objects.filter(resolved_at=None).select_related("puzzle", "reporter")
