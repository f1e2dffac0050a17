"""Claims: a person with an account claims an entry of the organiser's list."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, EntryClaim, Event, Game, Player, User
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import acts, single_entries
from tournaments.services.notifications import news


def claim(*, event_id: int, player: Player, entry_id: int) -> EntryClaim:
    """Claim this entry for `player`, who has an account. The organiser answers.

    Raises:
        StaleError: `entry-deleted`.
        RefusedError: `claim-not-listed` for an entry of a person with an account, `already-entered`
            for a player of the event, `claimed-already`.
    """
    with transaction.atomic():
        event = Event.locked(event_id)
        entry = event.entries.select_related("player").filter(pk=entry_id).first()
        if entry is None:
            raise StaleError("entry-deleted", str(entry_id))
        if not entry.player.is_listed:
            raise RefusedError("claim-not-listed", entry.player.name)
        if event.entries.filter(player=player).exists():
            raise RefusedError("already-entered", player.name)
        try:
            with transaction.atomic():
                entry_claim = EntryClaim.objects.create(
                    entry=entry, listed=entry.player, player=player, made_at=database_time.now()
                )
        except IntegrityError as error:
            raise RefusedError("claimed-already", entry.player.name) from error
        audit.note("claim", event=event, actor=player.user, player=player.pk, entry=entry.pk)
        news.announce(news.of_event(event.pk), "entries", {"player": player.pk})
        return entry_claim


def answer(*, event_id: int, actor: User, claim_id: int, is_accepted: bool) -> EntryClaim:
    """Accept or refuse a claim.

    Accepted, the entry and its games belong to the account's player, and other claims on the entry
    are refused.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `claim-answered`.
        RefusedError: `claim-entered` when the player is in the event by another entry, `section-entered`
            when in another section.
    """
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.ENTRIES)
        claims = EntryClaim.objects.filter(entry__event=event, state=EntryClaim.State.OPEN)
        entry_claim = claims.select_related("entry", "listed", "player").filter(pk=claim_id).first()
        if entry_claim is None:
            raise StaleError("claim-answered", str(claim_id))
        if is_accepted:
            single_entries.require_single(event, entry_claim.player)
            if event.entries.filter(player=entry_claim.player).exists():
                raise RefusedError("claim-entered", entry_claim.player.name)
        answered = {"answered_at": database_time.now(), "answered_by": actor}
        state = EntryClaim.State.ACCEPTED if is_accepted else EntryClaim.State.REFUSED
        claims.filter(pk=claim_id).update(state=state, **answered)
        if is_accepted:
            others = claims.filter(entry=entry_claim.entry)
            others.update(state=EntryClaim.State.REFUSED, **answered)
            _hand_over(entry_claim)
        audit.note(
            "claim-answer",
            event=event,
            actor=actor,
            entry=entry_claim.entry_id,
            player=entry_claim.player_id,
            is_accepted=is_accepted,
        )
        news.announce(news.of_event(event.pk), "entries", {"player": entry_claim.player_id})
        entry_claim.refresh_from_db()
        return entry_claim


def _hand_over(entry_claim: EntryClaim) -> None:
    """Give the entry and its games to the player. The accepted claim permits it."""
    listed, player = entry_claim.listed, entry_claim.player
    Entry.objects.filter(pk=entry_claim.entry_id).update(player=player)
    Game.objects.filter(first=listed).update(first=player)
    Game.objects.filter(second=listed).update(second=player)
