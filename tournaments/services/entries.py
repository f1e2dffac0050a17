"""Entering an event, leaving it, and asking for a bye."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.models import ByeRequest, Entry, Event, Round
from tournaments.services import audit, news, ratings, wake
from tournaments.services.errors import NotAllowedError, RefusedError, StaleError

if TYPE_CHECKING:
    from tournaments.models import Player, User


def enter(*, event_id: int, player: Player, actor: User) -> Entry:
    """Enter `player`, or let a withdrawn one return. People enter themselves; bots are entered by owner or organiser.

    Until half of the rounds are over entries may come late: they score nothing in the rounds they missed.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `event-closed`, `event-full`, `people-only`, `bots-only`, `already-entered`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        _require_right(event, player, actor)
        _require_room(event, player)
        entry = event.entries.filter(player=player).first()
        if entry is not None:
            return _return(event, entry, actor)
        entry = Entry(event=event, player=player, entered_at=timezone.now())
        _number(event, entry)
        try:
            with transaction.atomic():
                entry.save()
        except IntegrityError as error:
            raise RefusedError("already-entered", player.name) from error
        _tell(event, "entry", actor, player)
        return entry


def _return(event: Event, entry: Entry, actor: User) -> Entry:
    if entry.state == Entry.State.ACTIVE:
        raise RefusedError("already-entered", entry.player.name)
    entry.state = Entry.State.ACTIVE
    entry.withdrawn_at = None
    _number(event, entry)
    entry.save(update_fields=["state", "withdrawn_at", "tpn", "seed_centielo"])
    _tell(event, "return", actor, entry.player)
    return entry


def _number(event: Event, entry: Entry) -> None:
    """Give the next pairing number to an entry that has none although the event has begun."""
    if event.state != Event.State.RUNNING or entry.tpn is not None:
        return
    last = event.entries.aggregate(last=Max("tpn"))["last"] or 0
    entry.tpn = last + 1
    entry.seed_centielo = ratings.centielo_of(entry.player, ratings.pool_of(event.ruleset))


def withdraw(*, event_id: int, player: Player, actor: User | None) -> Entry:
    """Take `player` out of all further rounds; a running game goes on. `actor` is None when the service does it.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `not-entered`, `event-closed`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        if actor is not None:
            _require_right(event, player, actor)
        if event.state not in {Event.State.REGISTRATION, Event.State.RUNNING}:
            raise RefusedError("event-closed", event.state)
        changed = (
            event.entries.active()
            .filter(player=player)
            .update(state=Entry.State.WITHDRAWN, withdrawn_at=timezone.now())
        )
        if changed != 1:
            raise RefusedError("not-entered", player.name)
        _tell(event, "withdrawal", actor, player)
        return event.entries.get(player=player)


def request_bye(
    *, event_id: int, player: Player, actor: User, round_number: int, kind: str
) -> ByeRequest:
    """Announce that `player` does not play in a round that is not drafted yet; half a point at most once an event.

    Raises:
        NotAllowedError: `not-your-player`.
        RefusedError: `not-entered`, `no-such-round`, `bye-kind`, `half-bye-used`, `bye-requested`.
        StaleError: `round-paired`.
    """
    if kind not in ByeRequest.Kind.values:
        raise RefusedError("bye-kind", kind)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        _require_right(event, player, actor)
        entry = event.entries.active().filter(player=player).first()
        if entry is None:
            raise RefusedError("not-entered", player.name)
        if not 1 <= round_number <= event.rounds_total:
            raise RefusedError("no-such-round", str(round_number))
        if Round.objects.filter(event=event, number__gte=round_number).exists():
            raise StaleError("round-paired", str(round_number))
        has_half = entry.bye_requests.filter(kind=ByeRequest.Kind.HALF).exists()
        if kind == ByeRequest.Kind.HALF and has_half:
            raise RefusedError("half-bye-used", player.name)
        try:
            with transaction.atomic():
                request = ByeRequest.objects.create(
                    entry=entry, round_number=round_number, kind=kind, requested_at=timezone.now()
                )
        except IntegrityError as error:
            raise RefusedError("bye-requested", str(round_number)) from error
        _tell(event, "bye-request", actor, player)
        return request


def _require_right(event: Event, player: Player, actor: User) -> None:
    is_own = player.user_id == actor.pk
    owns_bot = player.is_bot and (player.bot.owner_id == actor.pk or event.organiser_id == actor.pk)
    if not (is_own or owns_bot):
        raise NotAllowedError("not-your-player", player.name)


def _require_room(event: Event, player: Player) -> None:
    if not accepts_entries(event):
        raise RefusedError("event-closed", event.state)
    if event.admits == Event.Admits.PEOPLE and player.is_bot:
        raise RefusedError("people-only", player.name)
    if event.admits == Event.Admits.BOTS and not player.is_bot:
        raise RefusedError("bots-only", player.name)
    if event.entries.active().count() >= event.max_entries:
        raise RefusedError("event-full", str(event.max_entries))


def accepts_entries(event: Event) -> bool:
    """Whether an entry may still come: before the start, or late before half of the rounds are paired."""
    if event.state == Event.State.REGISTRATION:
        return True
    paired = Round.objects.filter(event=event).count()
    return event.state == Event.State.RUNNING and paired * 2 < event.rounds_total


def _tell(event: Event, action: str, actor: User | None, player: Player) -> None:
    audit.note(action, event=event, actor=actor, player=player.pk)
    news.announce(news.of_event(event.pk), "entries", {"player": player.pk})
    if event.state == Event.State.RUNNING:
        wake.event(event.pk)
