"""How long the queue of the bots' matches is, and how long a new one will wait in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from tournaments.models import Game, Match

if TYPE_CHECKING:
    from datetime import datetime

# What is expected is what the last minutes were like.
_LOOKED_AT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Queue:
    """Matches that wait for a worker and that are being played.

    `wait_s` is None while nobody can say.
    """

    waiting: int
    playing: int
    wait_s: int | None


def length(now: datetime) -> Queue:
    """The queue at `now`, exhibitions left out.

    The wait from how many matches have ended in the last ten minutes.
    """
    matches = Match.objects.filter(pace_ms=0)
    waiting = matches.filter(state=Match.State.QUEUED, due_at__lte=now).count()
    playing = matches.filter(state=Match.State.LEASED).count()
    lately = Game.objects.filter(match__state=Match.State.DONE, match__pace_ms=0)
    lately = lately.filter(ended_at__gt=now - _LOOKED_AT, ended_at__lte=now)
    finished_matches = lately.values("match").distinct().count()
    if waiting == 0:
        return Queue(waiting, playing, 0)
    seconds = _LOOKED_AT.total_seconds()
    return Queue(
        waiting, playing, round(waiting * seconds / finished_matches) if finished_matches else None
    )
