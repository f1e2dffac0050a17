"""Waiting work by kind: its amount, its age, and the part that workers have taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Min, Model, Q, QuerySet

from tournaments.models import Bot, Email, Forecast, Game, Match
from tournaments.services.matches import replies


class WorkKind(StrEnum):
    """Kinds of work of workers."""

    REPLIES = "replies"
    MATCHES = "matches"
    CHECKS = "checks"
    FORECASTS = "forecasts"
    MAIL = "mail"


# A wait longer than this shows that a part is slow: a person waits for a bot's reply, bots for
# their match.
PATIENCE: Mapping[WorkKind, timedelta] = {
    WorkKind.REPLIES: timedelta(seconds=30),
    WorkKind.MATCHES: timedelta(minutes=30),
    WorkKind.CHECKS: timedelta(minutes=15),
    WorkKind.FORECASTS: timedelta(minutes=30),
    WorkKind.MAIL: timedelta(minutes=15),
}


@dataclass(frozen=True, slots=True)
class WorkState:
    """The state of one kind of work.

    Attributes:
        waiting: the amount of due work without a worker.
        running: the amount with a worker's lease, or None without leases.
        oldest_at: the due time of the oldest waiting work, or None without any.
        age_s: its age in seconds, 0 without any.
    """

    kind: WorkKind
    waiting: int
    running: int | None
    oldest_at: datetime | None
    age_s: float

    @property
    def is_late(self) -> bool:
        """Return whether it waits longer than it should."""
        return self.age_s > PATIENCE[self.kind].total_seconds()


def states(now: datetime) -> list[WorkState]:
    """The state of every kind of work at `now`."""
    is_leased = Q(lease_until__gte=now)
    replying = Game.objects.ongoing().filter(reply_lease_until__gte=now)
    checking = Bot.objects.filter(state=Bot.State.CHECKING, check_lease_until__gte=now)
    mail = Email.objects.filter(state=Email.State.WAITING, due_at__lte=now)
    return [
        _state(WorkKind.REPLIES, replies.due(now), "turn_started_at", replying, now),
        _state(
            WorkKind.MATCHES,
            Match.objects.due(now),
            "due_at",
            Match.objects.filter(is_leased, state=Match.State.LEASED),
            now,
        ),
        _state(WorkKind.CHECKS, Bot.objects.unchecked(now), "created_at", checking, now),
        _state(
            WorkKind.FORECASTS,
            Forecast.objects.due(now),
            "asked_at",
            Forecast.objects.open().filter(is_leased),
            now,
        ),
        _state(WorkKind.MAIL, mail, "due_at", None, now),
    ]


def _state(
    kind: WorkKind,
    waiting: QuerySet[Model],
    since: str,
    running: QuerySet[Model] | None,
    now: datetime,
) -> WorkState:
    row = waiting.order_by().aggregate(count=Count("pk"), oldest=Min(since))
    oldest_at = row["oldest"]
    age_s = 0.0 if oldest_at is None else max(0.0, (now - oldest_at).total_seconds())
    count = None if running is None else running.count()
    return WorkState(kind, row["count"], count, oldest_at, age_s)
