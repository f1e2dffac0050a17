"""Merging: two entries of one person become one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, Event, Round, User
from tournaments.queries.events import player_lists, staff
from tournaments.queries.events.staff import Task
from tournaments.services.events import seeding
from tournaments.services.events.acts import TOUCHES_PAIRINGS, act
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds

# The columns of an entry that the other entry fills if they are empty.
COLUMNS = ("listed_centielo", "national_centielo", "listed_seed", *player_lists.TEXTS)


@dataclass(frozen=True, slots=True)
class MergedValue:
    """A column with its values: of the entry that stays, of the other one, and after the merge."""

    column: str
    own: object
    other: object

    @property
    def merged(self) -> object:
        """The value of the entry that stays, or the other one in place of an empty value."""
        return self.other if self.own in (None, "") else self.own


@dataclass(frozen=True, slots=True)
class Merge:
    """The consequences of a merge.

    Attributes:
        entry: the entry that stays.
        other: the entry that is deleted.
        values: the columns that one of them fills.
        byes: the rounds of the other's byes that the entry takes over.
    """

    entry: Entry
    other: Entry
    values: tuple[MergedValue, ...]
    byes: tuple[int, ...]


def preview(*, event_id: int, actor: User, entry_id: int, other_id: int) -> Merge:
    """Return the consequences of a merge. If only the other entry can stay, that one stays.

    Raises the errors of `merge`.
    """
    event = Event.objects.get(pk=event_id)
    staff.require(event, actor, Task.ENTRIES)
    try:
        return _checked(event, entry_id, other_id)
    except RefusedError as refusal:
        if refusal.code != "merge-other-way":
            raise
        return _checked(event, other_id, entry_id)


@act(
    "merge",
    task=Task.ENTRIES,
    done=_("The two entries are one."),
    action="entry-merge",
    warning=TOUCHES_PAIRINGS,
)
def merge(event: Event, actor: User, *, entry_id: int, other_id: int) -> Entry:
    """Let one entry stay with the data of both, and delete the other one with its player.

    The entry that stays keeps its name, its state and its values. The other one fills empty values,
    ratings of later rounds, byes and forbidden pairs. Without the right to half-point byes of one of
    them the entry has none. A draft is discarded.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `entry-deleted`.
        RefusedError: `not-over-the-board`, `event-closed`, `merge-teams`, `merge-same`,
            `merge-claims` if the other one is claimed, `merge-accounts` if both have accounts,
            `merge-played` if both were in a published round, `merge-other-way` if the other one
            must stay: for its account, or for its rounds.
    """
    plan = _checked(event, entry_id, other_id)
    entry, other = plan.entry, plan.other
    rounds.drop_draft(event)
    if entry.listed_centielo is None:
        entry.source_list, entry.source_centielo = other.source_list, other.source_centielo
    for each in plan.values:
        setattr(entry, each.column, each.merged)
    entry.checked_in_at = entry.checked_in_at or other.checked_in_at
    if entry.fee_state == Entry.FeeState.OWED:
        entry.fee_state = other.fee_state
    columns = [*(each.column for each in plan.values), "checked_in_at", "fee_state"]
    if not entry.start_list:
        entry.start_list, entry.start_centielo = other.start_list, other.start_centielo
    entry.later_ratings = entry.later_ratings or other.later_ratings
    entry.has_half_byes = entry.has_half_byes and other.has_half_byes
    columns += ["source_list", "source_centielo", "start_list", "start_centielo"]
    columns += ["later_ratings", "has_half_byes"]
    entry.save(update_fields=columns)
    other.bye_requests.filter(round_number__in=plan.byes).update(entry=entry)
    _take_over_prohibitions(entry, other)
    name, player = other.player.name, other.player
    other.bye_requests.all().delete()
    other.delete()
    player.delete()
    is_published = event.rounds.exclude(state=Round.State.DRAFT).exists()
    if event.state == Event.State.RUNNING:
        seeding.seed_again(event, renumber=not is_published)
    merge.note(event, actor, player=entry.player_id, entry=entry.pk, name=name)
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    entry.refresh_from_db()
    return entry


def _checked(event: Event, entry_id: int, other_id: int) -> Merge:
    if not event.is_over_the_board:
        raise RefusedError("not-over-the-board", event.slug)
    if not event.is_open:
        raise RefusedError("event-closed", event.state)
    if event.is_of_teams:
        raise RefusedError("merge-teams")
    if entry_id == other_id:
        raise RefusedError("merge-same")
    rows = event.entries.select_related("player").in_bulk([entry_id, other_id])
    if len(rows) < 2:
        raise StaleError("entry-deleted")
    entry, other = rows[entry_id], rows[other_id]
    _require_removable(entry, other)
    return Merge(entry, other, tuple(_values(entry, other)), _byes(entry, other))


def _require_removable(entry: Entry, other: Entry) -> None:
    """Raise RefusedError unless `other` can be deleted."""
    was_paired, was_other_paired = map(_was_in_a_round, (entry, other))
    if was_paired and was_other_paired:
        raise RefusedError("merge-played", other.player.name)
    if not other.player.is_listed and not entry.player.is_listed:
        raise RefusedError("merge-accounts", other.player.name)
    if was_other_paired or not other.player.is_listed:
        if was_paired or not entry.player.is_listed:
            raise RefusedError("merge-claim", other.player.name)
        raise RefusedError("merge-other-way", other.player.name)
    if other.claims.exists():
        raise RefusedError("merge-claims", other.player.name)


def _was_in_a_round(entry: Entry) -> bool:
    """Return whether the entry has a place in a published round, or a penalty of one that was published."""
    is_seated = entry.seats.exclude(round__state=Round.State.DRAFT).exists()
    return is_seated or entry.sanctions.exists()


def _values(entry: Entry, other: Entry) -> Iterator[MergedValue]:
    for column in COLUMNS:
        value = MergedValue(column, getattr(entry, column), getattr(other, column))
        if value.merged not in (None, ""):
            yield value


def _byes(entry: Entry, other: Entry) -> tuple[int, ...]:
    own = set(entry.bye_requests.values_list("round_number", flat=True))
    numbers = other.bye_requests.order_by("round_number").values_list("round_number", flat=True)
    return tuple(number for number in numbers if number not in own)


def _take_over_prohibitions(entry: Entry, other: Entry) -> None:
    """Put the entry in the groups of the other one. A group of one player has no effect and is deleted."""
    for group in list(other.prohibitions.all()):
        group.entries.remove(other)
        group.entries.add(entry)
        if group.entries.count() < 2:
            group.entries.clear()
            group.delete()
