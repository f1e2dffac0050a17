"""Figures of the service that its database knows, for monitoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from tournaments.models import Game, Heartbeat, LostWork, Ply
from tournaments.services.operations import overview, work


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures for curves.

    Attributes:
        plies: the number of the last ply stored, with gaps for refused plies.
        flags: games that ended on time.
        live_games: games in progress.
        database_bytes: the size of the database.
        tick_age_s: seconds since the tick, or None before the first.
        work: waiting and running work, by kind.
        given_up: the work that was given up after its processes died, by kind.
    """

    plies: int
    flags: int
    live_games: int
    database_bytes: int
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
        tick_age_s=None if beat_at is None else (now - beat_at).total_seconds(),
        work=work.states(now),
        given_up={kind: given_up.get(kind, 0) for kind in LostWork.Kind.values},
    )
