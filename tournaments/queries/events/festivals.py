"""Festivals: their sections, the obstacles to an entry, and the numbers of their boards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments.errors import RefusedError
from tournaments.models import (
    Entry,
    Event,
    Festival,
    Pairing,
    Player,
    Section,
    StaffMember,
    User,
    statements,
)
from tournaments.models.events import EventQuerySet
from tournaments.queries import formats
from tournaments.queries.events import admission, conditions


def without_figures(user: User | None) -> QuerySet[Festival]:
    """Return the festivals that lists show to `user`.

    Others than the organiser see a festival once it has a section that they may see.
    """
    own = Q(organiser=user) if user is not None else Q(pk=None)
    return Festival.objects.filter(own | Exists(_sections(user)))


def visible(user: User | None) -> QuerySet[Festival]:
    """Return the festivals that lists show to `user`, with figures about their visible sections.

    The figures are `section_count` and `playing`.
    """
    mine = _sections(user)
    seen = conditions.visible(Event.objects.all(), user).order_by().values("pk")
    active = Entry.objects.active().contestants().order_by()
    active = active.filter(event__in=seen, event__section__festival=OuterRef("pk"))
    return (
        without_figures(user)
        .select_related("organiser__player")
        .annotate(
            section_count=_count(mine.values("section__festival")),
            playing=_count(active.values("event__section__festival")),
        )
    )


def current(user: User | None) -> QuerySet[Festival]:
    """Return the visible festivals with a section that is open, and those without sections."""
    has_open = Exists(_sections(user).open())
    return visible(user).filter(has_open | ~Exists(Section.objects.filter(festival=OuterRef("pk"))))


def past(user: User | None) -> QuerySet[Festival]:
    """Return the visible festivals whose sections are over, one of which was played."""
    played = _sections(user).filter(state=Event.State.FINISHED)
    return visible(user).filter(~Exists(_sections(user).open()), Exists(played))


def _sections(user: User | None) -> EventQuerySet:
    events = conditions.visible(Event.objects.all(), user).order_by()
    return events.filter(section__festival=OuterRef("pk"))


def _count(rows: QuerySet[Any, Any]) -> Coalesce:
    """Return the number of rows, which are grouped by their festival."""
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n"), IntegerField()), 0)


def may_change(festival: Festival, user: User | None) -> bool:
    """Return whether the user is the organiser, or an administrator."""
    return user is not None and (festival.organiser_id == user.pk or user.is_superuser)


def sections_for(festival: Festival, user: User | None) -> list[Event]:
    """Return the sections that the user may see, in their order."""
    events = Event.objects.filter(section__festival=festival)
    return list(conditions.visible(events, user).order_by("section__position"))


def siblings(event: Event, user: User | None) -> list[Event]:
    """Return all sections of the event's festival that the user may see. Empty without a festival."""
    if not hasattr(event, "section"):
        return []
    events = Event.objects.filter(section__festival__sections__event=event)
    rows = conditions.visible(events, user).select_related("section__festival")
    return list(rows.order_by("section__position"))


def open_siblings(event: Event, user: User | None) -> list[Event]:
    """Return the other sections to which an entry of the event can be moved: before both have started."""
    if event.state != Event.State.REGISTRATION:
        return []
    others = (each for each in siblings(event, user) if each.pk != event.pk)
    return [each for each in others if each.state == Event.State.REGISTRATION]


def deputies(festival: Festival) -> list[StaffMember]:
    """Return the deputies of the whole: those who are deputies of every section, by their first role."""
    roles = StaffMember.objects.filter(
        event__section__festival=festival, role=StaffMember.Role.DEPUTY
    )
    sections = festival.sections.count()
    everywhere = roles.order_by().values("user").annotate(n=Count("pk")).filter(n=sections)
    rows = roles.filter(user__in=everywhere.values("user")).select_related("user__player")
    by_user = {member.user_id: member for member in rows.order_by("-event__section__position")}
    return list(by_user.values())


def other_entry(
    event: Event, player: Player | None, fide_ids: Collection[str] = ()
) -> Entry | None:
    """Return the first entry of these people in another section of the event's festival, if there is one.

    A person is an account, a bot, or a player of a list with a FIDE id.
    """
    same = Q(fide_id__in=[each for each in fide_ids if each])
    if player is not None:
        same |= Q(player=player)
    rows = Entry.objects.filter(same, event__section__festival__sections__event=event)
    others = rows.exclude(event=event).exclude(state=Entry.State.WITHDRAWN)
    return others.select_related("event", "player").first()


@dataclass(frozen=True, slots=True)
class Choice:
    """A section on the entry page.

    Attributes:
        playing: the number of active players, or teams.
        obstacle: the reason that the player may not enter, or None. A missing access code is none.
        own: the player's entry in the section, or None.
    """

    event: Event
    playing: int
    obstacle: RefusedError | None
    own: Entry | None


def choices(festival: Festival, user: User | None, player: Player | None) -> list[Choice]:
    """Return the sections that the user may see, with the obstacles to an entry of the player.

    Without a player the obstacles are those of any person.
    """
    sections = sections_for(festival, user)
    own = {}
    if player is not None:
        entries = Entry.objects.filter(player=player, event__section__festival=festival)
        own = {entry.event_id: entry for entry in entries.exclude(state=Entry.State.WITHDRAWN)}
    rows = []
    for event in sections:
        playing = event.entries.active().contestants().count()
        obstacle = _obstacle(event, player, playing)
        if own:
            obstacle = RefusedError("section-entered", event.slug)
        rows.append(Choice(event, playing, obstacle, own.get(event.pk)))
    return rows


def _obstacle(event: Event, player: Player | None, playing: int) -> RefusedError | None:
    if not admission.accepts_entries(event):
        return RefusedError("event-closed", event.state)
    if playing >= event.max_entries and not event.has_waiting_list:
        return RefusedError("event-full", str(event.max_entries))
    if event.admits == Event.Admits.BOTS:
        return RefusedError("bots-only", event.slug)
    if player is None:
        return None
    try:
        admission.require_fit(event, player)
        conditions.require(event, player, event.access_code)
    except RefusedError as error:
        return error
    return None


def first_board(event: Event, round_number: int) -> int:
    """Return the number of the first board of a round: after those of the sections before.

    A section without that round has as many boards as its players need. 1 outside of festivals.
    """
    section = _section_of.one(event=event.pk)
    if section is None or not section.festival.has_continuous_boards:
        return 1
    before = Event.objects.filter(
        section__festival=section.festival, section__position__lt=section.position
    )
    return 1 + sum(_boards(each, round_number) for each in before)


@statements.query
def _section_of(event: int) -> QuerySet[Section]:
    return Section.objects.select_related("festival").filter(event=event).order_by()


def _boards(event: Event, round_number: int) -> int:
    if formats.of(event).is_continuous:
        return 0
    paired = Pairing.objects.filter(event=event, round__number=round_number).count()
    if not event.is_open:
        return paired
    return max(paired, event.entries.active().contestants().count() // 2)
