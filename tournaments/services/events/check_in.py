"""Check-in: players report their presence before the start, and absent ones are left out."""

from __future__ import annotations

from datetime import datetime

from tournaments import database_time
from tournaments.errors import NotAllowedError, StaleError
from tournaments.models import Entry, Event, Player, User
from tournaments.queries.events import admission, staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import entries
from tournaments.services.events.acts import ENTRY_DONE, Declaration, act
from tournaments.services.notifications import news


def is_open(event: Event, now: datetime) -> bool:
    """Return whether players can check in at `now`: from the time the organiser gave to the start."""
    opens_at = event.check_in_opens_at
    return event.state == Event.State.REGISTRATION and opens_at is not None and opens_at <= now


@act("check-in", task=None, done=ENTRY_DONE)
def check_in(event: Event, actor: User, *, entry_id: int) -> Entry:
    """Note the presence of a player.

    Players check themselves in, the owners of bots their bots, and the staff all players.

    Raises:
        NotAllowedError: `not-your-player`.
        StaleError: `no-such-entry`, `check-in-closed`.
    """
    return _note(check_in, event, actor, entry_id, database_time.now())


@act("check-out", task=None, done=ENTRY_DONE)
def check_out(event: Event, actor: User, *, entry_id: int) -> Entry:
    """Undo a check-in. Raises errors as `check_in`."""
    return _note(check_out, event, actor, entry_id, None)


def _note(
    declaration: Declaration, event: Event, actor: User, entry_id: int, at: datetime | None
) -> Entry:
    entry = event.entries.active().select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("no-such-entry")
    if Task.CHECK_IN not in staff.tasks_of(event, actor):
        _require_own(event, entry, actor)
    if not is_open(event, database_time.now()):
        raise StaleError("check-in-closed")
    entry.checked_in_at = at
    entry.save(update_fields=["checked_in_at"])
    declaration.note(event, actor, player=entry.player_id)
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    return entry


def leave_out_absent(event: Event) -> None:
    """Withdraw players who have not checked in, if the event requires it.

    The waiting list fills places.

    Bots of the site are always present. In the caller's transaction, `event` locked, at the start.
    """
    if event.check_in_opens_at is None:
        return
    # Members of teams check in, not the teams.
    people = event.entries.active().guests().exclude(player__kind=Player.Kind.TEAM)
    absent = people.filter(checked_in_at=None)
    absent_entries = list(absent.select_related("player"))
    for entry in absent_entries:
        entry.state = Entry.State.WITHDRAWN
        entry.withdrawn_at = database_time.now()
        entry.left_round = 1
        entry.save(update_fields=["state", "withdrawn_at", "left_round"])
        audit.note("absent", event=event, player=entry.player_id)
    withdrawn = [
        (news.of_user(entry.player.user_id), "withdrawn", {"event": event.pk, "reason": ""})
        for entry in absent_entries
        if entry.player.user_id is not None
    ]
    admitted = entries.admitted_news(event, entries.fill_places(event))
    news.announce_each([*withdrawn, *admitted])


def _require_own(event: Event, entry: Entry, actor: User) -> None:
    try:
        admission.require_right(event, entry.player, actor)
    except NotAllowedError:
        raise NotAllowedError("not-your-player", entry.player.name) from None
