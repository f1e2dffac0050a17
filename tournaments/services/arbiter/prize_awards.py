"""Award of the prizes of an event: the organiser confirms the prizes by the final standings."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import AuditEntry, Award, AwardList, Event, User
from tournaments.queries.events import prizes
from tournaments.queries.events.staff import Task
from tournaments.queries.results import awards, festival_awards
from tournaments.queries.results.prize_outcomes import EventAwards
from tournaments.services.events.acts import act
from tournaments.services.notifications import news


@act("award", task=Task.SETTINGS, done=_("The prizes were awarded. The winners were notified."))
def confirm(event: Event, actor: User) -> AwardList:
    """Award the prizes by the current standings, and notify the winners who have an account.

    A later correction does not change the award: the organiser undoes the entry of the log, and
    confirms the awards again.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `not-finished` before the end of the event, `prizes-awarded`, `festival-first` before
            the prizes of its festival.
        RefusedError: `prizes-none` without prizes, `awards-none` without an entitled player.
    """
    if event.state != Event.State.FINISHED:
        raise StaleError("not-finished", event.state)
    if prizes.standing_awards(event) is not None:
        raise StaleError("prizes-awarded")
    _require_festival_awarded(event)
    outcome = awards.of_event(event)
    if outcome is None:
        raise RefusedError("prizes-none")
    if not outcome.winners:
        raise RefusedError("awards-none")
    entry = confirm.note(
        event,
        actor,
        players=list(dict.fromkeys(winner.entry.player_id for winner in outcome.winners)),
    )
    confirmed = store(AwardList(event=event, log_entry=entry), outcome)
    news.announce(news.of_event(event.pk), "prizes", {})
    return confirmed


def _require_festival_awarded(event: Event) -> None:
    """Raise StaleError `festival-first` if prizes of the festival come before those of the section."""
    festival = festival_awards.festival_before(event)
    if festival is not None and prizes.standing_awards(festival) is None:
        raise StaleError("festival-first", festival.slug)


def store(confirmed: AwardList, outcome: EventAwards) -> AwardList:
    """Return the list of awards, now saved, and notify the winners. In the caller's transaction."""
    confirmed.currency = outcome.currency
    confirmed.made_at = database_time.now()
    confirmed.save()
    rows = outcome.rows()
    for row in rows:
        row.list = confirmed
    Award.objects.bulk_create(rows)
    _tell("prize", rows, confirmed)
    return confirmed


def take_back(event: Event, entry: AuditEntry) -> None:
    """Withdraw the awards that `entry` confirmed, and notify the winners.

    In the caller's transaction, `event` locked.

    Raises StaleError `undo-late` if they are no longer in force.
    """
    confirmed = AwardList.objects.filter(event=event, log_entry=entry, taken_back_at=None).first()
    if confirmed is None:
        raise StaleError("undo-late")
    withdraw(confirmed)


def withdraw(confirmed: AwardList) -> None:
    """End the awards of the list, and notify the winners. In the caller's transaction."""
    confirmed.taken_back_at = database_time.now()
    confirmed.save(update_fields=["taken_back_at"])
    _tell("prize-back", awards.confirmed_rows(confirmed), confirmed)


def _tell(kind: str, rows: Iterable[Award], confirmed: AwardList) -> None:
    news.announce_each(
        (
            news.of_user(row.entry.player.user_id),
            kind,
            {
                "event": row.entry.event_id,
                "amount": row.amount,
                "currency": confirmed.currency,
                "words": row.words,
            },
        )
        for row in rows
        if row.entry.player.user_id is not None
    )
