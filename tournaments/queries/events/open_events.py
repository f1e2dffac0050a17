"""Open events on lists: the round, the next moment, and whether people may join now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Entry, Event, Game, Round
from tournaments.models.events import EventQuerySet
from tournaments.queries import formats
from tournaments.queries.events import admission

# Lists look at the latest open events, up to this number.
_AT_MOST = 100
_LATER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class OpenEvent:
    """An open event on a list.

    Attributes:
        event: the event, with the number of its players in `playing`.
        round_number: the last published round, 0 before the first. None in formats without common
            rounds.
        next_round_at: the start of the next round, if it is known and still to come.
        is_joinable: whether a person may enter now. A missing access code is no obstacle.
    """

    event: Event
    round_number: int | None
    next_round_at: datetime | None
    is_joinable: bool


@dataclass(frozen=True, slots=True)
class _Figures:
    """Figures of an event: its players, its last round, the last published one, and unfinished games."""

    playing: int
    drafted: int | None
    published: int | None
    has_games: bool


def with_playing(events: EventQuerySet) -> EventQuerySet:
    """Events as lists show them: with how many play, in `playing`, counted for those that are shown."""
    active = (
        Entry.objects.active().contestants().filter(event=OuterRef("pk")).order_by().values("event")
    )
    count = Subquery(active.annotate(count=Count("pk")).values("count"))
    return events.annotate(playing=Coalesce(count, 0))


def rows(events: EventQuerySet, now: datetime) -> list[OpenEvent]:
    """Return the latest open ones of `events`, which have `playing`.

    Events that people may join come first, running ones before those that start later.
    """
    latest = list(events.open()[:_AT_MOST])
    figures = _figures_of(events.filter(pk__in=[event.pk for event in latest]))
    return sorted((_row(event, figures[event.pk], now) for event in latest), key=_order)


def _figures_of(events: EventQuerySet) -> Mapping[int, _Figures]:
    known = Round.objects.filter(event=OuterRef("pk")).order_by("-number").values("number")
    ongoing = Game.objects.ongoing().filter(pairing__event=OuterRef("pk"))
    annotated = events.order_by().annotate(
        drafted=Subquery(known[:1]),
        published=Subquery(known.exclude(state=Round.State.DRAFT)[:1]),
        has_games=Exists(ongoing),
    )
    columns = annotated.values_list("pk", "playing", "drafted", "published", "has_games")
    return {pk: _Figures(*figures) for pk, *figures in columns}


def _row(event: Event, figures: _Figures, now: datetime) -> OpenEvent:
    is_continuous = formats.of(event).is_continuous
    is_between_rounds = (
        event.state == Event.State.RUNNING
        and event.is_automatic
        and not (event.paused_at or figures.has_games or is_continuous)
    )
    moment = event.next_step_at if is_between_rounds else None
    return OpenEvent(
        event=event,
        round_number=None if is_continuous else figures.published or 0,
        next_round_at=moment if moment is not None and moment > now else None,
        is_joinable=_is_joinable(event, figures, now),
    )


def _is_joinable(event: Event, figures: _Figures, now: datetime) -> bool:
    """Return whether entries of people are accepted and a place is left, on the waiting list at least."""
    closes_at = event.registration_closes_at
    if event.admits == Event.Admits.BOTS or (closes_at is not None and closes_at <= now):
        return False
    if not admission.accepts_entries(event, drafted=figures.drafted or 0):
        return False
    return event.has_waiting_list or figures.playing < event.max_entries


def _order(row: OpenEvent) -> tuple[bool, bool, datetime]:
    is_later = row.event.state != Event.State.RUNNING
    return not row.is_joinable, is_later, row.event.starts_at or _LATER
