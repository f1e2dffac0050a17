"""Ratings of a long event that hold from a later round on."""

from __future__ import annotations

from dataclasses import astuple

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Entry, Event, User
from tournaments.models.entries import HIGHEST_CENTIELO, LOWEST_CENTIELO, LaterRating
from tournaments.queries.events.staff import Task
from tournaments.services.events.acts import ENTRY_DONE, act
from tournaments.services.notifications import news


@act("rating-from", task=Task.ENTRIES, done=ENTRY_DONE)
def set_rating_from(
    event: Event,
    actor: User,
    *,
    entry_id: int,
    from_round: int,
    centielo: int | None = None,
    reason: str,
) -> Entry:
    """Give an entry another rating from a round on, in hundredths of a point. None removes it.

    The rating at the start stays, and with it pairing numbers and drafts.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `no-such-entry`.
        RefusedError: `rating-bad`, `no-such-round` for the first round too, `reason-bad`,
            `event-closed`, `team-rating` for a team, whose members have ratings.
    """
    later = None if centielo is None else LaterRating(from_round, centielo)
    return hold(event, actor, entry_id=entry_id, from_round=from_round, later=later, reason=reason)


def hold(
    event: Event,
    actor: User,
    *,
    entry_id: int,
    from_round: int,
    later: LaterRating | None,
    reason: str,
) -> Entry:
    """Store a later rating with its source, as `set_rating_from` does. The event is locked."""
    if later is not None and not LOWEST_CENTIELO <= later.centielo <= HIGHEST_CENTIELO:
        raise RefusedError("rating-bad", str(later.centielo))
    if not 2 <= from_round <= event.rounds_total:
        raise RefusedError("no-such-round", str(from_round))
    if not event.is_open:
        raise RefusedError("event-closed", event.state)
    entry = event.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise StaleError("no-such-entry")
    if event.is_of_teams and entry.team_id is None:
        raise RefusedError("team-rating", entry.player.name)
    before = _replace(entry, from_round, later)
    set_rating_from.note(
        event,
        actor,
        reason=reason,
        player=entry.player_id,
        entry=entry.pk,
        round=from_round,
        before=astuple(before) if before else None,
        after=astuple(later) if later else None,
    )
    payload: dict[str, object] = {"event": event.pk, "act": set_rating_from.code, "reason": reason}
    news.announce_to([entry.player], "entry", payload)
    news.announce(news.of_event(event.pk), "entries", {"player": entry.player_id})
    return entry


def restore(
    entry: Entry, from_round: int, *, after: LaterRating | None, before: LaterRating | None
) -> None:
    """Undo a change from `before` to `after`. Raise StaleError `undo-late` if the rating has changed since."""
    if _replace(entry, from_round, before) != after:
        raise StaleError("undo-late")


def _replace(entry: Entry, from_round: int, later: LaterRating | None) -> LaterRating | None:
    """Store the rating from that round on, and return the earlier one."""
    by_round = {each.from_round: each for each in entry.ratings_by_round}
    before = by_round.pop(from_round, None)
    if later is not None:
        by_round[from_round] = later
    entry.later_ratings = [astuple(by_round[number]) for number in sorted(by_round)]
    entry.save(update_fields=["later_ratings"])
    return before
