"""Removal of old rows that are not read any more: after a number of days, a few at a time.

Games, plies, ratings, entries, results and the public log are history and are kept. Cancelled events of
schedules go with their logs if no person came (`rounds.scheduled_events`).
`docs/operate/retention.md` has the figures of a year.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db.models import Model, QuerySet

from tournaments.models import (
    AccessToken,
    Attendance,
    Challenge,
    ChatLine,
    Computation,
    Email,
    Grant,
    Invitation,
    LostWork,
    NewsItem,
    Picture,
    SecurityEvent,
    Seek,
    Session,
    WebhookDelivery,
    statements,
)
from tournaments.services.accounts import authorizations
from tournaments.services.rounds import scheduled_events
from tournaments.services.volunteers import runs

log = logging.getLogger(__name__)

# Rows removed in one step. The next look, a minute later, removes an equal number.
BATCH = 2_000
# After their starts: news of them are deleted by then.
_EVENT_DAYS = 90
# Each is some kilobytes a game, and a site with volunteers gets thousands a day.
_TRANSCRIPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows that lose their worth with time: those of `rows` whose `column` is older than `days`.

    No other row refers to them.
    """

    name: str
    days: int
    rows: QuerySet[Model]
    column: str
    least_days: int = 0


_KINDS = (
    # Pages resume from the latest, notices show the last weeks. A trigger keeps a week in any case.
    Kind("news", 90, NewsItem.objects.all(), "happened_at", least_days=8),
    Kind("sessions", 0, Session.objects.all(), "expire_date"),
    Kind("emails", 90, Email.objects.exclude(state=Email.State.WAITING), "made_at"),
    Kind("seeks", 30, Seek.objects.exclude(state=Seek.State.WAITING), "made_at"),
    Kind("challenges", 90, Challenge.objects.exclude(state=Challenge.State.OPEN), "created_at"),
    # Moderators decide about reported ones, and their verdicts refer to them.
    Kind("messages", 365, ChatLine.objects.private().without_report(), "made_at"),
    Kind("tokens", 90, AccessToken.objects.all(), "expires_at"),
    # A used one is stored until it expires, so that its second use is seen.
    Kind("grants", 0, Grant.objects.all(), "expires_at"),
    Kind(
        "webhooks",
        14,
        WebhookDelivery.objects.exclude(state=WebhookDelivery.State.WAITING),
        "made_at",
    ),
    Kind("losses", 30, LostWork.objects.all(), "lost_at"),
    Kind("computations", 0, Computation.objects.all(), "expires_at"),
    Kind("attendance", 1, Attendance.objects.all(), "left_at"),
    Kind("pictures", 7, Picture.objects.all(), "asked_at"),
    Kind("security", 180, SecurityEvent.objects.all(), "happened_at"),
    Kind("invitations", 90, Invitation.objects.exclude(state=Invitation.State.OPEN), "made_at"),
)


def kinds() -> Sequence[Kind]:
    """Return all of them, with the days of the settings (`RETENTION_DAYS`) or their own."""
    chosen = settings.RETENTION_DAYS
    return [
        replace(kind, days=max(kind.least_days, int(chosen.get(kind.name, kind.days))))
        for kind in _KINDS
    ]


@cache
def _oldest(name: str, at_most: int) -> statements.Query[tuple[int]]:
    """Return the query of the oldest rows of a kind that are too old."""
    kind = next(each for each in _KINDS if each.name == name)

    @statements.query
    def oldest(before: datetime) -> QuerySet[Model, tuple[int]]:
        rows = kind.rows.filter(**{f"{kind.column}__lt": before}).order_by(kind.column)
        return rows.values_list("pk")[:at_most]

    return oldest


def prune(now: datetime) -> dict[str, int]:
    """Remove a batch of each kind. Return the number of rows of each."""
    removed = {}
    for kind in kinds():
        before = now - timedelta(days=kind.days)
        batch = [pk for (pk,) in _oldest(kind.name, BATCH).all(before=before)]
        if batch:
            # One statement, without Django's search for rows that might point here.
            removed[kind.name] = kind.rows.model._default_manager.filter(pk__in=batch)._raw_delete(
                kind.rows.db
            )
    days = settings.RETENTION_DAYS.get("events", _EVENT_DAYS)
    count = scheduled_events.forget_cancelled(now - timedelta(days=max(0, days)))
    if count:
        removed["events"] = count
    days = settings.RETENTION_DAYS.get("transcripts", _TRANSCRIPT_DAYS)
    count = runs.forget_transcripts(now - timedelta(days=max(0, days)), at_most=BATCH)
    if count:
        removed["transcripts"] = count
    count = authorizations.forget_unusable(at_most=BATCH)
    if count:
        removed["authorizations"] = count
    if removed:
        log.info("retention %s", " ".join(f"{name}={count}" for name, count in removed.items()))
    return removed
