"""Changes of a festival by its organiser: its name, its settings, its sections, and their deputies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Entry, Event, Festival, Section, StaffMember, User
from tournaments.models.festivals import MAX_DESCRIPTION, MAX_SECTIONS, NAME_LENGTH
from tournaments.queries.events import festivals as queries
from tournaments.queries.events import prizes
from tournaments.queries.events.plans import EventPlan
from tournaments.services import audit
from tournaments.services.accounts import players
from tournaments.services.events import prize_changes, registration, staff_members

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_AN_ORGANISER = 100
_RESERVED_SLUGS = {"new"}


@dataclass(frozen=True, slots=True)
class About:
    """The name of a festival, its description, and its settings."""

    name: str
    description: str = ""
    has_continuous_boards: bool = True
    prizes_by: Festival.PrizesBy = Festival.PrizesBy.PERCENT


@dataclass(frozen=True, slots=True)
class FestivalAct:
    """An act on a festival, and the message after it.

    Its function gets the locked festival, the organiser who acts, and the slug of an event or the name of
    a player.
    """

    done: _StrPromise
    function: Callable[[Festival, User, str], None]


def create(*, organiser: User, about: About) -> Festival:
    """Return a new festival without sections. Raises RefusedError `festival-name`, `festival-many`."""
    with transaction.atomic():
        # One row of the organiser's, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
        if Festival.objects.filter(organiser=organiser).count() >= MAX_AN_ORGANISER:
            raise RefusedError("festival-many", str(MAX_AN_ORGANISER))
        festival = Festival(organiser=organiser, created_at=database_time.now())
        _fill(festival, about)
        registration.save_with_slug(festival, _RESERVED_SLUGS)
        audit.note("festival-create", actor=organiser, festival=festival.slug)
        return festival


def change(*, festival_id: int, actor: User, about: About) -> Festival:
    """Change the name, the description and the settings. The address and published rounds stay.

    Raises NotAllowedError `not-your-festival`, StaleError `festival-deleted`, `festival-awarded`, RefusedError
    `festival-name`.
    """
    with transaction.atomic():
        festival = lock(festival_id, actor)
        if about.prizes_by != festival.prizes_by:
            require_not_awarded(festival)
        _fill(festival, about)
        festival.save()
        audit.note("festival-change", actor=actor, festival=festival.slug, name=festival.name)
        return festival


def create_section(
    *, festival_id: int, actor: User, plan: EventPlan, prizes_of: Event | None = None
) -> Event:
    """Return a new event of the festival's organiser, its last section.

    Raises as `registration.create_event` and `run` do.
    """
    with transaction.atomic():
        festival = lock(festival_id, actor)
        event = registration.create_event(
            organiser=festival.organiser, plan=plan, prizes_of=prizes_of
        )
        run(code="add", festival_id=festival_id, actor=actor, subject=event.slug)
        return event


def run(*, code: str, festival_id: int, actor: User, subject: str = "") -> None:
    """Do an act of `ACTS` on an event by its slug, or on a player by name, and add it to the audit log.

    Raises:
        NotAllowedError: `not-your-festival`.
        RefusedError: `form-bad` for an unknown code, and the errors of the act.
        StaleError: `festival-deleted`, and errors of the act.
    """
    if code not in ACTS:
        raise RefusedError("form-bad", code[:40])
    with transaction.atomic():
        festival = lock(festival_id, actor, subject)
        ACTS[code].function(festival, actor, subject)
        audit.note(f"festival-{code}", actor=actor, festival=festival.slug, subject=subject)


def lock(festival_id: int, actor: User, slug: str = "") -> Festival:
    """Return the festival. Its sections and the event are locked before it, as an entry locks them.

    In the caller's transaction. Raises StaleError `festival-deleted`, NotAllowedError `not-your-festival`.
    """
    own = Q(section__festival=festival_id)
    named = Q(slug=slug) if slug and "\x00" not in slug else Q(pk=None)
    rows = Event.objects.filter(own | named).select_for_update(of=("self",), no_key=True)
    list(rows.order_by("pk"))
    festivals = Festival.objects.select_for_update(no_key=True)
    festival = festivals.filter(pk=festival_id).first()
    if festival is None:
        raise StaleError("festival-deleted", str(festival_id))
    if not queries.may_change(festival, actor):
        raise NotAllowedError("not-your-festival", festival.slug)
    return festival


def require_not_awarded(festival: Festival) -> None:
    """Raise StaleError `festival-awarded` if the prizes of the festival are awarded."""
    if prizes.standing_awards(festival) is not None:
        raise StaleError("festival-awarded", festival.slug)


def _fill(festival: Festival, about: About) -> None:
    name = " ".join(about.name.split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise RefusedError("festival-name", name[:NAME_LENGTH])
    festival.name = name
    festival.description = about.description.replace("\x00", "").strip()[:MAX_DESCRIPTION]
    festival.has_continuous_boards = about.has_continuous_boards
    festival.prizes_by = about.prizes_by


def _add(festival: Festival, actor: User, slug: str) -> None:
    """Add an event of the organiser's behind the other sections, with the deputies of the whole.

    Raises RefusedError: `section-event`, `section-there`, `festival-full`, `section-entered` if a player
    of it has entered another section. Raises StaleError `festival-awarded`.
    """
    require_not_awarded(festival)
    if "\x00" in slug:
        raise RefusedError("section-event")
    event = Event.objects.filter(slug=slug, organiser=festival.organiser_id).first()
    if event is None:
        raise RefusedError("section-event", slug[:NAME_LENGTH])
    if Section.objects.filter(event=event).exists():
        raise RefusedError("section-there", slug)
    last = festival.sections.last()
    if festival.sections.count() >= MAX_SECTIONS:
        raise RefusedError("festival-full", str(MAX_SECTIONS))
    deputies = queries.deputies(festival) if last else []
    festival.sections.create(event=event, position=last.position + 1 if last else 1)
    entered = event.entries.exclude(state=Entry.State.WITHDRAWN).select_related("player")
    for entry in entered:
        other = queries.other_entry(event, entry.player, [entry.fide_id])
        if other is not None:
            raise RefusedError("section-entered", f"{entry.player.name}: {other.event.name}")
    for member in deputies:
        _make_deputy(event, actor, member.user)


def _make_deputy(event: Event, actor: User, user: User) -> None:
    """Make the account a deputy of the section, whatever its role there was."""
    role = StaffMember.Role.DEPUTY
    member = event.staff.filter(user=user).first()
    if member is not None and member.role != role:
        staff_members.remove(event_id=event.pk, actor=actor, member_id=member.pk)
    if member is None or member.role != role:
        staff_members.add(event_id=event.pk, actor=actor, player=user.player, role=role)


def _section(festival: Festival, slug: str) -> Section:
    section = festival.sections.filter(event__slug=slug).first() if "\x00" not in slug else None
    if section is None:
        raise StaleError("section-removed", slug[:NAME_LENGTH])
    return section


def _remove(festival: Festival, _actor: User, slug: str) -> None:
    """Remove a section. The event stays, on its own.

    Raises StaleError `section-removed`, `festival-awarded`.
    """
    require_not_awarded(festival)
    _section(festival, slug).delete()


def _move_up(festival: Festival, _actor: User, slug: str) -> None:
    """Exchange a section with the one before it. Raises StaleError `section-removed`, `festival-awarded`."""
    require_not_awarded(festival)
    section = _section(festival, slug)
    before = festival.sections.filter(position__lt=section.position).last()
    if before is not None:
        places = (before.position, section.position)
        section.position, before.position = places
        section.save(update_fields=["position"])
        before.save(update_fields=["position"])


def _appoint(festival: Festival, actor: User, name: str) -> None:
    """Make an account the deputy of every section, and of those that come later.

    Raises RefusedError: `festival-empty`, and those of `staff_members.add`.
    """
    player = players.named(name)
    sections = [row.event for row in festival.sections.select_related("event")]
    if not sections:
        raise RefusedError("festival-empty")
    if player.user is None:
        raise RefusedError("staff-no-account", player.name)
    for event in sections:
        _make_deputy(event, actor, player.user)


def _delete(festival: Festival, _actor: User, _subject: str) -> None:
    """Delete the festival with its prizes. Its sections stay, each on its own.

    Raises StaleError `festival-awards` if its prizes were awarded, even if the award was withdrawn.
    """
    if festival.award_lists.exists():
        raise StaleError("festival-awards", festival.slug)
    prize_changes.clear(festival)
    festival.delete()


ACTS: Mapping[str, FestivalAct] = {
    "add": FestivalAct(_("The event is a section of the festival now."), _add),
    "remove": FestivalAct(_("The section was removed. Its event stays."), _remove),
    "earlier": FestivalAct(_("The section was moved up."), _move_up),
    "deputy": FestivalAct(_("The deputy was appointed in every section."), _appoint),
    "delete": FestivalAct(_("The festival was deleted. Its events stay."), _delete),
}
