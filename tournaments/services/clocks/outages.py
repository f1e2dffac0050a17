"""Outages of the service.

Its own heartbeat notices them before any flag is decided, and players get the time back.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from tournaments.models import Game, Heartbeat, Outage
from tournaments.services.clocks import game_clocks
from tournaments.services.notifications import news

if TYPE_CHECKING:
    from datetime import datetime

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=2)
# Without a tick for longer than this the service was away.
SILENCE = timedelta(seconds=15)
_BATCH = 500


def notice(now: datetime) -> Outage | None:
    """Let the heart beat; after a silence give everybody back what of a turn fell into it, once.

    To be called before anything is decided by a clock, outside transactions. Whoever comes second
    waits for the first: the row of the heartbeat is what they meet at.
    """
    beat_at = Heartbeat.objects.filter(pk=1).values_list("beat_at", flat=True).first()
    if beat_at is None:
        Heartbeat.objects.get_or_create(pk=1, defaults={"beat_at": now})
        return None
    heartbeat = Heartbeat.objects.filter(pk=1, beat_at=beat_at)
    if now - beat_at <= SILENCE:
        if now - beat_at >= BEAT:
            heartbeat.update(beat_at=now)
        return None
    with transaction.atomic():
        if heartbeat.update(beat_at=now) != 1:
            return None
        outage = Outage.objects.create(started_at=beat_at, ended_at=now)
        count = _give_back(outage)
    log.warning("outages.noticed outage=%s games=%s ms=%s", outage.pk, count, now - beat_at)
    return outage


def _give_back(outage: Outage) -> int:
    """Move every deadline of a person by as much of the turn as the service was away; how many."""
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
