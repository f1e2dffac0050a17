"""The queue of checks: which versions wait for theirs, and in which order they are checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum

from tournaments.models import Bot

# The time for which checks of an author's versions count.
_WINDOW = timedelta(hours=1)
# The expected time of a check that has not begun.
_EXPECTED_MS = 20_000


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """The place of a version among those that wait for their check.

    Attributes:
        position: 1 for the next version; 0 while it is being checked.
        waiting: the number of waiting versions of all authors.
        running: the number of versions that are being checked.
    """

    position: int
    waiting: int
    running: int


def order(now: datetime) -> Sequence[int]:
    """Return the ids of the versions that wait for their check at `now`, the next one first.

    Each is the oldest of the author whose checks took least in the last hour, earlier places in the
    queue included. An author who uploads programs that sleep waits for them, and other authors do
    not.
    """
    waiting: dict[int | None, list[int]] = defaultdict(list)
    rows = Bot.objects.unchecked(now).order_by("created_at", "pk")
    for bot_id, owner_id in rows.values_list("pk", "owner"):
        waiting[owner_id].append(bot_id)
    # In the order of their oldest upload, which decides among authors that had as much.
    had_ms = dict.fromkeys(waiting, 0) | _had_ms(now, waiting)
    result = []
    while waiting:
        author_id = min(waiting, key=had_ms.__getitem__)
        result.append(waiting[author_id].pop(0))
        had_ms[author_id] += _EXPECTED_MS
        if not waiting[author_id]:
            del waiting[author_id]
    return result


def place_of(bot: Bot, now: datetime) -> QueuePlace | None:
    """Return the place of the version at `now`; None for a version with a verdict."""
    if bot.state != Bot.State.CHECKING:
        return None
    running = Bot.objects.filter(state=Bot.State.CHECKING, check_lease_until__gte=now).count()
    ids = order(now)
    position = ids.index(bot.pk) + 1 if bot.pk in ids else 0
    return QueuePlace(position, len(ids), running)


def _had_ms(now: datetime, owner_ids: Iterable[int | None]) -> Counter[int | None]:
    lately = Bot.objects.filter(owner__in=list(owner_ids), checked_at__gt=now - _WINDOW)
    return Counter(dict(lately.order_by().values_list("owner").annotate(Sum("check_ms"))))
