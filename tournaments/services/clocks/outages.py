"""Outages of the service.

Its own heartbeat notices them before any flag is decided, and players get the time back.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from tournaments.models import Game, Heartbeat, Outage
from tournaments.queries.clocks import game_clocks
from tournaments.services.notifications import news

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=2)
# Without a tick for longer than this the service was away.
SILENCE = timedelta(seconds=15)
_BATCH = 500


@dataclass(slots=True)
class _Memory:
    """A beat that this process has seen. The heart never goes back: the last one is no earlier."""

    beat_at: datetime | None = None


_memory = _Memory()


def forget() -> None:
    """Look at the heartbeat at the next question: it is another database's, or was set back."""
    _memory.beat_at = None


def notice(now: datetime) -> Outage | None:
    """Note a heartbeat.

    After a silence give all players back the part of a turn that fell into it, once.

    It is called before any decision by a clock, outside transactions. A second caller waits for the
    first at the row of the heartbeat. Within a beat of a heartbeat that this process has seen, no
    silence is possible, and no query is made. The query took 0.7 ms of CPU for every move.
    """
    if _memory.beat_at is not None and now - _memory.beat_at < BEAT:
        return None
    beat_at = Heartbeat.objects.filter(pk=1).values_list("beat_at", flat=True).first()
    if beat_at is None:
        first, _ = Heartbeat.objects.get_or_create(pk=1, defaults={"beat_at": now})
        _memory.beat_at = first.beat_at
        return None
    _memory.beat_at = beat_at
    heartbeat = Heartbeat.objects.filter(pk=1, beat_at=beat_at)
    if now - beat_at <= SILENCE:
        if now - beat_at >= BEAT and heartbeat.update(beat_at=now) == 1:
            _memory.beat_at = now
        return None
    with transaction.atomic():
        if heartbeat.update(beat_at=now) != 1:
            return None
        outage = Outage.objects.create(started_at=beat_at, ended_at=now)
        count = _give_back(outage)
    log.warning("outages.noticed outage=%s games=%s ms=%s", outage.pk, count, now - beat_at)
    return outage


def _give_back(outage: Outage) -> int:
    """Move every deadline of a person by the part of the turn in which the service was away, and return their number."""
    running = Game.objects.ongoing().filter(deadline_at__isnull=False)
    games = list(
        running.filter(turn_started_at__lt=outage.ended_at)
        .select_for_update(of=("self",), no_key=True)
        .select_related("first", "second")
        .order_by("pk")
    )
    for game in games:
        assert game.turn_started_at is not None, "a deadline belongs to a turn"
        began_at = max(game.turn_started_at, outage.started_at)
        game.outage_ms += game_clocks.milliseconds(began_at, outage.ended_at)
        game_clocks.set_deadline(game)
    Game.objects.bulk_update(games, [*Game.TURN_COLUMNS, *Game.CREDIT_COLUMNS], batch_size=_BATCH)
    news.announce_each((news.of_game(game.pk), "clock", {}) for game in games)
    return len(games)
