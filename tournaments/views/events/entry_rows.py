"""The entries on pages of the staff: in an event of teams each team with its members below it."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import Entry, Event
from tournaments.services.events import seeding


def of_event(event: Event) -> list[Entry]:
    """Return the entries with their players and byes.

    Before the start teams and their members have the ratings that they would start with.
    """
    rows = event.entries.select_related("player").prefetch_related("bye_requests")
    if not event.is_of_teams:
        return list(rows)
    if event.state == Event.State.REGISTRATION:
        return by_team(seeding.preview(event, rows))
    return by_team(rows)


def by_team(entries: Iterable[Entry]) -> list[Entry]:
    """Return the teams in the order of the entries, each before its members in the order of their boards."""
    teams: dict[int, list[Entry]] = {}
    members = []
    for entry in entries:
        if entry.team_id is None:
            teams[entry.pk] = [entry]
        else:
            members.append(entry)
    for member in sorted(members, key=lambda each: (each.board_order or 0, each.pk)):
        teams[member.team_id or 0].append(member)
    return [entry for team in teams.values() for entry in team]
