"""The state of the service on one page, for administrators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from tournaments.models import Email, Game, Heartbeat, LostWork, Outage, SandboxReport
from tournaments.services.operations import health, work

_OUTAGES = 5
_GIVEN_UP = 20


@dataclass(frozen=True, slots=True)
class Overview:
    """The first view of an administrator.

    Attributes:
        readiness: the probes of this process.
        beat_at: the time of the last tick, or None before the first.
        is_beating: whether that is recent.
        work: waiting and running work, by kind.
        live_games: games in progress.
        given_up: work that was given up after its processes died.
        failed_mail: e-mails that were given up.
        sandboxes: the report of each machine with workers about its sandbox.
        outages: the latest times without service.
        database_bytes: the size of the database.
    """

    readiness: health.Readiness
    beat_at: datetime | None
    is_beating: bool
    work: Sequence[work.WorkState]
    live_games: int
    given_up: Sequence[LostWork]
    failed_mail: int
    sandboxes: Sequence[SandboxReport]
    outages: Sequence[Outage]
    database_bytes: int


def overview(now: datetime) -> Overview:
    """The state of the service at `now`."""
    beat = Heartbeat.objects.filter(pk=1).first()
    return Overview(
        readiness=health.readiness(),
        beat_at=None if beat is None else beat.beat_at,
        is_beating=beat is not None and now - beat.beat_at <= health.SILENCE,
        work=work.states(now),
        live_games=Game.objects.ongoing().count(),
        given_up=list(LostWork.objects.given_up().order_by("-lost_at")[:_GIVEN_UP]),
        failed_mail=Email.objects.filter(state=Email.State.FAILED).count(),
        sandboxes=list(SandboxReport.objects.all()),
        outages=list(Outage.objects.all()[:_OUTAGES]),
        database_bytes=database_bytes(),
    )


def database_bytes() -> int:
    """The size of the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            )
        return int(cursor.fetchone()[0])
