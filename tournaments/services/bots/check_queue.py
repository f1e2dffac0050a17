"""The queue of checks: which versions wait for theirs, in the order in which workers are sent for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from tournaments.models import Bot

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """The place of a version among those that wait for their check.

    Attributes:
        position: 1 for the next one; 0 while it is being checked.
        waiting: how many versions wait, all authors' together.
        running: how many are being checked.
    """

    position: int
    waiting: int
    running: int


def place_of(bot: Bot, now: datetime) -> QueuePlace | None:
    """The place of the version at `now`; None for one that has its verdict.

    Workers take them by the time of their upload, also those that are checked again.
    """
    if bot.state != Bot.State.CHECKING:
        return None
    waiting = Bot.objects.unchecked(now)
    running = Bot.objects.filter(state=Bot.State.CHECKING, check_lease_until__gte=now).count()
    position = 0
    if waiting.filter(pk=bot.pk).exists():
        earlier = Q(created_at__lt=bot.created_at) | Q(created_at=bot.created_at, pk__lt=bot.pk)
        position = 1 + waiting.filter(earlier).count()
    return QueuePlace(position, waiting.count(), running)
