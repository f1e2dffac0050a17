"""Moves of entries between the sections of a festival before both have started."""

from __future__ import annotations

from django.db import transaction

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, Event, User
from tournaments.queries import formats
from tournaments.queries.events import admission, staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import entries
from tournaments.services.events.acts import ENTRY_DONE, TOUCHES_PAIRINGS, long_act
from tournaments.services.notifications import news


@long_act("move", task=Task.ENTRIES, done=ENTRY_DONE, action="section-to", warning=TOUCHES_PAIRINGS)
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
    last = target.rounds_total if formats.of(target).is_swiss else 0
    entry.bye_requests.filter(round_number__gt=last).delete()
    entry.event, entry.state, entry.listed_seed = target, Entry.State.ACTIVE, None
    entry.save(update_fields=["event", "state", "listed_seed"])
