"""Tasks at the desk of an event: those of the organiser, and of the staff by their roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from django.db.models import QuerySet

from tournaments.errors import NotAllowedError
from tournaments.models import Event, Player, StaffMember, User, statements
from tournaments.queries.accounts import ownership


class Task(StrEnum):
    """A part of the organiser's work."""

    SETTINGS = "settings"  # the settings, the staff, the end of the event
    ENTRIES = "entries"  # entries, withdrawals, byes, prohibitions
    CHECK_IN = "check-in"  # who is there
    PAIRINGS = "pairings"  # drafts, publications, starts
    RESULTS = "results"  # results, corrections, clocks


_EVERYTHING = frozenset(Task)
TASKS: Mapping[str, frozenset[Task]] = {
    StaffMember.Role.DEPUTY: _EVERYTHING - {Task.SETTINGS},
    StaffMember.Role.PAIRINGS: frozenset({Task.PAIRINGS, Task.ENTRIES, Task.CHECK_IN}),
    StaffMember.Role.RESULTS: frozenset({Task.RESULTS}),
    StaffMember.Role.CHECK_IN: frozenset({Task.CHECK_IN}),
}


def tasks_of(event: Event, user: User) -> frozenset[Task]:
    """Return the tasks of `user` at the desk of `event`; empty for most people."""
    if event.organiser_id == user.pk or user.is_superuser:
        return _EVERYTHING
    role = _role_of.one(event=event.pk, user=user.pk)
    return TASKS[role[0]] if role else frozenset()


@statements.query
def _role_of(event: int, user: int) -> QuerySet[StaffMember, tuple[str]]:
    return StaffMember.objects.filter(event=event, user=user).values_list("role")


def accounts_with(event: Event, task: Task) -> set[int]:
    """The accounts that have this task: the organiser's, and those of the staff."""
    roles = [role for role, tasks in TASKS.items() if task in tasks]
    return {event.organiser_id, *event.staff.filter(role__in=roles).values_list("user", flat=True)}


def require(event: Event, actor: User, task: Task) -> None:
    """Raise NotAllowedError `not-organiser` unless `actor` has this task."""
    if task not in tasks_of(event, actor):
        raise NotAllowedError("not-organiser", event.slug)


def plays_in(actor: User, players: Iterable[Player]) -> bool:
    """Return whether one of the players of a game is `actor`, or a bot of that account."""
    return actor.pk in ownership.accounts_behind(players).values()


def is_conflicted(event: Event | None, actor: User, players: Iterable[Player]) -> bool:
    """Return whether `actor` has no arbiter's powers in a game, as one of its players.

    Over the board games are not rated and an organiser often plays. There they keep their powers,
    and the log names the conflict (docs/decisions/0026).
    """
    is_over_the_board = event is not None and event.is_over_the_board
    return not is_over_the_board and plays_in(actor, players)


def require_neutral(event: Event | None, actor: User, players: Iterable[Player]) -> None:
    """Raise NotAllowedError `own-game` if `actor` has no powers in a game of these players."""
    if is_conflicted(event, actor, players):
        raise NotAllowedError("own-game")
