"""Figures of the service that its database knows, for monitoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max

from tournaments.models import Game, Heartbeat, LostWork, Ply, Upkeep
from tournaments.queues import Queue
from tournaments.services.operations import overview, work


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures for curves.

    Attributes:
        plies: the number of the last ply stored, with gaps for refused plies.
        flags: games that ended on time.
        live_games: games in progress.
        database_bytes: the size of the database.
        connections: connections to the database and their limit, or None for SQLite.
        upkeep_ages_s: seconds since the latest success of each task of operators, without those that never had one.
        queues: messages that wait in Redis, by queue. Empty without Redis.
        tick_age_s: seconds since the tick, or None before the first.
        work: waiting and running work, by kind.
        given_up: the work that was given up after its processes died, by kind.
    """

    plies: int
    flags: int
    live_games: int
    database_bytes: int
    connections: tuple[int, int] | None
    upkeep_ages_s: Mapping[str, float]
    queues: Mapping[str, int]
    tick_age_s: float | None
    work: Sequence[work.WorkState]
    given_up: Mapping[str, int]


def read(now: datetime) -> Figures:
    """The figures at `now`."""
    rows = LostWork.objects.given_up().values_list("kind").annotate(count=Count("pk"))
    given_up = dict(rows.order_by())
    beat_at = Heartbeat.objects.filter(pk=1).values_list("beat_at", flat=True).first()
    return Figures(
        plies=Ply.objects.order_by().aggregate(last=Max("pk"))["last"] or 0,
        flags=Game.objects.filter(ending=Game.Ending.TIME).count(),
        live_games=Game.objects.ongoing().count(),
        database_bytes=overview.database_bytes(),
        connections=_connections(),
        upkeep_ages_s={
            row.task: (now - row.done_at).total_seconds() for row in Upkeep.objects.all()
        },
        queues=_queues(),
        tick_age_s=None if beat_at is None else (now - beat_at).total_seconds(),
        work=work.states(now),
        given_up={kind: given_up.get(kind, 0) for kind in LostWork.Kind.values},
    )


def _connections() -> tuple[int, int] | None:
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity"
            " WHERE backend_type = 'client backend'"
        )
        open_, most = cursor.fetchone()
    return open_, most


def _queues() -> Mapping[str, int]:
    if not settings.REDIS_URL:
        return {}
    # Hidden, as in `live`: a start without Redis does not import its client.
    from tournaments import redis_bus

    return redis_bus.queue_lengths(settings.REDIS_URL, list(Queue))
