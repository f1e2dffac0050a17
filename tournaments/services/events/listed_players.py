"""Players without accounts, whom the organiser of an event over the board enters by a list."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, Event, Player, User
from tournaments.models.players import canonical_name
from tournaments.queries.events import duplicates, player_lists, staff
from tournaments.queries.events.player_lists import ListedPlayer, PlayerList
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import acts, entries, rating_lists, single_entries, teams
from tournaments.services.events.acts import act
from tournaments.services.notifications import news


def preview(*, event_id: int, actor: User, text: str) -> PlayerList:
    """Return the players that `text` would enter. Names that the event has already are marked.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `not-over-the-board`, `list-large`, `list-empty`.
    """
    event = Event.objects.get(pk=event_id)
    staff.require(event, actor, Task.ENTRIES)
    _require_board(event)
    return player_lists.read(text, entered=duplicates.of_event(event))


def enter_all(*, event_id: int, actor: User, players: Sequence[ListedPlayer]) -> list[Entry]:
    """Enter all of these players together or no player. Two entries of one name are two players.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `not-over-the-board`, `list-empty`, `event-closed`, `event-full`, `section-entered`, or
            `listed-<problem>` as `player_lists.Problem` has them.
    """
    checked = [player_lists.checked(player) for player in players]
    if not checked:
        raise RefusedError("list-empty")
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.ENTRIES)
        _require_board(event)
        single_entries.require_listed(event, checked)
        entries.require_places(event, 0 if event.is_of_teams else len(checked))
        if event.is_of_teams:
            rows = [_join(event, player) for player in checked]
        else:
            rows = [_enter(event, player) for player in checked]
        if event.state == Event.State.RUNNING:
            rating_lists.note_start(event, rows)
        audit.note("entry-list", event=event, actor=actor, players=[row.player_id for row in rows])
        news.announce(news.of_event(event.pk), "entries", {"players": len(rows)})
        return rows


def create_player(name: str) -> Player:
    """A player without an account. In the caller's transaction."""
    return Player.objects.create(
        kind=Player.Kind.LISTED,
        name=name,
        canonical=canonical_name(name),
        created_at=database_time.now(),
    )


def new_entry(event: Event, listed: ListedPlayer) -> Entry:
    """The entry of a new player of a list, not saved. In the caller's transaction."""
    return Entry(
        event=event,
        player=create_player(listed.name),
        entered_at=database_time.now(),
        **_columns(listed),
    )


def _enter(event: Event, listed: ListedPlayer) -> Entry:
    entry = new_entry(event, listed)
    entries.number_late(event, entry)
    entry.save()
    entries.give_late_half_point(event, entry)
    return entry


def _join(event: Event, listed: ListedPlayer) -> Entry:
    """Enter a player for the team that the column of the club names, which enters with its first player.

    Raises RefusedError `team-column` without it, and as `teams.create`.
    """
    if not listed.club:
        raise RefusedError("team-column", listed.name)
    named = event.entries.contestants().filter(player__canonical=canonical_name(listed.club))
    team = named.first() or teams.new_team(event, listed.club)
    return teams.add_member(event, team, create_player(listed.name), columns=_columns(listed))


def _columns(listed: ListedPlayer) -> dict[str, object]:
    rating = None if listed.rating_elo is None else 100 * listed.rating_elo
    source = {"source_list": listed.source, "source_centielo": rating} if listed.source else {}
    return {
        **source,
        "listed_centielo": rating,
        "national_centielo": None if listed.national_elo is None else 100 * listed.national_elo,
        **{name: getattr(listed, name) for name in player_lists.TEXTS},
    }


@act("entry-edit", task=Task.ENTRIES, done=_("The entry was changed."))
def edit(event: Event, actor: User, *, entry_id: int, player: ListedPlayer) -> Entry:
    """Change the data of the list about an entry. People with accounts keep their own names.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `entry-deleted`.
        RefusedError: `not-over-the-board`, `listed-<problem>`, or `rating-late` for another rating
            once the event has begun and numbers have been given by it.
    """
    checked = player_lists.checked(player)
    _require_board(event)
    entry = _entry(event, entry_id)
    columns = _columns(checked)
    if (
        event.state != Event.State.REGISTRATION
        and entry.listed_centielo != columns["listed_centielo"]
    ):
        raise RefusedError("rating-late", entry.player.name)
    before = entry.player.name
    if entry.player.is_listed and before != checked.name:
        Player.objects.filter(pk=entry.player_id, kind=Player.Kind.LISTED).update(
            name=checked.name, canonical=canonical_name(checked.name)
        )
    Entry.objects.filter(pk=entry.pk).update(**columns)
    edit.note(
        event,
        actor,
        player=entry.player_id,
        before=before,
        after=checked.name,
    )
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    return _entry(event, entry_id)


@act("entry-remove", task=Task.ENTRIES, done=_("The entry was deleted."))
def remove(event: Event, actor: User, *, entry_id: int) -> None:
    """Delete an entry of a list before the start, with its player. Later players are withdrawn.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `entry-deleted`, `not-registering`.
        RefusedError: `not-over-the-board`, or `not-listed` for people with accounts, and for a
            claimed entry.
    """
    _require_board(event)
    if event.state != Event.State.REGISTRATION:
        raise StaleError("not-registering", event.state)
    entry = _entry(event, entry_id)
    if not entry.player.is_listed or entry.claims.exists():
        raise RefusedError("not-listed", entry.player.name)
    name, player = entry.player.name, entry.player
    entry.bye_requests.all().delete()
    entry.delete()
    player.delete()
    remove.note(event, actor, name=name)
    news.announce(news.of_event(event.pk), "entries", {})


def _entry(event: Event, entry_id: int) -> Entry:
    entry = event.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("entry-deleted", str(entry_id))
    return entry


def _require_board(event: Event) -> None:
    if not event.is_over_the_board:
        raise RefusedError("not-over-the-board", event.slug)
