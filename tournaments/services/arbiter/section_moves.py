"""Moves of entries between the sections of a festival before both have started."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.utils.translation import gettext

from tournaments.errors import RefusedError, StaleError
from tournaments.models import ByeRequest, Entry, Event, User
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events import admission, staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import fide_rules
from tournaments.services import audit
from tournaments.services.events import departures, entries
from tournaments.services.events.acts import ENTRY_DONE, TOUCHES_PAIRINGS, ActWarning, long_act
from tournaments.services.notifications import news


def _brings_a_full_bye(
    event: Event, *, entry_id: int, section: str, **_others: object
) -> Iterator[ActWarning]:
    """Yield the warning that the other section will leave FIDE's rules by a full-point bye."""
    target = Event.objects.filter(
        section__festival__sections__event=event, slug=section[:80].replace("\x00", "")
    ).first()
    if target is None or fide_rules.departures(target):
        return
    byes = ByeRequest.objects.filter(entry=entry_id, entry__event=event, kind=ByeRequest.Kind.FULL)
    if byes.filter(round_number__lte=_last_bye(target)).exists():
        words = gettext(
            "The player has a full-point bye. %(name)s will leave FIDE's rules permanently."
        )
        yield ActWarning(Level.DOUBLE, words % {"name": target.name})


@long_act(
    "move",
    task=Task.ENTRIES,
    done=ENTRY_DONE,
    action="section-to",
    warning=TOUCHES_PAIRINGS,
    asks=_brings_a_full_bye,
)
def move(event_id: int, actor: User, *, entry_id: int, section: str) -> Entry:
    """Move an entry to another section, which is named by its slug. Both logs have the move.

    The player keeps the data of the list and the byes that the other section can give. Forbidden
    pairings and a chosen number stay behind. An entry that waits is admitted.

    Raises:
        NotAllowedError: `not-organiser` without the task in both sections.
        StaleError: `no-such-entry`.
        RefusedError: `section-unknown`, `section-begun`, `section-teams`, `not-entered`,
            `already-entered`, `event-full`, `not-over-the-board` for a player of a list, and those of
            `admission.require_fit`.
    """
    with transaction.atomic():
        source, target = _lock_both(event_id, section)
        staff.require(target, actor, Task.ENTRIES)
        entry = source.entries.select_related("player").filter(pk=entry_id).first()
        if entry is None:
            raise StaleError("no-such-entry")
        _require_movable(source, target, entry)
        with departures.stored(target):
            _move(entry, target)
        items = entries.admitted_news(source, entries.fill_places(source))
        payload: dict[str, object] = {"event": target.pk, "act": move.code, "reason": ""}
        news.announce_each([*items, *news.to_players([entry.player], "entry", payload)])
        move.note(source, actor, player=entry.player_id, name=target.name)
        audit.note(
            "section-from", event=target, actor=actor, player=entry.player_id, name=source.name
        )
        for each in sorted((source, target), key=lambda event: event.pk):
            news.announce(news.of_event(each.pk), "entries", {"player": entry.player_id})
        return entry


def _lock_both(event_id: int, slug: str) -> tuple[Event, Event]:
    """Return the section and the other one of its festival. Rows are locked by ascending id."""
    rows = Event.objects.filter(section__festival__sections__event=event_id)
    locked = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    by_id = {event.pk: event for event in locked}
    target = next((each for each in by_id.values() if each.slug == slug), None)
    if target is None or target.pk == event_id:
        raise RefusedError("section-unknown", slug[:80])
    return by_id[event_id], target


def _require_movable(source: Event, target: Event, entry: Entry) -> None:
    states = {source.state, target.state}
    if states != {Event.State.REGISTRATION}:
        raise RefusedError("section-begun", target.name)
    if source.is_of_teams or target.is_of_teams:
        raise RefusedError("section-teams", target.name)
    if entry.state == Entry.State.WITHDRAWN:
        raise RefusedError("not-entered", entry.player.name)
    if entry.player.is_listed and not target.is_over_the_board:
        raise RefusedError("not-over-the-board", target.slug)
    admission.require_fit(target, entry.player)
    if target.entries.filter(player=entry.player_id).exists():
        raise RefusedError("already-entered", entry.player.name)
    entries.require_places(target, 1)


def _move(entry: Entry, target: Event) -> None:
    for group in entry.prohibitions.all():
        group.entries.remove(entry)
        if group.entries.count() < 2:
            group.delete()
    entry.bye_requests.filter(round_number__gt=_last_bye(target)).delete()
    entry.event, entry.state, entry.listed_seed = target, Entry.State.ACTIVE, None
    entry.save(update_fields=["event", "state", "listed_seed"])


def _last_bye(target: Event) -> int:
    """Return the last round in which the section can give a bye that a player brings along."""
    return target.rounds_total if formats.of(target).is_swiss else 0
