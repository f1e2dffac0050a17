"""What waits for a moderator."""

from __future__ import annotations

from tournaments.models import ChatReport, PlayerReport


def open_reports() -> int:
    """How many reports of lines and of players nobody has dealt with."""
    lines = ChatReport.objects.filter(verdict__isnull=True).count()
    return lines + PlayerReport.objects.filter(resolved_at=None).count()
