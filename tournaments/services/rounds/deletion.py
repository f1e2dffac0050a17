"""Deletion of an event made by mistake: it is hidden, since the log keeps its rows."""

from __future__ import annotations

import secrets

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError
from tournaments.models import AuditEntry, Event, Game, Player, Round, Section, User
from tournaments.models.setting_types import Level
from tournaments.queries.accounts import ownership
from tournaments.queries.events.staff import Task
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.rounds import interruptions
from tournaments.text import house


@act(
    "delete",
    task=Task.SETTINGS,
    done=_("The event was deleted. Its page is not found for others."),
    warning=ActWarning(
        Level.CONFIRM,
        _(
            "For an event made by mistake. It will be in no list, and its page will not be found for others. You cannot undo this."
        ),
    ),
)
def delete(event: Event, actor: User, *, reason: str, name: str) -> Event:
    """Cancel the event and hide it from all but its organiser and its players.

    Its rows stay, since the log is append-only. `name` is the event's name, typed as a confirmation.

    Raises:
        NotAllowedError: `not-organiser`.
        RefusedError: `reason-bad`, `event-name-other`, and the refusals of `obstacle`.
    """
    if name.strip() not in {event.name, house.event_name(event)}:
        raise RefusedError("event-name-other", name[:80])
    code = obstacle(event)
    if code:
        raise RefusedError(code)
    if event.is_open:
        interruptions.cancel.function(event, actor, reason=reason)
    event.staff.all().delete()
    Section.objects.filter(event=event).delete()
    event.is_private, event.access_code = True, secrets.token_urlsafe(24)
    event.save(update_fields=["is_private", "access_code"])
    delete.note(event, actor, reason=reason)
    return event


def obstacle(event: Event) -> str:
    """Return the code of the refusal to delete the event, or an empty text.

    An open event must have no published round and no entry of another account. A cancelled one must
    have no game and no typed result.
    """
    if event.state == Event.State.FINISHED or AuditEntry.objects.filter(
        event=event, action=delete.action
    ):
        return "event-over"
    if not event.is_open:
        return "delete-played" if _has_results(event) else ""
    if event.rounds.exclude(state=Round.State.DRAFT).exists():
        return "delete-published"
    players = Player.objects.filter(entries__event=event)
    others = set(ownership.accounts_behind(players).values()) - {event.organiser_id}
    if others or event.entries.filter(claims__isnull=False).exists():
        return "delete-entered"
    return ""


def _has_results(event: Event) -> bool:
    return (
        Game.objects.filter(pairing__event=event).exists()
        or event.pairings.with_entered_result(event).exists()
    )
